"""Files by URL, for states, templates and users. Begin with `client.py`."""
