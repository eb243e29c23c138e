"""Stock's `salt.utils.yast`: AutoYaST files as states, for `genesis`."""

from salt_g.compat.refusal import refuse

mksls = refuse("salt.utils.yast.mksls", "write the states yourself; AutoYaST files are not translated")

__all__ = ["mksls"]
