"""Stock's `salt.utils.vt`: programs on a pseudo-terminal."""

from salt_g.compat.refusal import refuse
from salt_g.errors import SaltGError


class TerminalException(SaltGError):
    """Raised when a terminal cannot be used."""


Terminal = refuse("salt.utils.vt.Terminal", "run the program with `cmd.run`, with `use_vt: True` if needed")

__all__ = ["Terminal", "TerminalException"]
