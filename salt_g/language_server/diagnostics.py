"""Conversion of lint findings to diagnostics of the protocol; only changes are published."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from salt_g.language_server.documents import lines_in, span
from salt_g.lint.finding import ERROR, LintFinding

#: Severities of diagnostics in the protocol.
_ERROR, _WARNING = 1, 2
#: Maximum number of diagnostics per file.
MAX_FOR_FILE = 500
#: Word marked by a finding, up to white space or a delimiter of YAML or Jinja.
_WORD = re.compile(r"[^\s,\]})]+")


class Diagnostics:
    """Diagnostics that were published for the files of a project."""

    def __init__(self) -> None:
        self._published: dict[str, list[dict[str, Any]]] = {}

    def changed(
        self,
        found: Mapping[str, Sequence[LintFinding]],
        texts: Mapping[str, str],
        paths: Collection[str] | None = None,
    ) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield path and diagnostics of each file whose diagnostics changed; `texts` is {path: text}.

        `paths` are the files that `found` covers; by default all files of the project.
        """
        others = (
            {} if paths is None else {path: one for path, one in self._published.items() if path not in paths}
        )
        now = {path: _diagnostics(findings, texts[path]) for path, findings in found.items() if path}
        for path in [*now, *(self._published.keys() - now.keys() - others.keys())]:
            diagnostics = now.get(path, [])
            if self._published.get(path, []) != diagnostics:
                yield path, diagnostics
        self._published = {**others, **now}


def _diagnostics(findings: Sequence[LintFinding], text: str) -> list[dict[str, Any]]:
    lines = lines_in(text) if findings else []
    return [_diagnostic(finding, lines) for finding in findings[:MAX_FOR_FILE]]


def _diagnostic(finding: LintFinding, lines: Sequence[str]) -> dict[str, Any]:
    number = min(max(finding.line - 1, 0), max(len(lines) - 1, 0))
    line = lines[number] if lines else ""
    start = min(max(finding.column - 1, 0), len(line))
    word = _WORD.match(line, start)
    end = word.end() if word is not None and finding.column else len(line)
    return {
        "range": span(line, number, start, end),
        "severity": _ERROR if finding.level == ERROR else _WARNING,
        "code": finding.rule,
        "source": "salt-g",
        "message": finding.text(),
    }
