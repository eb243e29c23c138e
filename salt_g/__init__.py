"""salt-g: Salt's job model, state language and wire protocol on one gevent hub per daemon.

Begin with `docs/architecture.md` (the packages and their contents); `cli/` has the entry points of
commands, `local_call.py` assembles the parts of a local call.
"""

__version__ = "0.1.0"
#: The release of Salt whose behaviour is implemented; compared by formulas (grain `saltversion`).
SALT_LEVEL = "3008.3"
