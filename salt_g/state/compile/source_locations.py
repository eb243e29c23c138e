"""Locations of findings in their SLS files.

Rendered data has no line numbers, because recording them would slow every run. To report a finding, its file
is rendered again, this time with the lines of its IDs and the source lines of the rendered text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from salt_g.shapes import RenderedSls, SourceLine
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.id_lines import IdLines

if TYPE_CHECKING:
    from salt_g.services.protocols import Rendering

log = logging.getLogger(__name__)

#: Maximum number of findings located per compile, because each file concerned is rendered again.
MAX_LOCATED = 20
#: Maximum number of places named per finding.
MAX_PLACES = 5
_TOP = "top file of "


class _Source:
    def __init__(self, url: str, path: str, saltenv: str, included_from: str) -> None:
        self.url = url
        self.path = path
        self.saltenv = saltenv
        self.included_from = included_from
        self.rendered: RenderedSls | None = None
        self.is_rendered = False
        self._lines: list[str] | None = None
        #: Index of the lines of IDs, built when the first line is requested.
        self.id_lines: IdLines | None = None

    def lines(self) -> list[str]:
        """Return the lines of the rendered text, split once for all findings."""
        if self._lines is None and self.rendered is not None:
            self._lines = self.rendered.text.splitlines()
        return self._lines or [""]


class SourceLocations:
    """Locations in the files that one compile has read, by SLS name."""

    def __init__(self, rendering: Callable[[], Rendering]) -> None:
        self._rendering = rendering
        self._sources: dict[str, _Source] = {}

    def add(self, sls: str, *, url: str, path: str, saltenv: str, included_from: str = "") -> None:
        """Record the file of an SLS."""
        self._sources.setdefault(sls, _Source(url, path, saltenv, included_from))

    def paths(self) -> dict[str, str]:
        """Return {SLS: local path} of all files that this compile has read."""
        return {sls: source.path for sls, source in self._sources.items()}

    def place_of(self, sls: str, id: str) -> str:
        """Return the URL of an SLS, and the line of an ID if known; '' if this compile did not read the SLS.

        The SLS is not rendered for this.
        """
        source = self._sources.get(sls)
        if source is None:
            return ""
        if source.id_lines is None:
            source.id_lines = IdLines(source.path)
        line = source.id_lines.line_of(id)
        return f"{source.url}:{line}" if line else source.url

    def report(self, problems: Iterable[Problem]) -> list[str]:
        """Log findings with location, text, rendered line, include chain and nearest known name.

        Return, without repeats, a line for each finding that has a location or advice.
        """
        places: dict[str, None] = {}
        for number, problem in enumerate(problems):
            is_looked_up = number < MAX_LOCATED
            log.error("%s", self.describe(problem) if is_looked_up else problem.message)
            if is_looked_up and (place := self.location_of(problem) or _unlocated(problem)):
                places[place] = None
        return list(places)

    def location_of(self, problem: Problem) -> str:
        """Return the locations of a finding with its hint, or '' if this compile did not read its SLS."""
        source = self._sources.get(problem.sls)
        if source is None:
            return ""
        first = self._location(source, problem)[0]
        place = " and ".join(dict.fromkeys((first, *self._further(problem))))
        return f"{place}: {problem.hint}" if problem.hint else place

    def describe(self, problem: Problem) -> str:
        """Return all details of a finding, on one line if its text has only one line."""
        parts = [problem.message.rstrip()]
        source = self._sources.get(problem.sls)
        if source is not None:
            place, line, text = self._location(source, problem)
            parts[0] = f"{place}: {parts[0]}"
            if text:
                parts.append(f"rendered line {line}: {text.strip()!r}")
            if further := [other for other in self._further(problem) if other != place]:
                parts.append(f"and {' and '.join(further)}")
            if source.included_from:
                parts.append(f"included from {' < '.join(self._chain(source))}")
        if problem.remedy:
            parts.append(problem.remedy)
        if problem.nearest:
            parts.append(f"nearest: {', '.join(map(repr, problem.nearest))}")
        return "; ".join(parts)

    def _chain(self, source: _Source) -> list[str]:
        chain: list[str] = []
        while source.included_from and source.included_from not in chain:
            chain.append(source.included_from)
            source = self._sources[source.included_from]
        return chain

    def tops(self) -> SourceLocations:
        """Return only the locations in top files."""
        found = SourceLocations(self._rendering)
        found._sources = {sls: source for sls, source in self._sources.items() if sls.startswith(_TOP)}
        return found

    def source_line(self, problem: Problem) -> tuple[str, SourceLine] | None:
        """Return the local path of a finding's SLS and the line; None if this compile did not read it."""
        source = self._sources.get(problem.sls)
        return (source.path, self._lines(source, problem)[0]) if source is not None else None

    def _further(self, problem: Problem) -> list[str]:
        """Return the locations of a finding that has several, at most `MAX_PLACES`."""
        places = [
            self._location(source, problem._replace(sls=at.sls, state_id=at.state_id, words=at.words))[0]
            for at in problem.others
            if (source := self._sources.get(at.sls)) is not None
        ]
        return list(dict.fromkeys(places))[:MAX_PLACES]

    def _location(self, source: _Source, problem: Problem) -> tuple[str, int, str]:
        """Return (location of a finding in its source, its rendered line or 0, text of that line or '')."""
        at, line = self._lines(source, problem)
        if problem.line or problem.template or not line or source.rendered is None:
            # A line that cannot be parsed may contain anything, even a pillar value that must not be logged.
            return _place(source, at), line, ""
        texts = source.lines()
        return _place(source, at), line, texts[min(line, len(texts)) - 1]

    def _lines(self, source: _Source, problem: Problem) -> tuple[SourceLine, int]:
        """Return the source line of a finding, and its line in the rendered text (0 if unknown)."""
        if problem.template is not None:
            path, line = problem.template
            return SourceLine(_name_beside(source, path), line, problem.used_at), line
        if problem.line and not problem.is_rendered:
            return SourceLine("", problem.line), problem.line
        is_known = problem.line or problem.words or problem.state_id is not None
        rendered = self._render(source) if is_known else None
        if rendered is None:
            return SourceLine("", 0), 0
        line = problem.line or rendered.lines.get((problem.state_id,), 0)
        if problem.words:
            # Imported lazily: needed only for findings, which are rare.
            from salt_g.formats.indented_blocks import narrowed

            line, _ = narrowed(source.lines(), line, problem.words)
        if not line:
            return SourceLine("", 0), 0
        return rendered.source_of(line), line

    def _render(self, source: _Source) -> RenderedSls | None:
        if not source.is_rendered:
            source.is_rendered = True
            sls = next(sls for sls, known in self._sources.items() if known is source)
            try:
                source.rendered = self._rendering().locate_sls(source.path, sls=sls, saltenv=source.saltenv)
            except Exception as exc:  # A renderer calls plugins, whose errors were reported already.
                log.debug("%s: cannot determine line numbers: %s", source.url, exc)
        return source.rendered


def top_name(saltenv: str) -> str:
    """Return the name that stands for the top file of an environment; no SLS has such a name."""
    return f"{_TOP}{saltenv}"


def _unlocated(problem: Problem) -> str:
    """Return the line about a finding that belongs to no file (a missing SLS), or '' if it has no hint."""
    if not problem.hint:
        return ""
    return problem.hint if problem.wanted and problem.nearest else f"{problem.message}: {problem.hint}"


def _place(source: _Source, at: SourceLine) -> str:
    """Return the location and saltenv of a line and, if it is in another file, the SLS that uses the file."""
    if not at.name:
        return f"{source.url}{f':{at.line}' if at.line else ''} ({source.saltenv})"
    used_at = f":{at.used_at}" if at.used_at else ""
    name = at.name if at.name.startswith("/") else f"salt://{at.name}"
    return f"{name}:{at.line} ({source.saltenv}), used at {source.url}{used_at}"


def _name_beside(source: _Source, path: str) -> str:
    """Return the path of a template in the tree of an SLS file, or its full path if it is elsewhere."""
    name = source.url.removeprefix("salt://")
    top = source.path.removesuffix(name)
    return path.removeprefix(top) if top != source.path and path.startswith(top) else path
