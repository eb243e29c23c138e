"""One finding of lint, and findings of several systems merged into one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class Finding(NamedTuple):
    """A finding at a line and column (from 1; 0 unknown) of the file at `path`, '' if it is in none.

    `rule` is its kind, as in docs/lint.md; `advice` says what to do, '' if nothing is known; `systems` are
    those on which it was found, () if it was found on all.
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


def merged(found: Mapping[str, Iterable[Finding]]) -> list[Finding]:
    """Return the findings of all systems ({system: findings}) sorted by place, equal ones once.

    One that was not found on every system is a warning: the tree may not be meant for the others.
    """
    systems: dict[Finding, list[str]] = {}
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
