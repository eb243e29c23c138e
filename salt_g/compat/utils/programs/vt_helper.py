"""Stock's `salt.utils.vt_helper`: SSH through a pseudo-terminal, which salt-g does not have."""

from salt_g.compat.refusal import refuse

SSHConnection = refuse("salt.utils.vt_helper.SSHConnection", "use a resource of the type `ssh`")

__all__ = ["SSHConnection"]
