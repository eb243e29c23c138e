"""Stock's exception classes by stock's names; what a user's plugin raises is what salt-g catches."""

from salt_g.errors import CommandExecutionError as CommandExecutionError
from salt_g.errors import CommandNotFound as CommandNotFoundError
from salt_g.errors import InvocationError as SaltInvocationError
from salt_g.errors import RenderError as SaltRenderError
from salt_g.errors import SaltGError as SaltException


class CheckError(SaltException):
    """A check found something wrong."""


class InvalidConfigError(CommandExecutionError):
    """A configuration that a plugin cannot use."""


class LoaderError(SaltException):
    """A plugin that cannot be loaded."""


class MinionError(SaltException):
    """Something that a minion cannot do."""


class SaltClientError(SaltException):
    """A client that cannot be used."""


class TimedProcTimeoutError(SaltException):
    """A program ran longer than it was allowed to."""


class SaltCacheError(SaltException):
    """A cache that cannot be read or written."""


def get_error_message(error: BaseException) -> str:
    """Return the text of an exception."""
    return str(error.args[0]) if error.args else ""


__all__ = [
    "CheckError",
    "CommandExecutionError",
    "CommandNotFoundError",
    "InvalidConfigError",
    "LoaderError",
    "MinionError",
    "SaltCacheError",
    "SaltClientError",
    "SaltException",
    "SaltInvocationError",
    "SaltRenderError",
    "TimedProcTimeoutError",
    "get_error_message",
]
