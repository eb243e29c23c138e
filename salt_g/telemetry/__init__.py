"""Logs and metrics of a daemon.

Begin with `log.py` (logging), `metrics.py` (counters and histograms) and `daemon_metrics.py`.
"""
