"""Reading, writing and editing of text files on the host."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _editing, _files, _remote
from salt_g.resources.ssh._backups import place_beside
from salt_g.shapes import Arguments


def read(path: str, binary: bool = False) -> str | bytes:
    """Return the content of a file.

    Example::

        salt-g web-01 file.read /etc/hostname
    """
    content = _content(path)
    return content if binary else content.decode("utf-8", "replace")


def write(path: str, *args: Any, **kwargs: Any) -> str:
    """Write lines to a file, replacing its content.

    Example::

        salt-g web-01 file.write /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    _put(path, "".join(f"{line}\n" for line in lines).encode())
    return f'Wrote {len(lines)} lines to "{path}"'


def append(path: str, *args: Any, **kwargs: Any) -> str:
    """Append lines to a file.

    Example::

        salt-g web-01 file.append /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    old = _files.path_state(path, wanted=_files.CONTENT).content or b""
    gap = b"\n" if old and not old.endswith(b"\n") else b""
    _put(path, old + gap + "".join(f"{line}\n" for line in lines).encode())
    return f'Wrote {len(lines)} lines to "{path}"'


def prepend(path: str, *args: Any, **kwargs: Any) -> str:
    """Insert lines at the beginning of a file.

    Example::

        salt-g web-01 file.prepend /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    old = _files.path_state(path, wanted=_files.CONTENT).content or b""
    _put(path, "".join(f"{line}\n" for line in lines).encode() + old)
    return f'Prepended {len(lines)} lines to "{path}"'


def contains(path: str, text: str) -> bool:
    """Return whether a file contains a text.

    Example::

        salt-g web-01 file.contains /etc/passwd root
    """
    return _remote.sh('grep -qF -e "$2" -- "$1"', path, text).retcode == 0


def _content(path: str) -> bytes:
    seen = _files.path_state(path, wanted=_files.CONTENT, limit=1 << 40)
    if seen.content is None:
        raise CommandExecutionError(f"{path} is not a file that can be read")
    return seen.content


def _put(path: str, content: bytes) -> None:
    seen = _files.path_state(path)
    owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
    _files.write(path, content, mode=seen.mode if seen.exists else "0644", owner=owner)


def _lines(args: tuple[Any, ...], kwargs: Arguments) -> list[str]:
    given = kwargs.get("args", args)
    return [str(line) for line in (given if isinstance(given, (list, tuple)) else [given])]


def replace(path: str, pattern: str, repl: str, **options: Any) -> Any:
    """Replace the matches of a regular expression; return the diff. See a minion's `file.replace`.

    Example::

        salt-g web-01 file.replace /etc/ssh/sshd_config '^#?PermitRootLogin .*' 'PermitRootLogin no'
    """
    return _edit(path, "replace", pattern, repl, **options)


def line(path: str, content: str | None = None, **options: Any) -> Any:
    """Edit one line; return the diff. The options are those of a minion's `file.line`.

    Example::

        salt-g web-01 file.line /etc/app.conf content='x = 1' mode=replace match='^x'
    """
    return _edit(path, "line", content, **options)


def blockreplace(path: str, **options: Any) -> Any:
    """Maintain a block of text between two markers; return the diff. See a minion's `file.blockreplace`.

    Example::

        salt-g web-01 file.blockreplace /etc/hosts marker_start='#-- start' marker_end='#-- end' content=x
    """
    return _edit(path, "blockreplace", **options)


def comment_line(path: str, regex: str, char: str = "#", cmnt: bool = True, backup: str = ".bak") -> Any:
    """Comment out matching lines, or with `cmnt` False uncomment them; return the diff.

    Example::

        salt-g web-01 file.comment_line /etc/app.conf '^debug'
    """
    return _edit(path, "comment_line", regex, char=char, cmnt=cmnt, backup=backup)


def search(path: str, pattern: str, flags: Any = 8, bufsize: Any = 1, **options: Any) -> bool:
    """Return whether a regular expression matches in a file.

    Example::

        salt-g web-01 file.search /etc/ssh/sshd_config '^PermitRootLogin no'
    """
    return bool(_editing.edited(path, "search", pattern, flags=flags, keep=False, **options))


def contains_regex(path: str, regex: str, lchar: str = "") -> bool:
    """Return whether a line of a file matches a regular expression.

    Example::

        salt-g web-01 file.contains_regex /etc/hosts '^127'
    """
    return bool(_editing.edited(path, "contains_regex", regex, lchar=lchar, keep=False))


def _edit(path: str, function: str, *args: Any, **options: Any) -> Any:
    given = {name: value for name, value in options.items() if not name.startswith("__")}
    is_line = function == "line"
    copy_to = place_beside(path, given.pop("backup", not is_line), dated=is_line)
    # The editor would back up the edited copy; `copy_to` is the backup of the file itself.
    given["backup"] = False
    is_trial = bool(given.pop("dry_run", False)) or bool(opts.get("test"))
    return _editing.edited(path, function, *args, keep=not is_trial, copy_to=copy_to, **given)
