"""Queries of paths on the host."""

from __future__ import annotations

import hashlib
import posixpath
import stat as stat_bits
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _files, _remote
from salt_g.shapes import Facts

_KINDS = {
    stat_bits.S_IFDIR: "dir",
    stat_bits.S_IFLNK: "link",
    stat_bits.S_IFREG: "file",
    stat_bits.S_IFBLK: "block",
    stat_bits.S_IFCHR: "char",
    stat_bits.S_IFIFO: "pipe",
    stat_bits.S_IFSOCK: "socket",
}

_CRITERIA = {
    **{"mindepth": "-mindepth", "maxdepth": "-maxdepth", "name": "-name", "iname": "-iname", "type": "-type"},
    **{"regex": "-regex", "size": "-size", "mtime": "-mtime", "owner": "-user", "group": "-group"},
}


def file_exists(path: str) -> bool:
    """Return whether a path is a regular file.

    Example::

        salt-g web-01 file.file_exists /etc/passwd
    """
    return _files.path_state(path).is_file


def directory_exists(path: str) -> bool:
    """Return whether a path is a directory.

    Example::

        salt-g web-01 file.directory_exists /etc
    """
    return _files.path_state(path).is_directory


def path_exists_glob(path: str) -> bool:
    """Return whether any path matches a glob.

    Example::

        salt-g web-01 file.path_exists_glob '/etc/pam.d/*'
    """
    if not any(char in path for char in "*?["):
        return _files.path_state(path).lexists
    parent, pattern = posixpath.split(path)
    script = 'find "$1" -mindepth 1 -maxdepth 1 -name "$2" 2>/dev/null | head -n 1'
    return bool(_remote.output(script, parent or "/", pattern).strip())


def is_link(path: str) -> bool:
    """Return whether a path is a symbolic link.

    Example::

        salt-g web-01 file.is_link /etc/localtime
    """
    return _files.path_state(path, follow=False).target is not None


def readlink(path: str, canonicalize: bool = False) -> str:
    """Return the target of a symbolic link.

    Example::

        salt-g web-01 file.readlink /etc/localtime
    """
    target = _files.path_state(path, follow=False).target
    if target is None:
        raise CommandExecutionError(f"Path {path} is not a link")
    return _remote.output('readlink -f -- "$1"', path).rstrip("\n") if canonicalize else target


def stats(path: str, hash_type: str = "sha256", follow_symlinks: bool = True) -> Facts:
    """Return owner, mode, times, size, type and hash of a path.

    Example::

        salt-g web-01 file.stats /etc/passwd
    """
    wanted = _files.HASH if hash_type == "sha256" else ""
    seen = _files.path_state(path, follow=follow_symlinks, wanted=wanted)
    if not seen.exists:
        raise CommandExecutionError(f"Path not found: {path}")
    kind = _KINDS.get(stat_bits.S_IFMT(seen.number), "")
    found: dict[str, Any] = {
        "inode": seen.inode, "uid": seen.uid, "gid": seen.gid, "group": seen.group, "user": seen.user,
        "atime": seen.atime, "mtime": seen.mtime, "ctime": seen.ctime, "size": seen.size, "mode": seen.mode,
        "type": kind, "target": seen.target if kind == "link" else path,
    }  # fmt: skip
    if hash_type and kind == "file":
        found["sum"] = seen.hash or get_hash(path, hash_type)
    return found


def lstat(path: str) -> Facts:
    """Return the numeric status of a path, without following a link; {} if it does not exist.

    Example::

        salt-g web-01 file.lstat /etc/localtime
    """
    seen = _files.path_state(path, follow=False)
    if not seen.exists:
        return {}
    return {
        "st_atime": seen.atime, "st_ctime": seen.ctime, "st_gid": seen.gid, "st_mode": seen.number,
        "st_mtime": seen.mtime, "st_nlink": seen.links, "st_size": seen.size, "st_uid": seen.uid,
    }  # fmt: skip


def access(path: str, mode: str) -> bool:
    """Return whether the working user may access a path: mode `f`, `r`, `w` or `x`.

    Example::

        salt-g web-01 file.access /etc/shadow r
    """
    tests = {"f": "-e", "r": "-r", "w": "-w", "x": "-x"}
    if mode not in tests:
        raise CommandExecutionError("Invalid mode specified.")
    return _remote.sh(f'[ {tests[mode]} "$1" ]', path).retcode == 0


def get_hash(path: str, form: str = "sha256") -> str:
    """Return the hash of a file.

    Example::

        salt-g web-01 file.get_hash /etc/passwd sha256
    """
    if form not in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        return hashlib.new(form, _content(path)).hexdigest()
    return _remote.output(f'{form}sum < "$1"', path, timeout=None).split(" ")[0]


def check_hash(path: str, file_hash: str) -> bool:
    """Return whether a file has a hash, `kind=digest` or a SHA-256 digest.

    Example::

        salt-g web-01 file.check_hash /etc/passwd sha256=0123
    """
    kind, equals, digest = file_hash.partition("=")
    return get_hash(path, kind if equals else "sha256") == (digest if equals else file_hash).lower()


def readdir(path: str) -> list[str]:
    """Return the names in a directory.

    Example::

        salt-g web-01 file.readdir /etc
    """
    return _remote.output('cd -- "$1" && ls -a', path).splitlines()


def find(path: str, *args: Any, **kwargs: Any) -> list[str]:
    """Return paths below `path` that meet all criteria: `name`, `iname`, `type`, `size`, `mtime`, `owner`, ….

    `name` and `iname` are globs; `type` one of `fdlbcps`; `mindepth`, `maxdepth` numbers; `owner` and `group`
    names; `regex` a pattern for the whole path; `size` and `mtime` have the syntax of find(1).

    Example::

        salt-g web-01 file.find /etc name='*.conf' type=f
    """
    options = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    unknown = options.keys() - set(_CRITERIA)
    if unknown:
        raise CommandExecutionError(
            f"file.find: unknown options {', '.join(sorted(unknown))}; known: {', '.join(_CRITERIA)}"
        )
    # Depth options come first, as find(1) requires.
    words = [
        word for name, flag in _CRITERIA.items() if name in options for word in (flag, str(options[name]))
    ]
    return sorted(
        _remote.output('path=$1; shift; find "$path" "$@"', path, *words, timeout=None).splitlines()
    )


def diskusage(path: str) -> int:
    """Return the disk usage of a path in bytes.

    Example::

        salt-g web-01 file.diskusage /var/log
    """
    return int(_remote.output('du -sk -- "$1"', path, timeout=None).split()[0]) * 1024


def _content(path: str) -> bytes:
    seen = _files.path_state(path, wanted=_files.CONTENT, limit=1 << 40)
    if seen.content is None:
        raise CommandExecutionError(f"{path} is not a file that can be read")
    return seen.content
