"""Random trees of files, random states that change them, and snapshots."""

from __future__ import annotations

import os
import pathlib
import random
import stat
from typing import Any

#: What is known of a path: kind, mode, user, group, content or target.
Entry = tuple[int, int, int, int, str | bytes]

#: Names of a random tree; a name may be a file, a link or a directory.
NAMES = ["a", "b", "c", "d/a", "d/b", "d/e/a", "f/a", "f/g/a"]


def snapshot(top: pathlib.Path) -> dict[str, Entry]:
    """Return {path: (kind, mode, owner, content or target)} of everything below a directory."""
    found: dict[str, Entry] = {}
    content: str | bytes
    for folder, folders, names in os.walk(top):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                content, mode = os.readlink(path), 0
            else:
                content = "" if os.path.isdir(path) else pathlib.Path(path).read_bytes()
                mode = status.st_mode
            found[path] = (stat.S_IFMT(status.st_mode), mode, status.st_uid, status.st_gid, content)
    return found


def plant(top: pathlib.Path, rng: random.Random) -> None:
    """Make a random tree."""
    for name in NAMES:
        path = top / name
        kind = rng.choice(["none", "file", "file", "link", "directory"])
        if kind == "none" or not _has_room(top, path):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            path.write_bytes(rng.randbytes(rng.choice([0, 10, 9000])))
            path.chmod(rng.choice([0o644, 0o600, 0o755]))
        elif kind == "link":
            path.symlink_to(rng.choice(["a", "nowhere", "d"]))
        else:
            path.mkdir(mode=rng.choice([0o755, 0o700]))


def _has_room(top: pathlib.Path, path: pathlib.Path) -> bool:
    inside = [parent for parent in path.parents if parent.is_relative_to(top)]
    return not os.path.lexists(path) and all(
        not os.path.lexists(one) or (one.is_dir() and not one.is_symlink()) for one in inside
    )


def random_states(top: pathlib.Path, rng: random.Random) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return random file states; some of them fail, which must make no difference."""
    states: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for number in range(rng.randint(5, 12)):
        path = str(top / rng.choice([*NAMES, "new", "new/x/y", "d", "f"]))
        other = str(top / rng.choice(NAMES))
        known: list[tuple[str, list[dict[str, Any]]]] = [
            ("file.managed", [{"contents": f"text {number}"}, {"makedirs": True}, {"mode": "0640"}]),
            ("file.managed", [{"contents": "x" * 5000}, {"makedirs": True}, {"force": True}]),
            ("file.absent", []),
            ("file.directory", [{"makedirs": True}, {"mode": "0711"}]),
            ("file.directory", [{"force": True}, {"clean": True}]),
            ("file.directory", [{"file_mode": "0604"}, {"dir_mode": "0705"}, {"recurse": ["mode"]}]),
            ("file.symlink", [{"target": other}, {"makedirs": True}, {"force": True}]),
            ("file.append", [{"text": f"line {number}"}, {"makedirs": True}]),
            ("file.copy", [{"source": other}, {"makedirs": True}, {"force": True}]),
            ("file.rename", [{"source": other}, {"makedirs": True}, {"force": True}]),
            ("file.recurse", [{"source": "salt://many"}]),
            ("file.touch", [{"makedirs": True}]),
            ("file.hardlink", [{"target": other}, {"makedirs": True}, {"force": True}]),
        ]
        function, arguments = rng.choice(known)
        states[f"s{number}"] = {function: [{"name": path}, *arguments]}
    return states
