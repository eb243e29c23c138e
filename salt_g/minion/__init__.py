"""The minion: a session with a master, jobs, returns.

Begin with `daemon.py`, then `session.py`, `jobs.py` and `return_sender.py`.
"""
