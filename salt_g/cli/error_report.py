"""How an error ends a command: what is printed, and with which exit code.

Why its own file: each program ends alike, and imports this when it fails, not when it starts.
"""

from __future__ import annotations

import os
import sys

import salt_g.cli.exit_codes as exit_codes
from salt_g.errors import ClientError, ConfigError, SaltGError


def fail(prog: str, exc: SaltGError | OSError) -> int:
    """Print what went wrong and return the exit code; settings name their files themselves.

    A reader that went away is no error: BrokenPipeError goes on, see `dispatch.run`.
    """
    if isinstance(exc, BrokenPipeError):
        raise exc
    if isinstance(exc, ConfigError):
        print("\n".join(exc.problems), file=sys.stderr)
        return exit_codes.USAGE
    print(f"{prog}: {exc}{advice(exc)}", file=sys.stderr)
    return exit_codes.NOBODY if isinstance(exc, ClientError) else exit_codes.FAILED


def advice(exc: BaseException) -> str:
    """Return what helps a user whom the system refused its own paths, '' where nothing can be said."""
    if not isinstance(exc, PermissionError) or os.geteuid() == 0:
        return ""
    return "; be root, or name settings (-c DIR) whose root_dir is your own"
