"""Logs and metrics of a daemon.

Begin with `log.py` (logging), `metric_registry.py` (counters and histograms) and `daemon_metrics.py`.
"""
