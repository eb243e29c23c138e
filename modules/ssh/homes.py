"""Locations of a user's ssh files, and writing them with the right owner and mode."""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandExecutionError
from salt_g.modules import _text_file

#: Modes of the folder `.ssh` and of the files in it.
FOLDER_MODE = 0o700
FILE_MODE = 0o600


def user_info(user: str) -> dict[str, Any]:
    """Return the result of `user.info`; raise CommandExecutionError if there is no such user."""
    info = call("user.info", user)
    if not info:
        raise CommandExecutionError(f"User '{user}' does not exist")
    return dict(info)


def authorized_keys_path(user: str, config: str) -> str:
    """Return the path of a user's authorized keys, with `%h`, `%u` and `%%` expanded as sshd does."""
    info = user_info(user)
    path, rest = "", iter(config)
    for character in rest:
        if character != "%":
            path += character
            continue
        token = next(rest, None)
        if token is None:
            raise CommandExecutionError("AuthorizedKeysFile path: Last character can't be escape character")
        if token not in "%uh":
            raise CommandExecutionError(f'AuthorizedKeysFile path: unknown token character "%{token}"')
        path += {"%": "%", "u": user, "h": info["home"]}[token]
    return os.path.join(info["home"], path)


def write(path: str, text: str, owner: dict[str, Any] | None) -> None:
    """Write a file, creating its directory if missing; new ones are private to `owner` (from `user.info`).

    Without an owner, they belong to the user of this process, and a new directory is readable by all.
    """
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        safe_files.make_directories(folder, FOLDER_MODE if owner else 0o755)
        _chown(folder, owner)
    is_new = not os.path.exists(path)
    try:
        _text_file.rewrite(path, text, mode=FILE_MODE)
    except OSError as exc:
        raise CommandExecutionError(f"Problem reading or writing to key file: {exc}") from exc
    if is_new:
        _chown(path, owner)


def _chown(path: str, owner: dict[str, Any] | None) -> None:
    if owner and os.geteuid() == 0:
        safe_files.change_owner(path, owner["uid"], owner["gid"])
