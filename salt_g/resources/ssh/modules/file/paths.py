"""Creation, moves, copies, links and removal of paths on the host."""

from __future__ import annotations

import posixpath
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.process.disk import mode_text
from salt_g.resources.ssh import _files, _remote, _undo
from salt_g.safe_files.recording import is_recording


def touch(name: str, atime: Any = None, mtime: Any = None) -> bool:
    """Create an empty file, or set its times (seconds since the epoch, default now).

    Example::

        salt-g web-01 file.touch /var/run/done
    """
    script = (
        'touch -- "$1" || exit 1; [ -z "$2" ] || touch -a -d "@$2" -- "$1";'
        ' [ -z "$3" ] || touch -m -d "@$3" -- "$1"'
    )
    _undo.announce(name, follow=True)
    done = _remote.sh(script, name, *("" if one is None else str(int(one)) for one in (atime, mtime)))
    if done.retcode:
        # Stock's text is the reason alone, which is the last part of the program's message.
        raise CommandExecutionError(done.err.strip().rpartition(": ")[2] or f"exit code {done.retcode}")
    return True


def mkdir(dir_path: str, user: Any = None, group: Any = None, mode: Any = None) -> bool:
    """Create a directory and its parents.

    Example::

        salt-g web-01 file.mkdir /opt/app
    """
    _files.make_directory(dir_path, mode=_mode(mode), owner=_files.owner_text(user, group))
    return True


def makedirs(path: str, user: Any = None, group: Any = None, mode: Any = None) -> str | bool:
    """Create the parent directories of a path.

    Example::

        salt-g web-01 file.makedirs /opt/app/etc/app.conf
    """
    parent = path.rstrip("/") if path.endswith("/") else posixpath.dirname(path)
    return mkdir(parent, user, group, mode)


def remove(path: str, **kwargs: Any) -> bool:
    """Remove a file, a link or a directory tree; return whether it existed.

    Example::

        salt-g web-01 file.remove /tmp/old
    """
    if not path.startswith("/"):
        raise CommandExecutionError("File path must be absolute: " + path)
    if not path.strip("/"):
        raise CommandExecutionError("the root directory must not be removed")
    _undo.announce(path, tree=True)
    script = '[ -e "$1" ] || [ -L "$1" ] || { echo missing; exit 0; }; rm -rf -- "$1"'
    return _remote.output(script, path, timeout=None).strip() != "missing"


def rmdir(path: str) -> bool | str:
    """Remove an empty directory; return True, or the error.

    Example::

        salt-g web-01 file.rmdir /tmp/empty
    """
    _undo.announce(path)
    done = _remote.sh('rmdir -- "$1"', path)
    return done.retcode == 0 or done.err.strip()


def rename(src: str, dst: str) -> bool:
    """Rename a path.

    Example::

        salt-g web-01 file.rename /tmp/a /tmp/b
    """
    return bool(move(src, dst)["result"])


def move(src: str, dst: str, disallow_copy_and_unlink: bool = False) -> dict[str, Any]:
    """Move a file or directory.

    Example::

        salt-g web-01 file.move /tmp/a /tmp/b
    """
    _undo.announce(src, tree=True)
    _announce_arrival(src, dst)
    _remote.output('mv -f -- "$1" "$2"', src, dst, timeout=None)
    return {"result": True, "comment": f"'{src}' moved to '{dst}'"}


def copy(src: str, dst: str, recurse: bool = False, remove_existing: bool = False) -> bool:
    """Copy a file, or with `recurse` a directory, on the host.

    Example::

        salt-g web-01 file.copy /etc/motd /tmp/motd
    """
    if remove_existing:
        remove(dst)
    _announce_arrival(src, dst)
    _remote.output(f'cp -{"R" if recurse else ""}p -- "$1" "$2"', src, dst, timeout=None)
    return True


def symlink(src: str, path: str, force: bool = False, **kwargs: Any) -> bool:
    """Create a symbolic link at `path` to `src`.

    Example::

        salt-g web-01 file.symlink /usr/share/zoneinfo/UTC /etc/localtime force=True
    """
    _announce_arrival(src, path, is_tree=False)
    _remote.output('[ "$3" = 1 ] && rm -f -- "$2"; ln -s -- "$1" "$2"', src, path, str(int(force)))
    return True


def link(src: str, path: str) -> bool:
    """Create a hard link at `path` to the file `src`.

    Example::

        salt-g web-01 file.link /opt/a /opt/b
    """
    _undo.announce(src)
    _announce_arrival(src, path, is_tree=False)
    _remote.output('ln -- "$1" "$2"', src, path)
    return True


def _announce_arrival(src: str, dst: str, *, is_tree: bool = True) -> None:
    """Record the entries that a program is about to create or replace at or below `dst`."""
    if not is_recording():
        return
    inside = posixpath.join(dst, posixpath.basename(src.rstrip("/")))
    goal = inside if _files.path_state(dst).is_directory else dst
    _undo.announce(goal, tree=True, follow=True)
    below = _undo.entries([src], tree=True) if is_tree else {}
    top = posixpath.join(*list(below)[:1], "")
    arriving = [posixpath.join(goal, path[len(top) :]) for path in below if path.startswith(top)]
    if arriving:
        _undo.announce(*arriving)


def _mode(mode: Any) -> str:
    return mode_text(mode) or ""
