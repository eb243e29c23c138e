"""States of a minion by classes: YAML files with states and further classes.

Settings: `master_tops: {saltclass: {path: DIR}}`. `DIR/nodes/` has a file `ID.yml` for each minion, at any
depth, and `DIR/classes/` the classes: `a.b` is `a/b.yml` or `a/b/init.yml`. Files are templates with
`__grains__`, `__opts__`, `__salt__` and `minion_id`.
Shapes: a file has `classes` and `states`, lists of names, and `environment`. Class names can contain `*`.
Errors: CommandExecutionError for a file that cannot be rendered or is not a mapping; a missing node or class
is logged.
Source: stock docs, "salt.tops.saltclass".
"""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.errors import CommandExecutionError, SaltGError

log = logging.getLogger(__name__)


def top(opts: Mapping[str, Any], grains: Mapping[str, Any] | None = None) -> dict[str, list[str]]:
    """Return {environment: states} of the classes of the minion with the settings `opts`.

    The path is always the master's setting, never the minion's. States of a class follow those of the classes
    that it names; each is listed once. The environment is set by the last file that has one, else `base`.

    Example::

        salt-g state.show_top
    """
    given = api.opts["master_tops"]["saltclass"]
    if not isinstance(given, Mapping) or not given.get("path"):
        raise CommandExecutionError(
            "master_tops: saltclass: path must name the directory of `nodes` and `classes`"
        )
    minion_id = str(opts["id"])
    path = _node(str(given["path"]), minion_id)
    if not path:
        log.info("%s: saltclass has no node %s.yml", given["path"], minion_id)
        return {}
    found = _Classes(str(given["path"]), minion_id, opts, grains or {})
    found.add(path, f"node {minion_id}")
    states = list(dict.fromkeys(found.states))
    return {found.environment or "base": states} if states else {}


def _node(root: str, minion_id: str) -> str:
    """Return the file of a minion, or '' if there is none."""
    name = f"{minion_id}.yml"
    paths = sorted(
        os.path.join(folder, name)
        for folder, _, files in os.walk(os.path.join(root, "nodes"))
        if name in files
    )
    if len(paths) > 1:
        log.warning("saltclass has several nodes %s; %s is used", minion_id, paths[0])
    return paths[0] if paths else ""


class _Classes:
    """Collector of states from the files of a node and its classes; `environment` is the last one set."""

    def __init__(self, root: str, minion_id: str, opts: Mapping[str, Any], grains: Mapping[str, Any]) -> None:
        self._root = os.path.join(root, "classes")
        self._variables = {
            "__opts__": opts,
            "__grains__": grains,
            "__salt__": api.functions,
            "__pillars__": {},
            "minion_id": minion_id,
        }
        self._seen: set[str] = set()
        self.states: list[str] = []
        self.environment = ""

    def add(self, path: str, name: str) -> None:
        """Add the states of the classes that a file names, then its own; skip a file that was read before."""
        if path in self._seen:
            return
        self._seen.add(path)
        data = self._read(path, name)
        for wanted in _listed(data.get("classes"), path):
            paths = list(self._paths(wanted))
            if not paths:
                log.warning("saltclass: %s names the class %r, which has no file", path, wanted)
            for found in paths:
                self.add(found, wanted)
        self.states += _listed(data.get("states"), path)
        self.environment = str(data.get("environment") or self.environment)

    def _paths(self, name: str) -> Iterator[str]:
        """Yield the files of a class, sorted; several only for a name with wildcards."""
        parts = name.replace(".", "/")
        if ".." in name or os.path.isabs(parts):
            return
        if not glob.has_magic(parts):
            choices = [os.path.join(self._root, f"{parts}.yml"), os.path.join(self._root, parts, "init.yml")]
            yield from [path for path in choices if os.path.isfile(path)][:1]
            return
        base = glob.escape(self._root)
        plain = glob.glob(f"{base}/{parts}.yml")
        # `a.yml` takes precedence over `a/init.yml` for the class `a`.
        inner = [
            path
            for path in glob.glob(f"{base}/{parts}/init.yml")
            if not os.path.isfile(f"{os.path.dirname(path)}.yml")
        ]
        yield from sorted(plain + inner)

    def _read(self, path: str, name: str) -> Mapping[str, Any]:
        render = api.services().render
        try:
            data = render.render_sls(
                path, sls=name, saltenv="base", tmplpath=path, pipe="jinja|yaml", **self._variables
            )
        except SaltGError as exc:
            raise CommandExecutionError(f"saltclass: {path}: {exc}") from exc
        if not isinstance(data, Mapping):
            raise CommandExecutionError(f"saltclass: {path} must be a mapping, not {data!r}")
        return data


def _listed(value: Any, path: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise CommandExecutionError(f"saltclass: {path}: classes and states must be lists, not {value!r}")
    return [str(name) for name in value if name is not None]
