"""Stock's `salt.client.ssh.shell`: the connection of salt-ssh to one host."""

from salt_g.compat.refusal import refuse

_ADVICE = "run commands on hosts with the runner `ssh.cmd`, or as resources of the type ssh"
Shell = refuse("salt.client.ssh.shell.Shell", _ADVICE)

__all__ = ["Shell"]
