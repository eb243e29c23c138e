"""Users, groups and authorized keys of the host, read in one round trip and changed with the shadow suite."""

from __future__ import annotations

from typing import Any

import salt_g.resources.ssh._remote as _remote
from salt_g.errors import CommandExecutionError
from salt_g.shapes import GECOS, Facts

#: Functions that print account entries; they fall back to the files because small systems lack getent(1).
ENTRY = r"""
entry() {
    if command -v getent >/dev/null 2>&1; then getent "$1" "$2"; else grep "^$2:" "/etc/$1"; fi 2>/dev/null |
        head -n 1
}
all() { if command -v getent >/dev/null 2>&1; then getent "$1"; else cat "/etc/$1"; fi; }
"""
_USER = ENTRY + r'line=$(entry passwd "$1"); [ -n "$line" ] || exit 0; echo "$line"; id -Gn "$1" 2>/dev/null'
#: Adds the line $1 unless present; completes an unterminated last line first.
_AUTHORIZE = """
umask 077
cd && mkdir -p .ssh && touch .ssh/authorized_keys || exit 1
grep -qxF -e "$1" .ssh/authorized_keys && exit 0
[ -z "$(tail -c 1 .ssh/authorized_keys)" ] || echo >> .ssh/authorized_keys
printf '%s\\n' "$1" >> .ssh/authorized_keys && echo added
"""


def user(name: str) -> Facts:
    """Return a user's attributes, or {} if the user does not exist."""
    lines = _remote.output(_USER, checked(name)).splitlines()
    return described(lines[0], " ".join(lines[1:]).split()) if lines else {}


def described(line: str, groups: list[str]) -> Facts:
    """Convert a line of passwd(5) to the shape of `user.info`."""
    name, passwd, uid, gid, gecos, home, shell = line.split(":", 6)
    parts = [*gecos.split(",", len(GECOS) - 1), *("" for _ in GECOS)]
    return {
        "gid": int(gid),
        "groups": sorted(groups),
        "home": home,
        "name": name,
        "passwd": passwd,
        "shell": shell,
        "uid": int(uid),
        **dict(zip(GECOS, parts, strict=False)),
    }


def group(name: str) -> Facts:
    """Return a group's attributes, or {} if the group does not exist."""
    line = _remote.output(ENTRY + 'entry group "$1"', checked(name)).strip()
    return described_group(line) if line else {}


def described_group(line: str) -> Facts:
    """Convert a line of group(5) to the shape of `group.info`."""
    name, passwd, gid, members = line.split(":", 3)
    return {
        "name": name,
        "passwd": passwd,
        "gid": int(gid),
        "members": [one for one in members.split(",") if one],
    }


def all_of(database: str) -> list[str]:
    """Return all lines of `passwd` or `group`."""
    return _remote.output(ENTRY + 'all "$1"', database).splitlines()


def change(program: str, *words: Any, stdin: str = "") -> bool:
    """Run a program that changes accounts; raises CommandExecutionError with its output if it fails."""
    _remote.output('"$@"', program, *map(str, words), stdin=stdin.encode())
    return True


def checked(name: Any) -> str:
    """Return the name of a user or group; raises CommandExecutionError if programs could misread it."""
    text = str(name)
    if not text or text.startswith("-") or any(char in text for char in ":\n,/"):
        raise CommandExecutionError(f"{text!r} is not a valid name of a user or group")
    return text


def authorize(line: str) -> bool:
    """Add a public key to the user's authorized keys; return whether it was missing."""
    return _remote.output(_AUTHORIZE, line).strip() == "added"
