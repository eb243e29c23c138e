"""Minion daemon: connections to masters, jobs, returns.

Begin with `daemon.py`, then `connection/session.py`, `jobs/running_jobs.py` and `jobs/return_sender.py`.
"""
