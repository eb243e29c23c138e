"""Stock's `salt.client.ssh`: salt-ssh, which works differently here."""

from salt_g.compat.refusal import refuse

_ADVICE = "use `salt.client.ssh.client.SSHClient`, or the runner `ssh.cmd`"
SSH = refuse("salt.client.ssh.SSH", _ADVICE)
Single = refuse("salt.client.ssh.Single", _ADVICE)
mod_data = refuse("salt.client.ssh.mod_data", _ADVICE)
ssh_version = refuse("salt.client.ssh.ssh_version", _ADVICE)

__all__ = ["SSH", "Single", "mod_data", "ssh_version"]
