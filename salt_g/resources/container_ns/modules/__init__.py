"""Execution modules of namespaces and roots."""
