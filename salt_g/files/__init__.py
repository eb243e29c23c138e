"""Access to files by URL for states, templates and users, and the file server. Begin with `client.py`."""
