"""Findings of lint, and merging of the findings on several systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class LintFinding(NamedTuple):
    """A finding at a line and column (from 1, 0 if unknown) of the file at `path` ('' if in no file).

    `rule` is the kind of finding, as in docs/lint.md; `advice` says what to do, or is ''; `systems` are the
    systems on which it was found, or () for all.
    """

    path: str
    line: int
    column: int
    level: str
    rule: str
    message: str
    advice: str = ""
    systems: tuple[str, ...] = ()

    def text(self) -> str:
        """Return message and advice as one sentence."""
        message = f"{self.message} ({self.advice})" if self.advice else self.message
        return f"{message} [on {', '.join(self.systems)}]" if self.systems else message


def merged(found: Mapping[str, Iterable[LintFinding]]) -> list[LintFinding]:
    """Return the findings of all systems ({system: findings}) sorted by place, without duplicates.

    A finding that is not on every system becomes a warning, because the tree may not be meant for all
    systems.
    """
    systems: dict[LintFinding, list[str]] = {}
    for system, findings in found.items():
        for finding in findings:
            where = systems.setdefault(finding, [])
            if system not in where:
                where.append(system)
    everywhere = len(found)
    return sorted(
        finding if len(where) == everywhere else finding._replace(level=WARNING, systems=tuple(where))
        for finding, where in systems.items()
    )
