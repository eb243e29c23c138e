"""Protocols of what a call can use beside functions: `plugins.py` in any call, `daemons.py` on a daemon.

`api.services()` gives them to plugins. `stores.py` has those of a master's store and keys.
"""
