"""Returners: where returns of jobs, and events, go besides the master's own store. A plugin room."""
