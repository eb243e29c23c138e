"""Execution modules of hosts reached by SSH."""
