"""Trees of plain data in place of the files, the renderer and the matcher of a state engine.

Shapes: trees are {saltenv: {SLS name: data}}.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

from salt_g.errors import RenderError

Trees = dict[str, dict[str, Any]]


class FakeFiles:
    """Environments of SLS names; the path of a file is `env:name`."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees

    def envs(self) -> list[str]:
        return list(self.trees)

    @contextlib.contextmanager
    def noting_use(self, expected: object = None) -> Iterator[dict[str, str]]:
        yield {"salt://web.sls": "digest"}

    def hash_file(self, url: str, saltenv: str = "base") -> dict[str, str]:
        return {}

    def list_states(self, saltenv: str = "base") -> list[str]:
        return sorted(self.trees.get(saltenv, {}))

    def cache_sls(self, sls: str, saltenv: str = "base") -> tuple[str, str]:
        if sls not in self.trees.get(saltenv, {}):
            return "", ""
        name = sls.replace(".", "/")
        is_folder = any(other.startswith(f"{sls}.") for other in self.trees[saltenv])
        return f"salt://{name}/init.sls" if is_folder else f"salt://{name}.sls", f"{saltenv}:{sls}"

    def cache_file(self, url: str, saltenv: str = "base") -> str:
        name = url.removeprefix("salt://").removesuffix(".sls").replace("/", ".")
        return f"{saltenv}:{name}" if name in self.trees.get(saltenv, {}) else ""


class FakeRendering:
    """Renders a path to the tree's own data; an exception stored there is raised."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees

    def render_sls(self, path: str, *, sls: str, saltenv: str, tmplpath: str) -> Any:
        env, _, name = path.partition(":")
        data = self.trees[env][name]
        if isinstance(data, BaseException):
            raise data
        return copy.deepcopy(data)

    def locate_sls(self, path: str, *, sls: str, saltenv: str) -> Any:
        raise RenderError("plain data has no lines")


class FakeMatching:
    """Matches this minion by '*' and by its id."""

    def matches(self, tgt: str, tgt_type: str = "glob") -> bool:
        return tgt in ("*", "unit")
