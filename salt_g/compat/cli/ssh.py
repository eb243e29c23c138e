"""Stock's `salt.cli.ssh`: the program `salt-ssh`."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.client.ssh.client.SSHClient`, or run `salt-g ssh`"
SaltSSH = refuse("salt.cli.ssh.SaltSSH", _ADVICE)

__all__ = ["SaltSSH"]
