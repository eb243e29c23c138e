"""How an error ends a command: what is printed, and with which exit code.

Why its own file: each program ends alike, and imports this when it fails, not when it starts.
"""

from __future__ import annotations

import os
import sys

import salt_g.cli.exits as exits
from salt_g.errors import ClientError, ConfigError, SaltGError


def fail(prog: str, exc: SaltGError | OSError) -> int:
    """Print what went wrong and return the exit code; settings name their files themselves.

    A reader that went away is no error: BrokenPipeError goes on, see `dispatch.run`.
    """
    if isinstance(exc, BrokenPipeError):
        raise exc
    if isinstance(exc, ConfigError):
        print("\n".join(exc.problems), file=sys.stderr)
        return exits.USAGE
    print(f"{prog}: {exc}{advice(exc)}", file=sys.stderr)
    return exits.NOBODY if isinstance(exc, ClientError) else exits.FAILED


def advice(exc: BaseException) -> str:
    """Return what helps a user whom the system refused its own paths, '' where nothing can be said."""
    if not isinstance(exc, PermissionError) or os.geteuid() == 0:
        return ""
    return "; be root, or name settings (-c DIR) whose root_dir is your own"
