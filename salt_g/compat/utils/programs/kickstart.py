"""Stock's `salt.utils.kickstart`: Kickstart files as states, for `genesis`."""

from salt_g.compat.refusal import refuse

mksls = refuse("salt.utils.kickstart.mksls", "write the states yourself; Kickstart files are not translated")

__all__ = ["mksls"]
