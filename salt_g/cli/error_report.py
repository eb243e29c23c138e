"""Report of an error that ends a command: message and exit code."""

from __future__ import annotations

import errno
import os
import sys

import salt_g.cli.exit_codes as exit_codes
from salt_g.errors import ClientError, ConfigError, SaltGError, UnknownUser

_ELSEWHERE = "or correct the setting that names it (root_dir, cachedir, pki_dir, sock_dir)"
#: Advice for system errors that any path may cause, by errno.
_ADVICE = {
    errno.ENOSPC: "make room on that file system",
    errno.EROFS: f"mount that file system writable, {_ELSEWHERE}",
    errno.ENOTDIR: f"a part of this path is not a directory: move it away, {_ELSEWHERE}",
}


def fail(
    prog: str, exc: SaltGError | OSError, *, crashes: bool | None = False, other: int = exit_codes.FAILED
) -> int:
    """Print the error and return the exit code; settings errors are printed without the name `prog`.

    A BrokenPipeError is re-raised, because a reader that closed the pipe is not an error; see `dispatch.run`.
    With `crashes` (`--hard-crash`) all errors except settings errors are re-raised to show a traceback.
    `other` is the exit code of errors without a specific code; commands for which failure is a regular result
    set it.
    """
    if isinstance(exc, BrokenPipeError) or (crashes and not isinstance(exc, ConfigError)):
        raise exc
    if isinstance(exc, ConfigError):
        print("\n".join(exc.problems), file=sys.stderr)
        return exit_codes.USAGE
    print(f"{prog}: {exc}{advice(exc)}", file=sys.stderr)
    if isinstance(exc, UnknownUser):
        return exit_codes.NO_USER
    return exit_codes.NOBODY if isinstance(exc, ClientError) else other


def advice(exc: BaseException) -> str:
    """Return advice about an operating system error, beginning with a semicolon; '' if there is no advice."""
    if isinstance(exc, OSError) and exc.errno in _ADVICE:
        return f"; {_ADVICE[exc.errno]}"
    if not isinstance(exc, PermissionError) or os.geteuid() == 0:
        return ""
    return "; run as root, or use settings (-c DIR) with a root_dir of your own"
