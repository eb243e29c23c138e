"""Stock's `salt.utils.preseed`: preseed files as states, for `genesis`."""

from salt_g.compat.refusal import refuse

mksls = refuse("salt.utils.preseed.mksls", "write the states yourself; preseed files are not translated")

__all__ = ["mksls"]
