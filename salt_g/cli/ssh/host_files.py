"""Access to key and certificate files on the host of a call; implements `salt_g.x509.key_files.HostFiles`.

Each access runs one or two scripts on the host, with the same user and `sudo` as the host's functions.
Errors: Unreachable, CommandExecutionError with the host's message.
"""

from __future__ import annotations

from salt_g.errors import CommandExecutionError
from salt_g.process.disk import PRIVATE_FILE
from salt_g.resources.ssh import _files, _remote
from salt_g.resources.ssh._backups import place_of_copy

#: Script that prints the paths matching a pattern, each followed by a zero byte. IFS is empty so that spaces
#: do not separate patterns.
_GLOB = r"""IFS=; for path in $1; do [ -f "$path" ] && printf '%s\0' "$path"; done; exit 0"""
_MOVE = r"""
source=$1 path=$2
if [ -f "$path" ]; then
    owner=$(stat -c %u:%g "$path") && mode=$(stat -c %a "$path") || exit 1
    chown "$owner" "$source" && chmod "$mode" "$source" || exit 1
fi
mv -f "$source" "$path"
"""


class FilesOfHost:
    """Key and certificate files on the host of the current call."""

    def is_file(self, path: str) -> bool:
        """Return whether a path is a regular file, after following links."""
        return _files.path_state(path).is_file

    def is_link(self, path: str) -> bool:
        """Return whether a path is a symbolic link."""
        return _files.path_state(path, follow=False).target is not None

    def glob(self, pattern: str) -> list[str]:
        """Return the paths of the files that a pattern of the shell matches."""
        done = _remote.checked(_remote.sh(_GLOB, pattern))
        names = done.stdout.decode("utf-8", "surrogateescape").split("\0")
        return [name for name in names if name]

    def read(self, path: str) -> bytes:
        """Return the content of a file; raise CommandExecutionError if it is unreadable or too large."""
        content = _files.path_state(path, wanted=_files.CONTENT).content
        if content is None:
            raise CommandExecutionError(f"{path} cannot be read, or has more than {_files.READ_LIMIT} bytes")
        return content

    def write(self, path: str, data: bytes, *, mode: int, keeps_old: bool = False) -> None:
        """Write a file atomically; `mode` is for new files, existing files keep owner and mode."""
        seen = _files.path_state(path)
        keep = place_of_copy(path, "minion") if keeps_old else ""
        _files.write(
            path, data, mode=seen.mode if seen.exists else f"{mode:04o}", owner=_owner(seen), keep=keep
        )

    def write_private(self, path: str, data: bytes) -> None:
        """Write a file atomically that only its owner can read; an existing file keeps its owner."""
        owner = _owner(_files.path_state(path))
        _files.write(path, data, mode=f"{PRIVATE_FILE:04o}", owner=owner)

    def remove(self, path: str) -> None:
        """Remove a file or link."""
        _remote.output('rm -f -- "$1"', path)

    def move(self, source: str, path: str) -> None:
        """Move a file to a path, where it gets the owner and mode of the file it replaces."""
        _remote.output(_MOVE, source, path)


def _owner(seen: _files.PathState) -> str:
    """Return the owner of an existing path as `uid:gid`, '' for a new one."""
    return f"{seen.uid}:{seen.gid}" if seen.exists else ""
