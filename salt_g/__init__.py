"""salt-g: Salt's job model, state language and wire protocol on one gevent hub per daemon.

Where to begin reading: `docs/architecture.md` says which room holds what; `cli/` is where
a command enters, `local.py` is where the parts of a local call are put together.
"""

__version__ = "0.2.0"
#: The release of Salt whose behaviour this is; what formulas compare (grain `saltversion`).
SALT_LEVEL = "3008.3"
