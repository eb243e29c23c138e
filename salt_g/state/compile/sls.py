"""Conversion of SLS names to high data: find the file, render it, follow its includes, merge.

File access and renderers are passed in.

Shapes: `SlsReader.read` takes {saltenv: [sls or pattern, ...]} and returns high data. An included file's
states are numbered before the including file's states and follow them in the mapping; each file is read once.
Errors: none raised; findings are collected in `problems`, so that all files are read.
"""

from __future__ import annotations

import fnmatch
import logging
import os
import traceback
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.errors import RenderError
from salt_g.shapes.high_data import Extension, HighData
from salt_g.state.compile.declarations import DeclaredSls, OrderNumbers
from salt_g.state.compile.diagnostics import Problems, StateLocation, about_fault
from salt_g.state.compile.includes import Include, Includes, SlsSource, written
from salt_g.state.compile.source_locations import SourceLocations, top_name
from salt_g.state.compile.vocabulary import is_internal, is_pattern

if TYPE_CHECKING:
    from salt_g.services.protocols import FileAccess, Rendering

log = logging.getLogger(__name__)

_NO_SLS = "no SLS found at all: check file_roots"
_WANTED_FORM = "write a mapping: each ID with its states below it (nginx:, then pkg.installed: [], indented)"


class SlsReader:
    """Reader of SLS files into high data, for one compile."""

    def __init__(
        self,
        files: FileAccess,
        rendering: Rendering,
        *,
        problems: Problems,
        places: SourceLocations | None = None,
        auto_order: bool = True,
    ) -> None:
        self.problems = problems
        self._places = places or SourceLocations(lambda: rendering)
        self._files = files
        self._rendering = rendering
        self._numbers = OrderNumbers(is_active=auto_order)
        self._available: dict[str, list[str]] = {}
        self._read: set[tuple[str, str]] = set()

    def read(self, wanted: Mapping[str, Sequence[str]]) -> HighData:
        """Return the high data of the wanted SLS, {saltenv: names}, and of their includes."""
        high = HighData({})
        envs = self._files.envs()
        for saltenv, names in wanted.items():
            for name in names:
                if saltenv not in envs:
                    text = f"No matching salt environment for environment '{saltenv}' found"
                    advice = f"environments that have files: {', '.join(map(str, envs)) or 'none'}"
                    self.problems.add(text, wanted=saltenv, known=envs, advice=advice)
                for sls in self._matching(saltenv, name):
                    if (saltenv, sls) not in self._read:
                        high = self._merged(high, self._read_wanted(sls, saltenv, wanted))
        return _without_repeated_extensions(high)

    def read_file(self, path: str, *, saltenv: str = "") -> HighData:
        """Return the high data of a local file, whose path becomes its `__sls__`."""
        if not os.path.isfile(path):
            self.problems.add(f"Specified SLS {path} on local filesystem cannot be found.")
            return HighData({})
        self._places.add(path, url=path, path=path, saltenv=saltenv)
        return self._read_source(SlsSource(path, url=path), path, saltenv, {})

    def available(self, saltenv: str) -> list[str]:
        """Return the names of all SLS of an environment."""
        if saltenv not in self._available:
            self._available[saltenv] = self._files.list_states(saltenv)
        return self._available[saltenv]

    def _matching(self, saltenv: str, name: str) -> list[str]:
        # Another backend may serve a name that is not in the listing, so request the name as written.
        if not is_pattern(name):
            return [name]
        # The files below this folder decide what the pattern matches, so the result depends on them.
        folder = name[: min(name.find(char) % (len(name) + 1) for char in "*?[")].rpartition(".")[0]
        api.note_file(folder.replace(".", "/"), saltenv)
        return fnmatch.filter(self.available(saltenv), name) or [name]

    def _read_wanted(self, sls: str, saltenv: str, wanted: Mapping[str, Sequence[str]]) -> HighData:
        data = self._read_sls(sls, saltenv, wanted)
        self.problems.replace(
            _not_available(sls, saltenv), f"No matching sls found for '{sls}' in env '{saltenv}'"
        )
        return data

    def _read_sls(
        self,
        sls: str,
        saltenv: str,
        wanted: Mapping[str, Sequence[str]],
        *,
        includer: str = "",
        name: str = "",
    ) -> HighData:
        """Return the high data of an SLS; `name` is its name as written in the including SLS."""
        with api.reading_for(sls):
            url, path = self._files.cache_sls(sls, saltenv)
        if not path:
            # A listed SLS can be missing if its file is a dangling link; do not suggest the missing name
            # itself.
            known = [other for other in self.available(saltenv) if other != sls]
            about: dict[str, Any] = {
                "sls": includer or top_name(saltenv),
                "state_id": "include" if includer else None,
            }
            about |= {"wanted": sls, "known": known, "words": (name or sls,)}
            self.problems.add(_not_available(sls, saltenv), advice=missing_advice(sls, known), **about)
            return HighData({})
        self._places.add(sls, url=url, path=path, saltenv=saltenv, included_from=includer)
        return self._read_source(SlsSource(path, url), sls, saltenv, wanted)

    def _read_source(
        self, source: SlsSource, sls: str, saltenv: str, wanted: Mapping[str, Sequence[str]]
    ) -> HighData:
        includes, own = self._declared(source, sls, saltenv)
        self._read.add((saltenv, sls))
        high = self._with_includes(own, includes, Includes(sls, saltenv, source, self.problems), wanted)
        self._numbers.number(high.declarations)
        return high

    def _declared(self, source: SlsSource, sls: str, saltenv: str) -> tuple[list[Any], HighData]:
        """Return the includes of a file and its own high data, without those of the included files."""
        data = self._render(source, sls, saltenv)
        if not data:
            return [], HighData({})
        if not isinstance(data, dict):
            text = f"SLS {sls} does not render to a dictionary"
            self.problems.add(text, sls=sls, advice=f"the file is {_kind_of(data)}, {_WANTED_FORM}")
            if source.url != source.path:
                self.problems.add(f"Error when rendering state with contents: {data}")
            return [], HighData({})
        declared = DeclaredSls(data, sls=sls, saltenv=saltenv, problems=self.problems)
        return declared.take_includes(), declared.high_data()

    def _render(self, source: SlsSource, sls: str, saltenv: str) -> Any:
        """Render the file; return None after a failure."""
        try:
            return self._rendering.render_sls(source.path, sls=sls, saltenv=saltenv, tmplpath=source.path)
        except RenderError as exc:
            text = f"Rendering SLS '{saltenv}:{sls}' failed: {exc}"
            self.problems.add(text, sls=sls, **about_fault(exc, source.path))
        except (Exception, SystemExit) as exc:
            # A renderer is a plugin and calls plugins; the SLS author must see any exception it raises.
            text = f"Rendering SLS {sls} failed, render error: {exc}\n{traceback.format_exc()}"
            self.problems.add(text, sls=sls, **about_fault(exc, source.path))
        return None

    def _with_includes(
        self, high: HighData, declared: Iterable[Any], includes: Includes, wanted: Mapping[str, Sequence[str]]
    ) -> HighData:
        for item in declared:
            include = includes.resolve(item, envs=self._files.envs(), wanted=wanted, available=self.available)
            if include is not None:
                for sls in self._targets(include):
                    if (include.saltenv, sls) not in self._read:
                        included = self._read_sls(
                            sls, include.saltenv, wanted, includer=includes.sls, name=written(item, "")[1]
                        )
                        high = self._with_included(high, included, includes.sls)
        return high

    def _targets(self, include: Include) -> list[str]:
        return self._matching(include.search_env, include.sls)

    def _with_included(self, high: HighData, included: HighData, includer: str) -> HighData:
        for state_id, body in included.declarations.items():
            if not is_internal(state_id) and isinstance(body, dict):
                body.setdefault("__sls_included_from__", []).append(includer)
        return self._merged(high, included)

    def _merged(self, high: HighData, more: HighData) -> HighData:
        """Merge `more` into `high` and return the result; report IDs in conflict."""
        merged = high.with_changes_of(more)
        known = merged.declarations
        for state_id, body in more.declarations.items():
            if state_id in known and known[state_id] != body:
                self._report_conflict(state_id, known[state_id], body)
        known.update(more.declarations)
        return merged

    def _report_conflict(self, state_id: str, first: Any, second: Any) -> None:
        if isinstance(first, dict) and isinstance(second, dict):
            places = [f"{body['__env__']}:{body['__sls__']}" for body in (first, second)]
            text = conflict_text(state_id, *places)
            where = tuple(StateLocation(str(body["__sls__"]), state_id, ()) for body in (second, first))
            self.problems.add(text, sls=str(second["__sls__"]), state_id=state_id, others=where)


def missing_advice(sls: str, known: Collection[str]) -> str:
    """Return advice about a missing SLS: a misspelt name, or no SLS at all; '' if neither is apparent."""
    if not known:
        return _NO_SLS
    bare = sls.removesuffix(".sls")
    if "/" not in bare and bare == sls:
        return ""
    dotted = bare.strip("/").replace("/", ".")
    return f"an SLS is named with dots and without .sls: {dotted}"


def conflict_text(state_id: str, first: str, second: str) -> str:
    """Return the text about an ID that two SLS (`saltenv:sls`) declare."""
    return (
        "Detected conflicting IDs, SLS IDs need to be globally unique.\n"
        f"    The conflicting ID is '{state_id}' and is found in SLS '{first}' and SLS '{second}'"
    )


def _kind_of(data: Any) -> str:
    return "a list" if isinstance(data, list) else "text" if isinstance(data, str) else "a single value"


def _not_available(sls: str, saltenv: str) -> str:
    return (
        f"Specified SLS {sls} in saltenv {saltenv} is not available on the salt master "
        "or through a configured fileserver"
    )


def _without_repeated_extensions(high: HighData) -> HighData:
    """Return high data with each extension once: a file included along two paths adds them twice."""
    kept, seen = list[Extension](), dict[Any, list[Any]]()
    for state_id, body in (item for extension in high.extensions for item in extension.items()):
        if body not in seen.setdefault(state_id, []):
            seen[state_id].append(body)
            kept.append({state_id: body})
    return high._replace(extensions=tuple(kept))
