"""Stock's `salt.cli.spm`: the program `spm`, which salt-g does not have."""

from salt_g.compat.refusal import refuse

_ADVICE = "copy file trees with the tools of your repository (`gitfs`)"
SPM = refuse("salt.cli.spm.SPM", _ADVICE)

__all__ = ["SPM"]
