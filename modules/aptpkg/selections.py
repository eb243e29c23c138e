"""dpkg's selections: the desired state of each package.

Shapes: {"install" | "hold" | "deinstall" | "purge": [name, ...]}.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import output
from salt_g.modules.aptpkg._apt import apt

_STATES = ("install", "hold", "deinstall", "purge")


def get_selections(pattern: str | None = None, state: str | None = None) -> dict[str, list[str]]:
    """Return {state: [package, ...]}; `pattern` (a glob of names) and `state` filter them.

    Example::

        salt-g pkg.get_selections 'python*' hold
    """
    found = _parse(output(["dpkg", "--get-selections", pattern or "*"]).splitlines())
    return {state: found.get(state, [])} if state else found


def set_selections(
    path: str | None = None, selection: Any = None, clear: bool = False, saltenv: str = "base"
) -> dict[str, dict[str, str | None]]:
    """Set the selections of packages; return {name: {"old": ..., "new": ...}} of the changes.

    `selection` is {state: [package, ...]} or YAML of it, `path` the path or URL of a file in the format of
    `dpkg --get-selections`; the states are `install`, `hold`, `deinstall` and `purge`. `clear` runs
    `dpkg --clear-selections` first, which deselects all packages that are not essential.

    Example::

        salt-g pkg.set_selections selection='{"hold": ["bash"]}'
    """
    if path and selection:
        raise InvocationError(
            "The 'selection' and 'path' arguments to pkg.set_selections are mutually exclusive, "
            "and cannot be specified together"
        )
    wanted = _read(path, saltenv) if path else _mapping(selection)
    bad = [state for state in wanted if state not in _STATES]
    if bad:
        raise InvocationError(f"Invalid state(s): {', '.join(bad)}")
    if not wanted or opts["test"]:
        return {}
    if clear:
        _clear()
    now = {name: state for state, names in get_selections().items() for name in names}
    return {
        name: {"old": now.get(name), "new": state}
        for state, names in wanted.items()
        for name in names
        if now.get(name) != state and _select(name, state)
    }


def _parse(lines: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for words in (line.split() for line in lines):
        if len(words) == 2:
            found.setdefault(words[1], []).append(words[0])
    return found


def _read(path: str, saltenv: str) -> dict[str, list[str]]:
    cached = call("cp.cache_file", path, saltenv)
    if not cached:
        raise CommandExecutionError(f"{path} is not on the file server (saltenv {saltenv!r})")
    with open(cached, encoding="utf-8") as file:
        return _parse(file)


def _mapping(selection: Any) -> Mapping[str, list[str]]:
    if isinstance(selection, str):
        from salt_g.formats.yaml_load import load  # Imported lazily: costs 15 ms, rarely needed

        selection = load(selection)
    if selection and not isinstance(selection, Mapping):
        raise InvocationError(f"Improperly-formatted selection: {selection!r}")
    return selection or {}


def _clear() -> None:
    finished = apt(["dpkg", "--clear-selections"], scope=False)
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"Running dpkg --clear-selections failed: {finished['stderr']}")


def _select(name: str, state: str) -> bool:
    finished = apt(["dpkg", "--set-selections"], scope=False, stdin=f"{name} {state}", ignore_retcode=False)
    return finished["retcode"] == 0
