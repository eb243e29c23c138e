"""Stock's exception classes under stock's names; salt-g catches those that users' plugins raise."""

from salt_g.errors import CommandExecutionError as CommandExecutionError
from salt_g.errors import CommandNotFound as CommandNotFoundError
from salt_g.errors import InvocationError as SaltInvocationError
from salt_g.errors import RenderError as SaltRenderError
from salt_g.errors import SaltGError as SaltException


class CheckError(SaltException):
    """Raised when a check finds an error."""


class InvalidConfigError(CommandExecutionError):
    """Raised for a configuration that a plugin cannot use."""


class LoaderError(SaltException):
    """Raised for a plugin that cannot be loaded."""


class MinionError(SaltException):
    """Raised for a failure of a minion."""


class SaltClientError(SaltException):
    """Raised for a client that cannot be used."""


class TimedProcTimeoutError(SaltException):
    """Raised when a program exceeds its time limit."""


class SaltCacheError(SaltException):
    """Raised for a cache that cannot be read or written."""


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
