"""Execution modules of dummies."""
