"""Services that a call offers to plugins through `api.services()`.

`plugins.py` has the services of any call, `protocols.py` their protocols. `daemons.py` has the protocols of
services that only daemons provide, `stores.py` those of a master's store and keys.
"""
