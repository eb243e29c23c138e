"""Files in a pod's container, accessed with its `cat`, `test` and `sh`."""

from __future__ import annotations

from typing import Any

from salt_g.api import connection_functions
from salt_g.errors import CommandExecutionError
from salt_g.process.command import decode

#: Four times the number of bytes written to a file per command. Each byte takes five characters of a program
#: argument, which is limited to 128 KiB.
_PIECE = 60_000


def read(path: str, binary: bool = False) -> str | bytes:
    """Return the content of a file.

    Example::

        salt-g shop.web-0 file.read /etc/hostname
    """
    ended = _run(["cat", "--", path])
    if ended.retcode:
        raise CommandExecutionError(decode(ended.stderr).strip())
    data: bytes = ended.stdout
    return data if binary else decode(data)


def write(path: str, *args: Any, **kwargs: Any) -> str:
    """Write lines to a file, replacing its content.

    Example::

        salt-g shop.web-0 file.write /tmp/note args='[hello]'
    """
    given = kwargs.get("args", list(args))
    lines = given if isinstance(given, list) else [given]
    data = "".join(f"{line}\n" for line in lines).encode()
    # Octal escapes carry any byte through any shell, and need no standard input.
    for start in range(0, max(len(data), 1), _PIECE // 4):
        piece = "".join(f"\\0{byte:03o}" for byte in data[start : start + _PIECE // 4])
        into = ">>" if start else ">"
        ended = _run(["sh", "-c", f'printf %b "$1" {into} "$0"', path, piece])
        if ended.retcode:
            raise CommandExecutionError(decode(ended.stderr).strip())
    return f'Wrote {len(lines)} lines to "{path}"'


def file_exists(path: str) -> bool:
    """Return whether a path is an existing file.

    Example::

        salt-g shop.web-0 file.file_exists /etc/passwd
    """
    return _holds("-f", path)


def directory_exists(path: str) -> bool:
    """Return whether a path is an existing directory.

    Example::

        salt-g shop.web-0 file.directory_exists /etc
    """
    return _holds("-d", path)


def remove(path: str) -> bool:
    """Remove a file, or a directory tree.

    Example::

        salt-g shop.web-0 file.remove /tmp/note
    """
    ended = _run(["rm", "-rf", "--", path])
    if ended.retcode:
        raise CommandExecutionError(decode(ended.stderr).strip())
    return True


def _holds(question: str, path: str) -> bool:
    return bool(_run(["test", question, path]).retcode == 0)


def _run(argv: list[str]) -> Any:
    return connection_functions["k8s_pod.run"](argv)
