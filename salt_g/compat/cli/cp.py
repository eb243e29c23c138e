"""Stock's `salt.cli.cp`: the program `salt-cp`."""

from salt_g.compat.refusal import refuse

_ADVICE = "run `salt-g cp`"
SaltCP = refuse("salt.cli.cp.SaltCP", _ADVICE)
SaltCPCli = refuse("salt.cli.cp.SaltCPCli", _ADVICE)

__all__ = ["SaltCP", "SaltCPCli"]
