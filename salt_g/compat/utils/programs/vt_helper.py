"""Stock's `salt.utils.vt_helper`: SSH by terminal, which salt-g does without."""

from salt_g.compat.refusal import refuse

SSHConnection = refuse("salt.utils.vt_helper.SSHConnection", "use a resource of the type `ssh`")

__all__ = ["SSHConnection"]
