"""Exceptions of a conversation with a master, all of them `WireError`."""


class WireError(Exception):
    """Anything that went wrong on the wire."""


class Timeout(WireError):
    """No reply in time."""


class AuthError(WireError):
    """The other side could not be authenticated, or would not have us."""


class KeyPending(AuthError):
    """The master has stored our key and waits for an operator."""


class KeyRejected(AuthError):
    """The master has rejected our key."""


class MasterFull(AuthError):
    """max_minions reached."""


class Refused(WireError):
    """A plain text refusal such as ``bad load``."""
