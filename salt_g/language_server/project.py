"""State and pillar trees with an editor's unsaved texts, linted again after each change.

`pillar_places` locates a key in the pillar files, without the values.
Shapes: arguments are local paths, results are findings by saved path. Changes are collected and take
effect at the next `refresh`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from salt_g.files.client import PillarClient
from salt_g.language_server.cursor import key_lines
from salt_g.language_server.declared_states import DeclaredStates
from salt_g.language_server.overlay import Overlay, TreeFile
from salt_g.lint.finding import LintFinding, merged
from salt_g.lint.linter import SystemLint, sls_in
from salt_g.lint.positions import line_with, lines_of
from salt_g.lint.uses import LISTING
from salt_g.shapes import GrainsDict, Opts

#: Number of SLS left to compile above which findings about open files are published early.
_MANY = 10
#: Directories of a root with users' plugins, which lint lists only once.
_PLUGINS = ("_modules", "_states", "_renderers", "_utils")


class Project:
    """State and pillar trees, linted for a minion of each system; unsaved texts are below `directory`."""

    def __init__(
        self, settings: Opts, systems: Mapping[str, GrainsDict], directory: str, *, is_recorded: bool = False
    ) -> None:
        self.overlay = Overlay(settings, os.path.join(directory, "unsaved"))
        self.states = DeclaredStates()
        self.is_recorded = is_recorded
        cachedir = os.path.join(directory, "cache")
        self._settings = {**settings, **self.overlay.settings(), "cachedir": cachedir}
        self._grains = systems
        self._systems = self._all_anew()
        self._changed: set[str] = set()
        self._is_pillar = False
        #: {open file: (saltenv, SLS)}; `steps` compiles these SLS first.
        self._first: dict[str, tuple[str, str]] = {}

    @property
    def lint(self) -> SystemLint:
        """Lint for the first system, whose functions and data the editor shows."""
        return next(iter(self._systems.values()))

    def write(self, path: str, text: str) -> None:
        """Use an unsaved text as the content of a file."""
        is_new = not os.path.exists(path) and not self.overlay.is_unsaved(path)
        self._note(self.overlay.write(path, text), is_listed=is_new)

    def discard(self, path: str) -> None:
        """Use the saved content of a file again, without its unsaved text."""
        self._note(self.overlay.remove(path), is_listed=not os.path.exists(path))

    def saved(self, path: str, *, is_listed: bool = False) -> None:
        """Record that a file was saved; with `is_listed`, that it was created or removed."""
        place = self.overlay.place(path)
        self._note(place, is_listed=is_listed)
        if place is not None and place.relative.startswith(tuple(f"{name}/" for name in _PLUGINS)):
            self._systems = self._all_anew()

    def refresh(self) -> None:
        """Discard the results that depend on the collected changes."""
        changed, self._changed = self._changed, set()
        is_pillar, self._is_pillar = self._is_pillar, False
        if changed or is_pillar:
            for system in self._systems.values():
                system.forget(changed, is_pillar=is_pillar)

    def steps(self, open_paths: Sequence[str] = ()) -> Iterator[bool]:
        """Compile everything that is outdated, in steps of a few milliseconds.

        The SLS files of open files come first. If many others are left after them, one step yields True:
        the caller can then publish `early_findings`.
        """
        self._first = {}
        for path in open_paths:
            place = self.overlay.place(path)
            if place is None or place.setting != "file_roots":
                continue
            for system in self._systems.values():
                sls = system.first_for(place.saltenv, place.relative)
                if sls:
                    self._first.setdefault(path, (place.saltenv, sls))
                yield False
        if self._first and self.lint.number_left() > _MANY:
            yield True
        for system in self._systems.values():
            for _ in system.prepare():
                yield False
        self.states.update(self.lint.tree)

    def early_findings(self) -> dict[str, list[LintFinding]]:
        """Return the findings in open files by path, as far as `steps` has compiled their SLS."""
        wanted = list(dict.fromkeys(self._first.values()))
        found = merged({name: system.early_findings(wanted) for name, system in self._systems.items()})
        by_path = self._by_path(found)
        return {path: by_path.get(path, []) for path in self._first}

    def findings(self) -> dict[str, list[LintFinding]]:
        """Return the findings by saved path; those without a file are under ''."""
        found = merged({name: system.findings() for name, system in self._systems.items()})
        self.states.update(self.lint.tree)
        return self._by_path(found)

    def _by_path(self, found: Sequence[LintFinding]) -> dict[str, list[LintFinding]]:
        by_path: dict[str, list[LintFinding]] = {}
        for finding in found:
            path = os.path.abspath(finding.path)
            # A dangling link also counts as a file of the tree.
            is_file = os.path.isfile(path) or os.path.islink(path)
            known = self.overlay.saved(path) if is_file else ""
            by_path.setdefault(known, []).append(finding)
        return by_path

    def sls_of(self, place: TreeFile) -> str:
        """Return the name of the SLS at a place, or '' if the file is not an SLS."""
        return sls_in(place.relative)

    def file(self, path: str, saltenv: str) -> str:
        """Return the saved path of a file in the state tree, or '' if it does not exist."""
        found = self.lint.context.files.cache_file(f"salt://{path}", saltenv)
        return self.saved_path(found)

    def pillar_client(self) -> PillarClient:
        """Return a client for the current files of pillar."""
        return PillarClient(self._settings)

    def saved_path(self, path: str) -> str:
        """Return the editor's path of a file for a path reported by lint."""
        return self.overlay.saved(path) if path else ""

    def top(self) -> str:
        """Return the path of the top file in its root."""
        return str(self._settings.get("state_top") or "top.sls")

    def _note(self, place: TreeFile | None, *, is_listed: bool) -> None:
        if place is None:
            return
        if place.setting == "pillar_roots":
            self._is_pillar = True
            return
        folders = place.relative.split("/")[:-1]
        self._changed |= {place.relative, *("/".join(folders[:end]) for end in range(1, len(folders) + 1))}
        if is_listed:
            self._changed.add(LISTING)

    def _all_anew(self) -> dict[str, SystemLint]:
        settings: dict[str, Any] = self._settings
        return {
            name: SystemLint(settings, grains, is_recorded=self.is_recorded)
            for name, grains in self._grains.items()
        }


def pillar_places(project: Project, path: Sequence[str]) -> list[tuple[str, int]]:
    """Return path and line (from 1; 0 if unknown) of each file that sets a key, the effective one last."""
    found = []
    for file, data in project.lint.context.pillar_files():
        if _has(data, path):
            line = key_lines(lines_of(file), path) or line_with(file, f"{path[-1]}:")[0]
            found.append((project.saved_path(file), line))
    return found


def _has(data: Any, path: Sequence[str]) -> bool:
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return True
