"""Returners: destinations of job returns and events in addition to the master's store. A plugin room."""
