"""Exception classes under stock's names, for users' plugins and `test.raise_exception`.

salt-g itself raises those of `errors.py` and `SaltCacheError`; the others exist so that a plugin can import,
raise and catch them.
Shapes: the attributes of this module are the names of stock's `salt.exceptions` (3008).
"""

from __future__ import annotations

from typing import Any

from salt_g import errors

SaltException = errors.SaltGError
CommandExecutionError = errors.CommandExecutionError
CommandNotFoundError = errors.CommandNotFound
SaltInvocationError = errors.InvocationError
SaltRenderError = errors.RenderError
SaltClientError = errors.ClientError
AuthenticationError = errors.AuthenticationError
AuthorizationError = errors.AuthorizationError

#: {base class: names of subclasses that add nothing}; a base class is defined before its own entry.
_PLAIN = {
    "SaltException": """
        EauthAuthenticationError FileserverConfigError GitRemoteError LoaderError MinionError MissingSmb
        NotImplemented NxosError PkgParseError PublishError SaltCloudException
        SaltConfigurationError SaltDaemonNotRunning SaltDeserializationError SaltMasterError
        SaltMasterUnresolvableError SaltNoMinionsFound SaltReqTimeoutError SaltRunnerError
        SaltSyndicMasterError SaltValidationError SaltWheelError TemplateError TimedProcTimeoutError
        TimeoutError TokenAuthenticationError TokenExpiredError UnsupportedAlgorithm
    """,
    "CommandExecutionError": """
        ArgumentValueError CheckError CodePageError InvalidConfigError InvalidEntityError VMwareSaltError
    """,
    "NxosError": "NxosCliError NxosClientError NxosRequestNotSupported",
    "SaltCloudException": """
        SaltCloudConfigError SaltCloudExecutionFailure SaltCloudExecutionTimeout SaltCloudNotFound
        SaltCloudPasswordError
    """,
    "VMwareSaltError": """
        VMwareApiError VMwareConnectionError VMwareNotFoundError VMwareObjectExistsError
        VMwareObjectNotFoundError VMwareObjectRetrievalError VMwarePowerOnError VMwareRuntimeError
        VMwareSystemError VMwareVmCreationError VMwareVmRegisterError
    """,
    "VMwareApiError": "VMwareFileNotFoundError",
    "VMwareObjectRetrievalError": "VMwareMultipleObjectsError",
}
for _base, _names in _PLAIN.items():
    for _name in _names.split():
        globals()[_name] = type(_name, (globals()[_base],), {"__module__": __name__})


class SaltCacheError(SaltException):
    """Raised for a cache that cannot be read or written."""


class InvalidKeyError(SaltException, ValueError):
    """Raised for an invalid key."""


class FileLockError(SaltException):
    """Raised when a file cannot be locked; `time_start` is when the attempt began (s)."""

    def __init__(self, message: object, time_start: float | None = None, *args: Any) -> None:
        self.time_start = time_start
        super().__init__(message, *args)


class GitLockError(SaltException):
    """Raised when a repository cannot be locked; `errno` is the system's number."""

    def __init__(self, errno: int, message: object, *args: Any) -> None:
        self.errno = errno
        super().__init__(message, *args)


class SaltClientTimeout(SaltException):
    """Raised when a job does not return in time; `jid` is that job."""

    def __init__(self, message: object, jid: str | None = None, *args: Any) -> None:
        self.jid = jid
        super().__init__(message, *args)


class SaltCloudSystemExit(globals()["SaltCloudException"]):  # type: ignore[misc]  # made above
    """Raised to end a program with `exit_code`."""

    def __init__(self, message: object, exit_code: int = 1) -> None:
        self.exit_code = exit_code
        super().__init__(message)


class LoggingRuntimeError(RuntimeError):
    """Raised for wrong use of logging."""


class MasterExit(SystemExit):
    """Raised to end a master."""


class SaltSystemExit(SystemExit):
    """Raised to end a program with an exit code and a message."""

    def __init__(self, code: int = 0, msg: object = None) -> None:
        super().__init__(code)
        self.message = msg


def get_error_message(error: BaseException) -> str:
    """Return the text of an exception."""
    return str(error.args[0]) if error.args else ""


#: Names that users' plugins import from `salt.exceptions`.
__all__ = [
    *sorted(name for name, value in list(globals().items()) if isinstance(value, type) and name != "Any"),
    "get_error_message",
]
