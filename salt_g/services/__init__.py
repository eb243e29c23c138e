"""Services of a call: `plugins.py` in any call, by `protocols.py`, and `daemons.py` on a daemon.

`api.services()` gives them to plugins. `stores.py` has those of a master's store and keys.
"""
