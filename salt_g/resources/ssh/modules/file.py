"""Files and directories of the host."""

from __future__ import annotations

import hashlib
import posixpath
import stat as stat_bits
from typing import Any

from salt_g.api import opts
from salt_g.disk import mode_text
from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _editing, _files, _remote

_KINDS = {
    stat_bits.S_IFDIR: "dir",
    stat_bits.S_IFLNK: "link",
    stat_bits.S_IFREG: "file",
    stat_bits.S_IFBLK: "block",
    stat_bits.S_IFCHR: "char",
    stat_bits.S_IFIFO: "pipe",
    stat_bits.S_IFSOCK: "socket",
}


def file_exists(path: str) -> bool:
    """Return whether there is a regular file at a path.

    Example::

        salt-g web-01 file.file_exists /etc/passwd
    """
    return _files.look(path).is_file


def directory_exists(path: str) -> bool:
    """Return whether there is a directory at a path.

    Example::

        salt-g web-01 file.directory_exists /etc
    """
    return _files.look(path).is_directory


def path_exists_glob(path: str) -> bool:
    """Return whether any path matches a glob.

    Example::

        salt-g web-01 file.path_exists_glob '/etc/pam.d/*'
    """
    if not any(char in path for char in "*?["):
        return _files.look(path).lexists
    parent, pattern = posixpath.split(path)
    script = 'find "$1" -mindepth 1 -maxdepth 1 -name "$2" 2>/dev/null | head -n 1'
    return bool(_remote.told(script, parent or "/", pattern).strip())


def is_link(path: str) -> bool:
    """Return whether a path is a symbolic link.

    Example::

        salt-g web-01 file.is_link /etc/localtime
    """
    return _files.look(path, follow=False).target is not None


def readlink(path: str, canonicalize: bool = False) -> str:
    """Return where a symbolic link leads.

    Example::

        salt-g web-01 file.readlink /etc/localtime
    """
    target = _files.look(path, follow=False).target
    if target is None:
        raise CommandExecutionError(f"Path {path} is not a link")
    return _remote.told('readlink -f -- "$1"', path).rstrip("\n") if canonicalize else target


def stats(path: str, hash_type: str = "sha256", follow_symlinks: bool = True) -> dict[str, Any]:
    """Return owner, mode, times, size, kind and hash of a path.

    Example::

        salt-g web-01 file.stats /etc/passwd
    """
    wanted = _files.HASH if hash_type == "sha256" else ""
    seen = _files.look(path, follow=follow_symlinks, wanted=wanted)
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


def lstat(path: str) -> dict[str, Any]:
    """Return the numbers of a path, of a link its own; {} when there is nothing.

    Example::

        salt-g web-01 file.lstat /etc/localtime
    """
    seen = _files.look(path, follow=False)
    if not seen.exists:
        return {}
    return {
        "st_atime": seen.atime, "st_ctime": seen.ctime, "st_gid": seen.gid, "st_mode": seen.number,
        "st_mtime": seen.mtime, "st_nlink": seen.links, "st_size": seen.size, "st_uid": seen.uid,
    }  # fmt: skip


def access(path: str, mode: str) -> bool:
    """Return whether the user that works on the host may do something: mode `f`, `r`, `w` or `x`.

    Example::

        salt-g web-01 file.access /etc/shadow r
    """
    tests = {"f": "-e", "r": "-r", "w": "-w", "x": "-x"}
    if mode not in tests:
        raise CommandExecutionError("Invalid mode specified.")
    return _remote.sh(f'[ {tests[mode]} "$1" ]', path).retcode == 0


def get_mode(path: str, follow_symlinks: bool = True) -> str:
    """Return the mode of a path, '' when there is nothing.

    Example::

        salt-g web-01 file.get_mode /etc/passwd
    """
    seen = _files.look(path, follow=follow_symlinks)
    return seen.mode if seen.exists else ""


def get_user(path: str, follow_symlinks: bool = True) -> str:
    """Return who owns a path.

    Example::

        salt-g web-01 file.get_user /etc/passwd
    """
    return _there(path, follow_symlinks).user


def get_group(path: str, follow_symlinks: bool = True) -> str:
    """Return which group owns a path.

    Example::

        salt-g web-01 file.get_group /etc/passwd
    """
    return _there(path, follow_symlinks).group


def get_uid(path: str, follow_symlinks: bool = True) -> int:
    """Return the number of the user who owns a path.

    Example::

        salt-g web-01 file.get_uid /etc/passwd
    """
    return _there(path, follow_symlinks).uid


def get_gid(path: str, follow_symlinks: bool = True) -> int:
    """Return the number of the group that owns a path.

    Example::

        salt-g web-01 file.get_gid /etc/passwd
    """
    return _there(path, follow_symlinks).gid


def user_to_uid(user: str | int | None) -> int | str:
    """Return the number of a user, '' when there is none of this name.

    Example::

        salt-g web-01 file.user_to_uid root
    """
    found = _files.look("/", user=user).wanted_uid
    return "" if found is None else found


def group_to_gid(group: str | int | None) -> int | str:
    """Return the number of a group, '' when there is none of this name.

    Example::

        salt-g web-01 file.group_to_gid root
    """
    found = _files.look("/", group=group).wanted_gid
    return "" if found is None else found


def set_mode(path: str, mode: Any) -> str:
    """Set the mode of a path; return it.

    Example::

        salt-g web-01 file.set_mode /etc/passwd 0644
    """
    _files.dress(path, mode=mode_text(mode) or "")
    return get_mode(path)


def chown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Set user and group of a path; return why that was not possible.

    Example::

        salt-g web-01 file.chown /etc/passwd root root
    """
    return _chowned(path, user, group, follow=True)


def lchown(path: str, user: str | int | None, group: str | int | None) -> str | None:
    """Set user and group of a link itself; return why that was not possible.

    Example::

        salt-g web-01 file.lchown /etc/localtime root root
    """
    return _chowned(path, user, group, follow=False)


def chgrp(path: str, group: str | int) -> str | None:
    """Set the group of a path; return why that was not possible.

    Example::

        salt-g web-01 file.chgrp /etc/passwd root
    """
    return chown(path, None, group)


def read(path: str, binary: bool = False) -> str | bytes:
    """Return the content of a file.

    Example::

        salt-g web-01 file.read /etc/hostname
    """
    content = _content(path)
    return content if binary else content.decode("utf-8", "replace")


def write(path: str, *args: Any, **kwargs: Any) -> str:
    """Write lines into a file, in place of what it holds.

    Example::

        salt-g web-01 file.write /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    _put(path, "".join(f"{line}\n" for line in lines).encode())
    return f'Wrote {len(lines)} lines to "{path}"'


def append(path: str, *args: Any, **kwargs: Any) -> str:
    """Add lines at the end of a file.

    Example::

        salt-g web-01 file.append /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    old = _files.look(path, wanted=_files.CONTENT).content or b""
    gap = b"\n" if old and not old.endswith(b"\n") else b""
    _put(path, old + gap + "".join(f"{line}\n" for line in lines).encode())
    return f'Wrote {len(lines)} lines to "{path}"'


def prepend(path: str, *args: Any, **kwargs: Any) -> str:
    """Add lines at the beginning of a file.

    Example::

        salt-g web-01 file.prepend /etc/motd 'One line' 'another line'
    """
    lines = _lines(args, kwargs)
    old = _files.look(path, wanted=_files.CONTENT).content or b""
    _put(path, "".join(f"{line}\n" for line in lines).encode() + old)
    return f'Prepended {len(lines)} lines to "{path}"'


def get_hash(path: str, form: str = "sha256") -> str:
    """Return the hash of a file.

    Example::

        salt-g web-01 file.get_hash /etc/passwd sha256
    """
    if form not in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        return hashlib.new(form, _content(path)).hexdigest()
    return _remote.told(f'{form}sum < "$1"', path, timeout=None).split(" ")[0]


def check_hash(path: str, file_hash: str) -> bool:
    """Return whether a file has a hash, `kind=digest` or a digest of SHA-256.

    Example::

        salt-g web-01 file.check_hash /etc/passwd sha256=0123
    """
    kind, equals, digest = file_hash.partition("=")
    return get_hash(path, kind if equals else "sha256") == (digest if equals else file_hash).lower()


def touch(name: str, atime: Any = None, mtime: Any = None) -> bool:
    """Make an empty file, or set the times of one (seconds since 1970, now unless given).

    Example::

        salt-g web-01 file.touch /var/run/done
    """
    script = (
        'touch -- "$1" || exit 1; [ -z "$2" ] || touch -a -d "@$2" -- "$1";'
        ' [ -z "$3" ] || touch -m -d "@$3" -- "$1"'
    )
    _remote.told(script, name, *("" if one is None else str(int(one)) for one in (atime, mtime)))
    return True


def mkdir(dir_path: str, user: Any = None, group: Any = None, mode: Any = None) -> bool:
    """Make a directory and its parents.

    Example::

        salt-g web-01 file.mkdir /opt/app
    """
    _files.make_directory(dir_path, mode=_mode(mode), owner=_files.owner_text(user, group))
    return True


def makedirs(path: str, user: Any = None, group: Any = None, mode: Any = None) -> str | bool:
    """Make the directories above a path.

    Example::

        salt-g web-01 file.makedirs /opt/app/etc/app.conf
    """
    parent = path.rstrip("/") if path.endswith("/") else posixpath.dirname(path)
    return mkdir(parent, user, group, mode)


def remove(path: str, **kwargs: Any) -> bool:
    """Remove a file, a link or a whole directory; return whether there was one.

    Example::

        salt-g web-01 file.remove /tmp/old
    """
    if not path.startswith("/"):
        raise CommandExecutionError("File path must be absolute: " + path)
    if not path.strip("/"):
        raise CommandExecutionError("the root directory is not removed")
    script = '[ -e "$1" ] || [ -L "$1" ] || { echo missing; exit 0; }; rm -rf -- "$1"'
    return _remote.told(script, path, timeout=None).strip() != "missing"


def rmdir(path: str) -> bool | str:
    """Remove an empty directory; return True, or why not.

    Example::

        salt-g web-01 file.rmdir /tmp/empty
    """
    done = _remote.sh('rmdir -- "$1"', path)
    return done.retcode == 0 or done.err.strip()


def rename(src: str, dst: str) -> bool:
    """Give a path another name.

    Example::

        salt-g web-01 file.rename /tmp/a /tmp/b
    """
    return bool(move(src, dst)["result"])


def move(src: str, dst: str, disallow_copy_and_unlink: bool = False) -> dict[str, Any]:
    """Move a file or directory.

    Example::

        salt-g web-01 file.move /tmp/a /tmp/b
    """
    _remote.told('mv -f -- "$1" "$2"', src, dst, timeout=None)
    return {"result": True, "comment": f"'{src}' moved to '{dst}'"}


def copy(src: str, dst: str, recurse: bool = False, remove_existing: bool = False) -> bool:
    """Copy a file, or with `recurse` a directory, on the host.

    Example::

        salt-g web-01 file.copy /etc/motd /tmp/motd
    """
    if remove_existing:
        remove(dst)
    _remote.told(f'cp -{"R" if recurse else ""}p -- "$1" "$2"', src, dst, timeout=None)
    return True


def symlink(src: str, path: str, force: bool = False, **kwargs: Any) -> bool:
    """Make a symbolic link at `path` that leads to `src`.

    Example::

        salt-g web-01 file.symlink /usr/share/zoneinfo/UTC /etc/localtime force=True
    """
    _remote.told('[ "$3" = 1 ] && rm -f -- "$2"; ln -s -- "$1" "$2"', src, path, str(int(force)))
    return True


def link(src: str, path: str) -> bool:
    """Make a hard link at `path` to the file `src`.

    Example::

        salt-g web-01 file.link /opt/a /opt/b
    """
    _remote.told('ln -- "$1" "$2"', src, path)
    return True


def readdir(path: str) -> list[str]:
    """Return the names in a directory.

    Example::

        salt-g web-01 file.readdir /etc
    """
    return _remote.told('cd -- "$1" && ls -a', path).splitlines()


def find(path: str, *args: Any, **kwargs: Any) -> list[str]:
    """Return paths below `path` that meet all criteria: `name`, `iname`, `type`, `size`, `mtime`, `owner`, ….

    `name` and `iname` are globs; `type` one of `fdlbcps`; `mindepth`, `maxdepth` numbers; `owner` and `group`
    names; `regex` a pattern of the whole path; `size` and `mtime` as find(1) takes them.

    Example::

        salt-g web-01 file.find /etc name='*.conf' type=f
    """
    options = {name: value for name, value in kwargs.items() if not name.startswith("__")}
    unknown = options.keys() - set(_CRITERIA)
    if unknown:
        raise CommandExecutionError(
            f"file.find knows no {', '.join(sorted(unknown))}; it knows {', '.join(_CRITERIA)}"
        )
    # Depths stand first: find(1) asks for that.
    words = [
        word for name, flag in _CRITERIA.items() if name in options for word in (flag, str(options[name]))
    ]
    return sorted(_remote.told('path=$1; shift; find "$path" "$@"', path, *words, timeout=None).splitlines())


_CRITERIA = {
    **{"mindepth": "-mindepth", "maxdepth": "-maxdepth", "name": "-name", "iname": "-iname", "type": "-type"},
    **{"regex": "-regex", "size": "-size", "mtime": "-mtime", "owner": "-user", "group": "-group"},
}


def contains(path: str, text: str) -> bool:
    """Return whether a text stands in a file.

    Example::

        salt-g web-01 file.contains /etc/passwd root
    """
    return _remote.sh('grep -qF -e "$2" -- "$1"', path, text).retcode == 0


def diskusage(path: str) -> int:
    """Return how many bytes a path takes.

    Example::

        salt-g web-01 file.diskusage /var/log
    """
    return int(_remote.told('du -sk -- "$1"', path, timeout=None).split()[0]) * 1024


def _there(path: str, follow: bool) -> _files.Seen:
    seen = _files.look(path, follow=follow)
    if not seen.exists:
        raise CommandExecutionError(f"Path not found: {path}")
    return seen


def _chowned(path: str, user: Any, group: Any, *, follow: bool) -> str | None:
    seen = _files.look(path, follow=follow, user=user, group=group)
    if user not in (None, "") and seen.wanted_uid is None:
        return "User does not exist\n"
    if group not in (None, "") and seen.wanted_gid is None:
        return "Group does not exist\n"
    if not seen.lexists:
        return "File not found"
    _files.dress(path, owner=_files.owner_text(user, group), follow=follow)
    return None


def _content(path: str) -> bytes:
    seen = _files.look(path, wanted=_files.CONTENT, limit=1 << 40)
    if seen.content is None:
        raise CommandExecutionError(f"{path} is no file that can be read")
    return seen.content


def _put(path: str, content: bytes) -> None:
    seen = _files.look(path)
    owner = f"{seen.uid}:{seen.gid}" if seen.exists else ""
    _files.write(path, content, mode=seen.mode if seen.exists else "0644", owner=owner)


def _lines(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    given = kwargs.get("args", args)
    return [str(line) for line in (given if isinstance(given, (list, tuple)) else [given])]


def _mode(mode: Any) -> str:
    return mode_text(mode) or ""


def replace(path: str, pattern: str, repl: str, **options: Any) -> Any:
    """Replace what a regular expression matches; return the diff. See a minion's `file.replace`.

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
    """Have a block of text between two markers; return the diff. See a minion's `file.blockreplace`.

    Example::

        salt-g web-01 file.blockreplace /etc/hosts marker_start='#-- start' marker_end='#-- end' content=x
    """
    return _edit(path, "blockreplace", **options)


def comment_line(path: str, regex: str, char: str = "#", cmnt: bool = True, backup: str = "") -> Any:
    """Comment lines that match, or with `cmnt` False take the comment away; return the diff.

    Example::

        salt-g web-01 file.comment_line /etc/app.conf '^debug'
    """
    return _edit(path, "comment_line", regex, char=char, cmnt=cmnt, backup="")


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
    # A backup would be made of the copy that is edited.
    given = {name: value for name, value in options.items() if not name.startswith("__")}
    if function in ("replace", "blockreplace"):
        given["backup"] = False
    is_trial = bool(given.pop("dry_run", False)) or bool(opts.get("test"))
    return _editing.edited(path, function, *args, keep=not is_trial, **given)
