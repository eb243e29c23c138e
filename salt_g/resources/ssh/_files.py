"""Queries and changes of a path on the host, each in one round trip.

All file functions and states use these scripts.
Shapes: `PathState` describes a path; modes are four octal digits as text, times seconds, sizes bytes.
Errors: CommandExecutionError with the host's message.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator
from typing import NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _backups, _remote, _undo

#: Maximum size of a file fetched for a diff (bytes).
READ_LIMIT = 16 << 20
#: Time limit for reading or writing a file (s).
_LONG = 3600.0
#: Values of `wanted` that request the hash, or the content; any other text is a SHA-256 digest.
HASH, CONTENT = "hash", "content"

_LOOK = r"""
path=$1 follow=$2 wanted=$3 limit=$4 user=$5 group=$6
[ -z "$user" ] || printf 'uid=%s\n' "$(id -u "$user" 2>/dev/null)"
[ -z "$group" ] || printf 'gid=%s\n' "$( (getent group "$group" || grep "^$group:" /etc/group) 2>/dev/null |
    head -n 1 | cut -d: -f3)"
case $path in */*) [ -d "${path%/*}/" ] && echo parent=1 ;; esac
[ -L "$path" ] && printf 'target=%s\n' "$(readlink "$path")"
option=; [ "$follow" = 1 ] && option=-L
found=$(stat $option -c '%f %u %g %s %X %Y %Z %i %h %d %U %G' "$path" 2>/dev/null) || exit 0
printf 'stat=%s\n' "$found"
[ -n "$wanted" ] && [ -f "$path" ] || exit 0
case $wanted in
content) sum= ;;
*) sum=$(sha256sum < "$path") || exit 1; sum=${sum%% *}; printf 'sum=%s\n' "$sum" ;;
esac
[ "$wanted" != hash ] && [ "$sum" != "$wanted" ] || exit 0
[ "$(wc -c < "$path")" -le "$limit" ] || exit 0
echo content=
cat "$path"
"""
#: Creates the directory $1 and its parents; new ones get the mode $2 and the owner $3. Tolerates another
#: process that creates one of them at the same time.
_PARENTS = r"""
parents() {
    [ -d "$1" ] && return
    case $1 in */*) [ -z "${1%/*}" ] || parents "${1%/*}" "$2" "$3" ;; esac
    mkdir "$1" || { [ -d "$1" ] && return; exit 1; }
    [ -z "$2" ] || chmod "$2" "$1" || exit 1
    [ -z "$3" ] || chown "$3" "$1" || exit 1
}
"""
_WRITE = (
    _PARENTS
    + r"""
path=$1 mode=$2 owner=$3 size=$4 makes=$5 folder_mode=$6 follow=$7
[ "$follow" = 1 ] && [ -L "$path" ] && path=$(readlink -f "$path")
[ ! -d "$path" ] || { echo "$path is a directory" >&2; exit 1; }
folder=${path%/*}
if [ -n "$folder" ] && [ ! -d "$folder" ]; then
    [ "$makes" = 1 ] || { echo 'Parent directory not present' >&2; exit 1; }
    parents "$folder" "$folder_mode" "$owner"
fi
if [ -n "$8" ] && [ -f "$path" ]; then
    (umask 077; mkdir -p "${8%/*}") && cp -p "$path" "$8" ||
        { echo 'the old version cannot be backed up' >&2; exit 1; }
fi
temporary=$(mktemp "$folder/.salt-g-XXXXXX") || exit 1
trap 'rm -f "$temporary"' EXIT
cat > "$temporary" || exit 1
[ "$(wc -c < "$temporary")" -eq "$size" ] || { echo 'the content arrived incomplete' >&2; exit 1; }
[ -z "$owner" ] || chown "$owner" "$temporary" || exit 1
chmod "$mode" "$temporary" || exit 1
[ ! -e "$path" ] || ! [ -d /sys/fs/selinux ] || chcon --reference="$path" "$temporary" 2>/dev/null
if ! mv -f "$temporary" "$path" 2>/dev/null; then
    # The path is a mount, for example. It gets its mode before the content.
    [ ! -e "$path" ] || chmod "$mode" "$path" || exit 1
    cat "$temporary" > "$path" || exit 1
fi
"""
)
_MAKE_DIRECTORY = _PARENTS + 'parents "$1" "$2" "$3"'
_SET_PERMISSIONS = r"""
path=$1 owner=$2 mode=$3 follow=$4
option=; [ "$follow" = 1 ] || option=-h
[ -z "$owner" ] || chown $option "$owner" "$path" || exit 1
[ -z "$mode" ] || chmod "$mode" "$path"
"""


class PathState(NamedTuple):
    """State of a path; `number` is the type and mode as in stat(2), 0 if the path does not exist."""

    path: str
    number: int = 0
    uid: int = 0
    gid: int = 0
    size: int = 0
    atime: int = 0
    mtime: int = 0
    ctime: int = 0
    inode: int = 0
    links: int = 0
    device: int = 0
    user: str = ""
    group: str = ""
    #: Target of a link, None for other kinds.
    target: str | None = None
    has_parent: bool = False
    hash: str = ""
    content: bytes | None = None
    #: Ids of the requested user and group, None for an unknown name or without a request.
    wanted_uid: int | None = None
    wanted_gid: int | None = None

    @property
    def exists(self) -> bool:
        """Whether the path exists, after following links."""
        return self.number != 0

    @property
    def lexists(self) -> bool:
        """Whether the path exists, even as a dangling link."""
        return self.exists or self.target is not None

    @property
    def is_directory(self) -> bool:
        """Whether the path is a directory."""
        return stat.S_ISDIR(self.number)

    @property
    def is_file(self) -> bool:
        """Whether the path is a regular file."""
        return stat.S_ISREG(self.number)

    @property
    def mode(self) -> str:
        """Permissions, four octal digits."""
        return f"{stat.S_IMODE(self.number):04o}"


def path_state(
    path: str,
    *,
    follow: bool = True,
    wanted: str = "",
    user: str | int | None = None,
    group: str | int | None = None,
    limit: int = READ_LIMIT,
) -> PathState:
    """Return the state of a path.

    `wanted` is HASH, CONTENT, or a SHA-256 digest, which requests the hash, and the content if the hash
    differs from it. Content of more than `limit` bytes is left out.
    """
    args = (path, str(int(follow)), wanted, str(limit), _name(user), _name(group))
    done = _remote.checked(_remote.sh(_LOOK, *args, timeout=_LONG if wanted else -1.0))
    return _seen(path, done.stdout, user, group)


def write(
    path: str,
    content: bytes,
    *,
    mode: str,
    owner: str = "",
    makedirs: bool = False,
    dir_mode: str = "",
    follow: bool = True,
    keep: str = "",
) -> None:
    """Write content to a path, atomically if the file can be replaced. `owner` is `user:group`.

    `keep` is the path of a backup of the replaced file, '' for none.
    """
    _undo.announce(path, follow=follow)
    if keep and not keep.startswith(f"{_backups.ROOT}/"):
        _undo.announce(keep)
    args = (mode, owner, str(len(content)), str(int(makedirs)), dir_mode, str(int(follow)), keep)
    _remote.output(_WRITE, path, *args, stdin=content, timeout=_LONG)


def make_directory(path: str, *, mode: str = "", owner: str = "") -> None:
    """Create a directory and its parents; new ones get mode and owner."""
    _undo.announce(path, follow=True)
    _remote.output(_MAKE_DIRECTORY, path, mode, owner)


def set_permissions(path: str, *, owner: str = "", mode: str = "", follow: bool = True) -> None:
    """Set the owner and mode of a path."""
    _undo.announce(path, follow=follow)
    if mode and not follow:
        # chmod(1) of a link changes the link's target.
        _undo.announce(path, follow=True)
    # The kernel clears setuid and setgid on a change of owner, so the mode is set afterwards.
    _remote.output(_SET_PERMISSIONS, path, owner, mode, str(int(follow)))


def owner_text(user: str | int | None, group: str | int | None) -> str:
    """Return an owner in the form of chown(1); '' for none."""
    if user in (None, "") and group in (None, ""):
        return ""
    return f"{_given(user)}:{_given(group)}" if group not in (None, "") else _given(user)


@contextlib.contextmanager
def private_file(content: bytes, mode: str, user: str | None = None) -> Iterator[str]:
    """Yield the path of a file on the host that holds content for the duration of a `with` block."""
    script = (
        'umask 077; path=$(mktemp "${TMPDIR:-/tmp}/salt-g-XXXXXX") && cat > "$path" && chmod "$1" "$path" &&'
        ' { [ -z "$2" ] || chown "$2" "$path"; } && printf %s "$path"'
    )
    path = _remote.output(script, mode, user or "", stdin=content, timeout=None)
    try:
        yield path
    finally:
        with contextlib.suppress(CommandExecutionError):
            _remote.sh('rm -f -- "$1"', path)


def _seen(path: str, out: bytes, user: str | int | None, group: str | int | None) -> PathState:
    head, mark, content = out.partition(b"content=\n")
    fields = dict(
        line.split("=", 1) for line in head.decode("utf-8", "surrogateescape").splitlines() if "=" in line
    )
    seen = PathState(
        path,
        target=fields.get("target"),
        has_parent="parent" in fields,
        hash=fields.get("sum", ""),
        content=content if mark else None,
        wanted_uid=_number(user, fields.get("uid", "")),
        wanted_gid=_number(group, fields.get("gid", "")),
    )
    if "stat" not in fields:
        return seen
    words = fields["stat"].split(" ")
    number, uid, gid, size, atime, mtime, ctime, inode, links, device = (
        int(word, 16) if place == 0 else int(word) for place, word in enumerate(words[:10])
    )
    return seen._replace(
        number=number, uid=uid, gid=gid, size=size, atime=atime, mtime=mtime, ctime=ctime, inode=inode,
        links=links, device=device, user=words[10], group=words[11],
    )  # fmt: skip


def _number(name: str | int | None, listed: str) -> int | None:
    if isinstance(name, int) or (name and name.isdigit()):
        return int(name)
    return int(listed) if listed.isdigit() else None


def _name(name: str | int | None) -> str:
    """Return a user or group name for the host to resolve, '' for a number or None."""
    text = _given(name)
    return "" if text.isdigit() else text


def _given(name: str | int | None) -> str:
    text = "" if name is None else str(name)
    if text.startswith("-") or ":" in text or any(char.isspace() for char in text):
        raise CommandExecutionError(f"{text!r} is not a valid name of a user or group")
    return text
