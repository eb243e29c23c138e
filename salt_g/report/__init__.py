"""Readable summaries of jobs, events and state runs."""
