"""Execution modules of network devices."""
