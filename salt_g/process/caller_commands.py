"""Interpretation of commands given by callers, and the check that the settings permit them.

Errors: CommandExecutionError for a command that is not permitted.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any

from salt_g.errors import CommandExecutionError


def as_typed(cmd: Any) -> Any:
    """Return a command as its caller typed it, as text or a list of words.

    YAML and the parser of command lines turn the programs `true` and `false` into booleans, and some words
    into numbers.
    """
    if isinstance(cmd, bool):
        return str(cmd).lower()
    return cmd if isinstance(cmd, (str, list, tuple)) else str(cmd)


def check_permitted(cmd: str | Sequence[object], refused: Sequence[str], allowed: Sequence[str]) -> None:
    """Refuse a command that the globs forbid; an empty `allowed` permits all others.

    `refused` is the setting `cmd_blacklist_glob`, `allowed` is `cmd_whitelist_glob`.
    """
    text = cmd if isinstance(cmd, str) else " ".join(map(str, cmd))
    message = f'The shell command "{text}" is not permitted'
    for pattern in refused:
        if fnmatch.fnmatch(text, pattern):
            raise CommandExecutionError(f"{message}: it matches {pattern!r} in cmd_blacklist_glob")
    if allowed and not any(fnmatch.fnmatch(text, pattern) for pattern in allowed):
        raise CommandExecutionError(f"{message}: it matches nothing in cmd_whitelist_glob")
