"""Smaller trees that still differ: delta debugging of the files of a random tree.

Shapes: `files` is {SLS name: data} as in `random_trees.py`; `differ` takes a list of such files and returns
for each whether it still shows the difference.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Files = dict[str, Any]
#: Where something is in the files: its keys and places, from outside to inside.
Way = tuple[str | int, ...]
Differ = Callable[[list[Files]], Iterable[bool]]

#: Keys of a file that are no IDs.
HEAD = ("include", "extend", "exclude")
#: Candidates that are tried at once.
AT_ONCE = 60


def shrunk(files: Files, differ: Differ) -> Files:
    """Return the smallest files found that still differ, by removing one part after the other."""
    size = None
    while size != _size(files):
        size = _size(files)
        for parts in (_ids, _modules, _arguments, _references, _includes):
            files = _without(files, parts, differ)
    return files


def _without(files: Files, parts: Callable[[Files], list[Way]], differ: Differ) -> Files:
    """Remove halves, quarters, … and single parts, as long as the rest differs."""
    step = max(1, len(parts(files)) // 2)
    while True:
        found = parts(files)
        groups = [found[at : at + step] for at in range(0, len(found), step)]
        smaller = _first([_removed(files, group) for group in groups], differ)
        if smaller is not None:
            files = smaller
        elif step == 1:
            return files
        else:
            step = max(1, step // 2)


def _first(candidates: list[Files], differ: Differ) -> Files | None:
    """Return the first of the candidates that differs, None if none does."""
    for at in range(0, len(candidates), AT_ONCE):
        some = candidates[at : at + AT_ONCE]
        for candidate, is_different in zip(some, differ(some), strict=True):
            if is_different:
                return candidate
    return None


def _removed(files: Files, paths: Iterable[Way]) -> Files:
    """Return a copy without the items at these paths; items left empty are removed, too."""
    files = copy.deepcopy(files)
    for path in sorted(paths, key=_position, reverse=True):
        place: Any = files
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
    for name in [name for name in files if name != "t" and not files[name]]:
        del files[name]
    return files


def _position(path: Way) -> list[tuple[bool, int, str]]:
    """Return a key by which later items of one list come after earlier ones."""
    return [(isinstance(key, int), key if isinstance(key, int) else 0, str(key)) for key in path]


def _ids(files: Files) -> list[Way]:
    """Return the paths of IDs and extensions, and of everything else in a file."""
    found: list[Way] = [
        (name, key) for name, data in files.items() for key in data if key not in ("include", "extend")
    ]
    return found + [("t", "extend", one) for one in files["t"].get("extend", ())]


def _modules(files: Files) -> list[Way]:
    """Return the paths of the states of IDs with several states, except one."""
    return [
        (name, key, module)
        for name, data in files.items()
        for key, body in data.items()
        if key not in HEAD
        for module in list(body)[1:]
    ]


def _bodies(files: Files) -> Iterator[tuple[Way, list[Any]]]:
    """Yield (path, list of arguments) of each state and extension."""
    for name, data in files.items():
        for key, body in data.items():
            inner: list[tuple[tuple[str, ...], Any]] = [((name, key), body)] if key not in HEAD else []
            if key == "extend":
                inner = [((name, key, one), more) for one, more in body.items()]
            for path, modules in inner:
                for module, arguments in modules.items():
                    yield (*path, module), arguments


def _arguments(files: Files) -> list[Way]:
    """Return the paths of the arguments of all states."""
    return [(*path, at) for path, arguments in _bodies(files) for at in range(len(arguments))]


def _references(files: Files) -> list[Way]:
    """Return the paths of the items of lists in arguments with several items: references, names."""
    return [
        (*path, at, key, number)
        for path, arguments in _bodies(files)
        for at, argument in enumerate(arguments)
        for key, value in argument.items()
        if isinstance(value, list) and len(value) > 1
        for number in range(len(value))
    ]


def _includes(files: Files) -> list[Way]:
    """Return the paths of included names, and of empty heads."""
    included: list[Way] = [
        (name, "include", at) for name, data in files.items() for at in range(len(data.get("include", ())))
    ]
    return included + [
        (name, key) for name, data in files.items() for key in HEAD if data.get(key) in ({}, [])
    ]


def _size(files: Files) -> int:
    return len(repr(files))
