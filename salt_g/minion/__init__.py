"""Puts a call together; later the minion daemon. Begin with `context.py`."""
