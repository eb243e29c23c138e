"""Call context in which a tree is compiled for one imagined or recorded minion."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.files.client import PillarClient
from salt_g.lint.offered_functions import PILLAR, OfferedFunctions
from salt_g.lint.rendering import LintRendering
from salt_g.lint.state_functions import StateFunctions
from salt_g.lint.unknown import Lenient
from salt_g.loader import Loader
from salt_g.local_call import local_context, rendering
from salt_g.pillar.compiler import Compiler
from salt_g.shapes import GrainsDict, Opts, PillarDict

#: Folders of users' plugins in a file root, by setting.
_USERS_PLUGINS = {"module_dirs": "_modules", "states_dirs": "_states"}


class _Plugins:
    """Plugins of lint: execution functions without effects, everything else as loaded."""

    def __init__(self, loader: Loader, offered: OfferedFunctions) -> None:
        self._loader = loader
        self._offered = offered

    def table(self, kind: str) -> Mapping[str, Any]:
        """Return the functions of a kind."""
        return self._offered if kind == "modules" else self._loader.table(kind)

    def with_providers(self, providers: Mapping[str, str]) -> _Plugins:
        """Return itself: names do not depend on providers."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing: nothing is synchronized."""


class CompileContext:
    """Files, functions and data of one compile.

    `unknown` collects why values were unknown: names of functions and keys of pillar and grains.
    """

    def __init__(self, settings: Opts, grains: GrainsDict, *, is_recorded: bool) -> None:
        """Prepare for a minion with these grains; those of a recorded minion are complete."""
        self.is_recorded = is_recorded
        self.unknown: list[str] = []
        self.opts = _opts_for(settings, str(grains["id"]))
        self.files = PillarClient({**self.opts, "pillar_roots": self.opts.get("file_roots") or {}})
        loader = Loader(self.opts)
        self.states = StateFunctions(loader.table("states"))
        self.offered = OfferedFunctions(loader.table("modules"), self.unknown.append)
        names = loader.table("renderers").known_names()
        self._users_renderers = frozenset(name.partition(".")[0] for name in names)
        self.rendering = self._new_rendering(self.opts, self.files, self.unknown)
        plugins = _Plugins(loader, self.offered)
        context = local_context(self.opts)
        services = context.services.replace(
            plugins=lambda: plugins, files=lambda: self.files, render=lambda: self.rendering
        )
        known = grains if is_recorded else Lenient(grains, self.unknown.append)
        self.call: CallContext = context.replace(services=services, grains=known, pillar={})

    def forget_renderings(self) -> None:
        """Render all files again: unknown values have another truth."""
        self.rendering = self._new_rendering(self.opts, self.files, self.unknown)

    def with_pillar(self) -> list[str]:
        """Compile pillar from the files of `pillar_roots`; return its errors."""
        opaque: set[str] = set()

        def access(opts: Opts) -> tuple[PillarClient, LintRendering]:
            files = PillarClient(opts)
            made = self._new_rendering(opts, files, [])
            made.opaque = opaque
            return files, made

        opts = {**self.opts, "ext_pillar": []}
        with api.use(self.call):
            pillar: PillarDict = Compiler(opts, self.call.grains, access).compile(earlier={})
        errors = [str(error) for error in pillar.pop("_errors", [])]
        is_whole = self.is_recorded and not opaque and not self.opts.get("ext_pillar")
        known = pillar if is_whole else Lenient(pillar, lambda key: self.unknown.append(PILLAR))
        self.call = self.call.replace(pillar=known)
        return errors

    def _new_rendering(self, opts: Opts, files: PillarClient, unknown: list[str]) -> LintRendering:
        default = str(opts.get("renderer") or "jinja|yaml")
        return LintRendering(rendering(opts, files), default, unknown, self._users_renderers)


def _opts_for(settings: Opts, id: str) -> Opts:
    """Return the settings of a dry run for a minion of this id, with the plugins of the tree."""
    roots = [root for roots in (settings.get("file_roots") or {}).values() for root in roots]
    found = {
        setting: [
            *(settings.get(setting) or ()),
            *(folder for root in roots if os.path.isdir(folder := os.path.join(root, name))),
        ]
        for setting, name in _USERS_PLUGINS.items()
    }
    return {
        **settings,
        **found,
        "id": id,
        "file_client": "local",
        "test": True,
        "saltenv": settings.get("saltenv"),
    }
