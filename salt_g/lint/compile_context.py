"""Call context in which a tree is compiled for one imagined or recorded minion."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from salt_g import api
from salt_g.api import CallContext
from salt_g.files.client import PillarClient
from salt_g.lint.function_catalogue import FunctionCatalogue
from salt_g.lint.harmless_functions import PILLAR, HarmlessFunctions
from salt_g.lint.noted_files import NotedFiles
from salt_g.lint.rendering import LintRendering
from salt_g.lint.unknown import Lenient, NotedData, Unknown, unknown_values
from salt_g.lint.uses import WHOLE_PILLAR, Uses, of_pillar
from salt_g.loader import Loader
from salt_g.local_call import local_context, rendering
from salt_g.pillar.compiler import PillarCompiler
from salt_g.pillar.error_places import place_of_name
from salt_g.shapes import GrainsDict, Opts, PillarDict
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.source_locations import SourceLocations

#: Folders of users' plugins in a file root, by setting.
_USERS_PLUGINS = {"module_dirs": "_modules", "states_dirs": "_states"}


class _Plugins:
    """Plugins for lint: execution functions without side effects, all other plugins as loaded."""

    def __init__(self, loader: Loader, offered: HarmlessFunctions) -> None:
        self._loader = loader
        self._offered = offered

    def table(self, kind: str) -> Mapping[str, Any]:
        """Return the functions of a kind."""
        return self._offered if kind == "modules" else self._loader.table(kind)

    def with_providers(self, providers: Mapping[str, str]) -> _Plugins:
        """Return this object, because names do not depend on providers."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing, because no plugins are synchronized."""


class PillarProblem(NamedTuple):
    """An error in pillar, with file and line (from 1) in its source, '' and 0 if unknown."""

    message: str
    path: str = ""
    line: int = 0


class _Truth:
    """Parts of a compile that depend on whether unknown values are true: renderings, pillar and call."""

    def __init__(self, rendering: LintRendering, call: CallContext) -> None:
        self.rendering = rendering
        self.call = call
        self.pillar: PillarDict = {}
        self.pillar_renderings: list[LintRendering] = []
        self.problems: list[PillarProblem] = []


class CompileContext:
    """Files, functions and data of the compiles for one minion.

    `unknown` collects why values were unknown (names of functions, keys of pillar and grains), `uses` what
    was read. `rendering` and `call` depend on the current truth of unknown values (`Unknown.is_true`).
    """

    def __init__(self, settings: Opts, grains: GrainsDict, *, is_recorded: bool) -> None:
        """Prepare for a minion with these grains, which are complete if `is_recorded` is set."""
        self.is_recorded = is_recorded
        self.unknown: list[str] = []
        self.uses = Uses()
        self.opts = _opts_for(settings, str(grains["id"]))
        self.files = NotedFiles(self.opts, self.uses)
        self.grains = grains
        loader = Loader(self.opts)
        self.states = FunctionCatalogue(loader.table("states"))
        self.functions = FunctionCatalogue(loader.table("modules"))
        self.offered = HarmlessFunctions(loader.table("modules"), self.unknown.append)
        names = loader.table("renderers").known_names()
        self._users_renderers = frozenset(name.partition(".")[0] for name in names)
        self._differing: frozenset[str] = frozenset()
        plugins = _Plugins(loader, self.offered)
        context = local_context(self.opts)
        services = context.services.replace(
            plugins=lambda: plugins, files=lambda: self.files, render=lambda: self.rendering
        )
        known = grains if is_recorded else Lenient(grains, self.unknown.append)
        call = context.replace(services=services, grains=known, pillar={})
        self._truths = {
            is_true: _Truth(self._renders(self.opts, self.files), call) for is_true in (True, False)
        }

    @property
    def rendering(self) -> LintRendering:
        """The rendering service."""
        return self._truths[Unknown.is_true].rendering

    @property
    def call(self) -> CallContext:
        """The call context."""
        return self._truths[Unknown.is_true].call

    @property
    def pillar(self) -> PillarDict:
        """The compiled pillar."""
        return self._truths[Unknown.is_true].pillar

    def pillar_files(self) -> Iterator[tuple[str, Any]]:
        """Yield path and data of each file of the compiled pillar."""
        for made in self._truths[Unknown.is_true].pillar_renderings:
            yield from made.rendered()

    def with_pillar(self) -> AbstractSet[str]:
        """Compile pillar from `pillar_roots`; return the names (`uses.py`) of the keys that changed."""
        first, second = self._truths[True], self._truths[False]
        before = [truth.pillar for truth in (first, second)]
        del self.unknown[:]
        with unknown_values(is_true=True):
            self._compile_pillar(first)
        if self.unknown:
            with unknown_values(is_true=False):
                self._compile_pillar(second)
        else:
            second.pillar, second.problems = first.pillar, first.problems
            second.pillar_renderings = first.pillar_renderings
            second.call = second.call.replace(pillar=first.call.pillar)
        self._differing = _differing(first.pillar, second.pillar)
        keys = _differing(before[0], first.pillar) | _differing(before[1], second.pillar)
        changed = {WHOLE_PILLAR, *map(of_pillar, keys)} if keys else set[str]()
        self.forget(changed)
        return changed

    def pillar_problems(self) -> list[PillarProblem]:
        """Return the errors of the compiled pillar."""
        return list(dict.fromkeys(problem for truth in self._truths.values() for problem in truth.problems))

    def forget(self, changed: AbstractSet[str]) -> None:
        """Discard cached look-ups, and the renderings that used any of these names (`uses.py`)."""
        self.files.forget()
        roots = [root for roots in (self.opts.get("file_roots") or {}).values() for root in roots]
        local = {os.path.join(root, name) for name in changed for root in roots}
        for truth in self._truths.values():
            truth.rendering.forget(changed | local)

    def _compile_pillar(self, truth: _Truth) -> None:
        opaque: set[str] = set()
        made: list[LintRendering] = []

        def access(opts: Opts) -> tuple[PillarClient, LintRendering]:
            files = PillarClient(opts)
            made.append(self._renders(opts, files))
            made[-1].opaque = opaque
            return files, made[-1]

        opts = {**self.opts, "ext_pillar": []}
        with api.use(truth.call):
            pillar: PillarDict = PillarCompiler(opts, truth.call.grains, access).compile(earlier={})
        errors = [str(error) for error in pillar.pop("_errors", [])]
        with api.use(truth.call):
            truth.problems = _located(errors, made, opts.get("pillar_roots") or {})
        is_whole = self.is_recorded and not opaque and not self.opts.get("ext_pillar")
        truth.pillar = pillar
        truth.pillar_renderings = made
        missing = self._on_missing_pillar
        known = NotedData(pillar, self._on_pillar) if is_whole else Lenient(pillar, missing, self._on_pillar)
        truth.call = truth.call.replace(pillar=known)

    def _on_missing_pillar(self, key: str) -> None:
        self.unknown.append(PILLAR)

    def _on_pillar(self, key: str | None) -> None:
        self.uses.note(WHOLE_PILLAR if key is None else of_pillar(key))
        if key in self._differing or (key is None and self._differing):
            self.unknown.append(f"pillar {key or ''}")

    def _renders(self, opts: Opts, files: PillarClient) -> LintRendering:
        default = str(opts.get("renderer") or "jinja|yaml")
        return LintRendering(
            rendering(opts, files), default, self.unknown, self._users_renderers, uses=self.uses
        )


def _differing(first: PillarDict, second: PillarDict) -> frozenset[str]:
    """Return the top-level keys whose values differ between two pillars."""
    missing = object()
    return frozenset(
        str(key) for key in {**first, **second} if first.get(key, missing) != second.get(key, missing)
    )


def _located(
    errors: Sequence[str], renderings: Sequence[LintRendering], roots: Mapping[str, Sequence[str]]
) -> list[PillarProblem]:
    """Return pillar errors with their places: where a rendering failed, or where a missing SLS is named."""
    makers = {sls: made for made in renderings for sls in made.failures}
    paths = [path for made in renderings for path, _ in made.rendered()]
    found = []
    for error in errors:
        named = re.match(r"Rendering SLS '([^']+)' failed", error)
        made = makers.get(named.group(1)) if named else None
        if made is None or named is None:
            found.append(PillarProblem(error, *_named_at(error, roots, paths)))
        else:
            failure = made.failures[named.group(1)]
            text = next(iter(failure.text.splitlines()), "")
            found.append(PillarProblem(f"pillar cannot be rendered: {text}", *_place(made, named.group(1))))
    return found


def _place(made: LintRendering, sls: str) -> tuple[str, int]:
    """Return file and line of an error in a pillar SLS."""
    failure = made.failures[sls]
    path, saltenv = made.source_of(sls)
    if not failure.fault.is_rendered:
        return failure.fault.path or path, failure.fault.line
    places = SourceLocations(lambda: made)
    places.add(sls, url=path, path=path, saltenv=saltenv)
    line = failure.opened or failure.fault.line
    located = places.source_line(Problem("", sls=sls, line=line, is_rendered=True))
    return (located[1].name or located[0], located[1].line) if located else (path, 0)


def _named_at(error: str, roots: Mapping[str, Sequence[str]], paths: Sequence[str]) -> tuple[str, int]:
    """Return where the pillar top file or an include names a missing SLS, or ('', 0) if not found."""
    missing = re.match(r"Specified SLS '([^']+)' in environment '([^']+)' is not available", error)
    if not missing:
        return "", 0
    tops = [os.path.join(root, "top.sls") for root in roots.get(missing[2], ())]
    path, _, line = place_of_name([*tops, *paths], missing[1]).rpartition(":")
    return (path, int(line)) if line.isdigit() else ("", 0)


def _opts_for(settings: Opts, id: str) -> Opts:
    """Return the settings of a dry run for a minion with this id, with the plugins of the tree."""
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
