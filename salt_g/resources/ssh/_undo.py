"""Entries of the host's files for `state.undo`: recording before a change, and restoration.

Shapes: entries are those of `state/undo/entries.py`, with `content` (bytes) of a file that fits the limit;
links in their paths are resolved, except for a final one.
Units: bytes; times are whole seconds on the host, nanoseconds in entries.
Errors: CommandExecutionError with the host's message.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterable, Iterator

import salt_g.resources.ssh._remote as _remote
from salt_g.errors import CommandExecutionError
from salt_g.safe_files.recording import before_change_elsewhere
from salt_g.shapes.undo import PathEntry

#: Time limit for reading contents (s), and number of paths per round trip.
_LONG, _AT_ONCE = 3600.0, 200
_KINDS = {stat.S_IFREG: "file", stat.S_IFLNK: "link", stat.S_IFDIR: "directory"}
#: Prints the entries of the paths $2... without following links, with contents of at most $1 bytes in total.
_ONE = r"""
left=$1; shift
for path; do
    target= sum= size=
    found=$(stat -c '%f %u %g %s %Y %i %d %h' "$path" 2>/dev/null)
    if [ -L "$path" ]; then
        target=$(readlink "$path"; echo .); target=${target%??}
    elif [ -f "$path" ]; then
        size=$(($(wc -c < "$path"))) || exit 1
        if [ "$size" -le "$left" ]; then
            left=$((left - size))
        else
            size=; sum=$(sha256sum < "$path") || exit 1; sum=${sum%% *}
        fi
    fi
    printf '%s\0' "$path" "$found" "$target" "$sum" "$size"
    [ -z "$size" ] || head -c "$size" < "$path"
    printf '\0'
done
"""
#: Prints the entries of the paths $5... and of their parent directories that do not exist yet.
_READ = r"""
script=$1 limit=$2 tree=$3 follow=$4; shift 4
eval "one() {
$script
}"
for given; do
    [ "$follow" = 1 ] && [ -L "$given" ] && given=$(readlink -f "$given")
    folder=${given%/*} rest=/${given##*/}
    while [ -n "$folder" ] && [ ! -d "$folder" ]; do
        rest=/${folder##*/}$rest folder=${folder%/*}
    done
    here=$(cd -P "${folder:-/}" && pwd -P) || exit 1
    here=${here%/}
    while [ -n "$rest" ]; do
        rest=${rest#/} here=$here/${rest%%/*}
        case $rest in */*) rest=/${rest#*/} ;; *) rest= ;; esac
        one "$limit" "$here" || exit 1
        limit=$left
    done
    [ "$tree" = 0 ] || [ ! -d "$here" ] || [ -L "$here" ] ||
        find "$here" -mindepth 1 -exec /bin/sh -c "$script" sh "$limit" {} + || exit 1
done
"""
#: Refuses a path whose directory has become a link since it was recorded.
_AT_HOME = r"""
path=$1 folder=${1%/*}
[ "$(cd -P "${folder:-/}" && pwd -P)" = "${folder:-/}" ] ||
    { echo 'a directory above it is a link now' >&2; exit 1; }
"""
_REMOVE = _AT_HOME + 'if [ -d "$path" ] && [ ! -L "$path" ]; then rmdir "$path"; else rm -f "$path"; fi'
_MAKE_DIRECTORY = _AT_HOME + 'mkdir -m 700 "$path"'
_MAKE_LINK = _AT_HOME + '[ ! -L "$path" ] || rm -f "$path"; ln -s -- "$2" "$path"'
_WRITE_IN_PLACE = _AT_HOME + 'cat > "$path"'
_REPLACE = r"""
temporary=$(mktemp "$folder/.salt-g-XXXXXX") || exit 1
trap 'rm -f "$temporary"' EXIT
"""
_WRITE = (
    _AT_HOME
    + _REPLACE
    + r"""
cat > "$temporary" && [ "$(wc -c < "$temporary")" -eq "$2" ] ||
    { echo 'the content arrived incomplete' >&2; exit 1; }
mv -f "$temporary" "$path"
"""
)
_DETACH = (
    _AT_HOME
    + r'[ "$(stat -c %h "$path")" -gt 1 ] || exit 0'
    + _REPLACE
    + 'cp -p "$path" "$temporary" && mv -f "$temporary" "$path"'
)
_GIVE = (
    _AT_HOME
    + r"""
[ -z "$2" ] || chown -h "$2" "$path" || exit 1
[ -z "$3" ] || chmod "$3" "$path" || exit 1
[ -z "$4" ] || touch -c -d "@$4" "$path"
"""
)


def announce(*paths: str, tree: bool = False, follow: bool = False) -> None:
    """Record entries that are about to change; `tree` adds all below them, `follow` the target of a link."""
    before_change_elsewhere(paths, tree=tree, follow=follow)


def entries(
    paths: Iterable[str], *, tree: bool = False, follow: bool = False, limit: int = -1
) -> dict[str, PathEntry]:
    """Return {path: entry} of the paths and of missing directories above them.

    Contents of up to `limit` bytes in total are returned (-1: none); other files have a digest only. Below
    a directory the limit holds for each batch of names that `find` makes.
    """
    found: dict[str, PathEntry] = {}
    wanted = [path.rstrip("/") or "/" for path in paths]
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        args = (_ONE, str(limit), str(int(tree)), str(int(follow)), *some)
        done = _remote.checked(_remote.sh(_READ, *args, timeout=_LONG))
        for path, entry in _parsed(done.stdout):
            found.setdefault(path, entry)
            if limit > 0:
                limit -= len(entry.get("content", b""))
    return found


def remove(path: str) -> None:
    """Remove a file, a link, or an empty directory."""
    announce(path)
    _remote.output(_REMOVE, path)


def create(path: str, entry: PathEntry, content: bytes, *, is_in_place: bool) -> None:
    """Create a private directory, a link (also in place of another link), or a file with content.

    `is_in_place` overwrites the existing file, which also changes its other hard links.
    """
    announce(path)
    if entry["kind"] == "directory":
        _remote.output(_MAKE_DIRECTORY, path)
    elif entry["kind"] == "link":
        _remote.output(_MAKE_LINK, path, entry["target"])
    elif is_in_place:
        _remote.output(_WRITE_IN_PLACE, path, stdin=content, timeout=_LONG)
    else:
        _remote.output(_WRITE, path, str(len(content)), stdin=content, timeout=_LONG)


def detach(path: str) -> None:
    """Replace a file that has other hard links with a separate copy."""
    announce(path)
    _remote.output(_DETACH, path, timeout=_LONG)


def give(path: str, entry: PathEntry, now: PathEntry) -> None:
    """Restore the owner and mode of an entry, and the modification time of a file."""
    # A change of owner clears setuid and setgid, so the mode is set afterwards.
    owner = f"{entry['uid']}:{entry['gid']}"
    is_owned = (now["uid"], now["gid"]) == (entry["uid"], entry["gid"])
    mode = "" if entry["kind"] == "link" else f"{entry['mode']:04o}"
    time = str(entry["mtime"] // 10**9) if entry["kind"] == "file" else ""
    announce(path)
    _remote.output(_GIVE, path, "" if is_owned else owner, mode, time)


def _parsed(out: bytes) -> Iterator[tuple[str, PathEntry]]:
    """Yield the paths and entries in the output of the script."""
    at = 0
    while at < len(out):
        fields = []
        for _ in range(5):
            end = out.index(b"\0", at)
            fields.append(out[at:end])
            at = end + 1
        path, found, target, digest, size = (field.decode("utf-8", "surrogateescape") for field in fields)
        length = int(size) if size else 0
        content, at = out[at : at + length], at + length
        if out[at : at + 1] != b"\0":
            raise CommandExecutionError(f"{path} changed while it was read")
        at += 1
        yield path, _entry(found, target, digest, content if size else None)


def _entry(found: str, target: str, digest: str, content: bytes | None) -> PathEntry:
    if not found:
        return {"kind": "missing"}
    words = found.split(" ")
    number, (uid, gid, size, mtime, inode, device) = int(words[0], 16), map(int, words[1:7])
    kind = _KINDS.get(stat.S_IFMT(number), "other")
    entry: PathEntry = {"kind": kind, "uid": uid, "gid": gid, "mode": stat.S_IMODE(number)}
    if kind == "link":
        # The mode of a link has no meaning.
        return {**entry, "mode": 0, "target": target}
    if kind != "file":
        return entry
    file: PathEntry = {**entry, "size": size, "inode": [device, inode], "mtime": mtime * 10**9}
    if content is None:
        return {**file, "sha256": digest}
    return {**file, "sha256": hashlib.sha256(content).hexdigest(), "content": content}
