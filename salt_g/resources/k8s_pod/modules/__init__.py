"""Execution modules of pods."""
