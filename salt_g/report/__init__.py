"""Summaries of jobs, events and state runs for people."""
