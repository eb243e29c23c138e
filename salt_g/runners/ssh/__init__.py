"""Functions on hosts of the roster, without a minion, for orchestration and reactions.

Begin with `calls.py`; `program.py` runs `salt-g ssh`.
"""

from salt_g.runners.ssh.calls import cmd

__all__ = ["cmd"]
