"""Returners: destinations of job returns and events besides the master's own store. A plugin room."""
