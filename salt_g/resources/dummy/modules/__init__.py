"""Execution modules of the resource type `dummy`."""
