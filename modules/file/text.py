"""Text files as lines, and parts of files by offset."""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files

#: Line end of written lines.
_END = os.linesep


def read(path: str, binary: bool = False) -> str | bytes:
    """Return the content of a file, as bytes with `binary`.

    Example::

        salt-g file.read /etc/hostname
    """
    if binary:
        with open(path, "rb") as file:
            return file.read()
    with open(path, encoding="utf-8") as text:
        return text.read()


def write(path: str, *args: Any, **kwargs: Any) -> str:
    """Replace the content of a file with lines, one for each argument (or item of `args`).

    Example::

        salt-g file.write /etc/motd 'This file is managed.' 'Ask before editing.'
    """
    lines = _lines(args, kwargs)
    with open(os.path.expanduser(path), "w", encoding="utf-8", opener=safe_files.opener) as file:
        file.writelines(f"{line}\n" for line in lines)
    return f'Wrote {len(lines)} lines to "{os.path.expanduser(path)}"'


def append(path: str, *args: Any, **kwargs: Any) -> str:
    """Add lines to the end of a file, one for each argument (or item of `args`).

    A last line without a line end gets one first. Raises FileNotFoundError if the file does not exist.

    Example::

        salt-g file.append /etc/motd 'Back at noon.'
    """
    path = os.path.expanduser(path)
    lines = _lines(args, kwargs)
    with open(path, "rb+", opener=safe_files.opener) as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-len(_END), os.SEEK_END)
            if file.read() != _END.encode():
                file.write(_END.encode())
        file.write("".join(f"{line}{_END}" for line in lines).encode())
    return f'Wrote {len(lines)} lines to "{path}"'


def prepend(path: str, *args: Any, **kwargs: Any) -> str:
    """Add lines to the start of a file, one for each argument (or item of `args`).

    Example::

        salt-g file.prepend /etc/motd 'Welcome.'
    """
    path = os.path.expanduser(path)
    lines = _lines(args, kwargs)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        content = b""
    with open(path, "wb", opener=safe_files.opener) as file:
        file.write("".join(f"{line}\n" for line in lines).encode() + content)
    return f'Prepended {len(lines)} lines to "{path}"'


def truncate(path: str, length: int) -> None:
    """Truncate a file to this number of bytes.

    Example::

        salt-g file.truncate /var/log/app.log 512
    """
    with open(os.path.expanduser(path), "rb+", opener=safe_files.opener) as file:
        file.truncate(int(length))


def seek_read(path: str, size: int, offset: int) -> bytes:
    """Return up to `size` bytes of a file, beginning at `offset`.

    Example::

        salt-g file.seek_read /etc/hosts 10 0
    """
    with open(os.path.expanduser(path), "rb", buffering=0) as file:
        file.seek(int(offset))
        return file.read(int(size)) or b""


def seek_write(path: str, data: str | bytes, offset: int) -> int:
    """Overwrite a file from `offset`, without shortening it; return the number of bytes written.

    Example::

        salt-g file.seek_write /tmp/data 'some data' 4096
    """
    content = data.encode() if isinstance(data, str) else data
    descriptor = safe_files.open_file(os.path.expanduser(path), os.O_WRONLY)
    try:
        os.lseek(descriptor, int(offset), os.SEEK_SET)
        written = os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return written


def _lines(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    given = kwargs.get("args", args)
    return list(given) if isinstance(given, (list, tuple)) else [given]
