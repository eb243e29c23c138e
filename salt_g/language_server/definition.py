"""Definitions of the name at the cursor: states, SLS, files, macros, keys of pillar.

Shapes: the input is a document, its place and a position; the result is a list of Locations of the protocol.
"""

from __future__ import annotations

from typing import Any

import salt_g.language_server.targets as targets
from salt_g.language_server.documents import Document, Position, span, uri_of
from salt_g.language_server.overlay import TreeFile
from salt_g.language_server.project import Project, pillar_places
from salt_g.language_server.targets import CursorTarget, definition_line, target_at
from salt_g.lint.positions import line_with, lines_of
from salt_g.state.compile.vocabulary import is_pattern

#: Maximum number of locations per response.
MAX_LOCATIONS = 100


class Definition:
    """Provider of definitions in the files of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def at(self, document: Document, place: TreeFile | None, position: Position) -> list[dict[str, Any]]:
        """Return the places that define the name at a position."""
        target = target_at(document, place, position, self._project.top())
        if target is None:
            return []
        found = self._places(target, document, place)
        return [self._location(path, line) for path, line in dict.fromkeys(found) if path][:MAX_LOCATIONS]

    def _places(
        self, target: CursorTarget, document: Document, place: TreeFile | None
    ) -> list[tuple[str, int]]:
        """Return path and line (from 1; 0 if unknown) of each definition of a target."""
        saltenv = place.saltenv if place is not None else "base"
        if target.kind == targets.STATE:
            states = self._project.states.named(target.name, target.about)
            return [self._project.states.place_of(state) for state in states[:MAX_LOCATIONS]]
        if target.kind == targets.SLS and place is not None:
            return [(path, 1) for path in self._sls(target.name, place)]
        if target.kind == targets.FILE:
            return [(self._project.file(_absolute(target.name, place), saltenv), 1)]
        if target.kind == targets.PILLAR:
            return pillar_places(self._project, target.path)
        if target.kind in (targets.STATE_FUNCTION, targets.EXECUTION_FUNCTION):
            return self._users_function(target)
        if target.kind == targets.NAME:
            return self._definition_of(target, document, place)
        return []

    def _sls(self, name: str, place: TreeFile) -> list[str]:
        """Return the files of the SLS named in an include, a requisite or the top file."""
        files = (
            self._project.pillar_client()
            if place.setting == "pillar_roots"
            else self._project.lint.context.files
        )
        if name.startswith("."):
            own = self._project.sls_of(place)
            parent = own if place.relative.endswith("/init.sls") else own.rpartition(".")[0]
            levels = len(name) - len(name.lstrip(".")) - 1
            parent = ".".join(parent.split(".")[: len(parent.split(".")) - levels]) if levels else parent
            name = f"{parent}.{name.lstrip('.')}" if parent else name.lstrip(".")
        names = [name]
        if is_pattern(name):
            import fnmatch

            names = fnmatch.filter(files.list_states(place.saltenv), name)
        return [
            self._project.saved_path(files.cache_sls(sls, place.saltenv)[1]) for sls in names[:MAX_LOCATIONS]
        ]

    def _users_function(self, target: CursorTarget) -> list[tuple[str, int]]:
        """Return the location of a function of a user's plugin; built-in functions have none."""
        context = self._project.lint.context
        functions = context.states if target.kind == targets.STATE_FUNCTION else context.functions
        path = functions.users_file(target.name)
        line, _ = line_with(path, f"def {target.name.partition('.')[2]}") if path else (0, 0)
        return [(path, line)] if path else []

    def _definition_of(
        self, target: CursorTarget, document: Document, place: TreeFile | None
    ) -> list[tuple[str, int]]:
        """Return the location of a macro or variable, in this file or the file it is imported from."""
        if not target.about:
            line = definition_line(document.text, target.name)
            return [(document.path, line)] if line else []
        saltenv = place.saltenv if place is not None else "base"
        url = f"salt://{_absolute(target.about, place)}"
        path = self._project.lint.context.files.cache_file(url, saltenv)
        if not path:
            return []
        return [
            (self._project.saved_path(path), definition_line("\n".join(lines_of(path)), target.name) or 1)
        ]

    def _location(self, path: str, line: int) -> dict[str, Any]:
        number = max(line - 1, 0)
        place = self._project.overlay.place(path)
        is_unsaved = place is not None and self._project.overlay.is_unsaved(path)
        lines = lines_of(place.unsaved if place is not None and is_unsaved else path)
        text = lines[number] if number < len(lines) else ""
        begin = len(text) - len(text.lstrip())
        saved = self._project.saved_path(path)
        return {"uri": uri_of(saved), "range": span(text, number, begin, len(text.rstrip()))}


def _absolute(name: str, place: TreeFile | None) -> str:
    """Return the path of a template in the tree; a name with `./` or `../` is relative to `place`."""
    import posixpath

    if name.split("/", 1)[0] not in (".", "..") or place is None:
        return name
    return posixpath.normpath(posixpath.join(posixpath.dirname(place.relative), name))
