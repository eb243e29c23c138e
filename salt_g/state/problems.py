"""What an SLS author can repair, collected over one compile and shown all at once.

Why its own file: each layer of the compiler finds problems, and each has a text that users and
tools know from stock (returned), and a place and a hint that stock does not give (logged).
"""

from __future__ import annotations

import dataclasses
import difflib
import logging
from collections.abc import Collection, Iterable, Iterator
from typing import Any

log = logging.getLogger(__name__)

#: Findings of one compile whose nearest names are looked for; looking costs milliseconds each.
HINTS_PER_COMPILE = 20


@dataclasses.dataclass(frozen=True)
class Problem:
    """One finding: the text that is returned, and where it was found (`file:line`, `file`, SLS or '').

    When a name stands for nothing, `wanted` is that name and `known` what there is instead.
    """

    message: str
    place: str = ""
    wanted: str = ""
    known: Collection[Any] = dataclasses.field(default=(), repr=False)

    @property
    def nearest(self) -> list[str]:
        """The known names most like the wanted one."""
        return (
            difflib.get_close_matches(self.wanted, map(str, self.known), n=3, cutoff=0.6)
            if self.wanted
            else []
        )


class Problems:
    """The findings of one compile, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, message: str, *, place: str = "", wanted: str = "", known: Collection[Any] = ()) -> None:
        """Keep a finding."""
        self._found.append(Problem(message, place, wanted, known))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep the findings of another layer."""
        self._found.extend(problems)

    def replace(self, old: str, new: str) -> None:
        """Say `new` wherever a finding says exactly `old`."""
        self._found = [
            dataclasses.replace(problem, message=new) if problem.message == old else problem
            for problem in self._found
        ]

    def messages(self) -> list[str]:
        """Return the texts that stock returns."""
        return [problem.message for problem in self._found]

    def report(self) -> None:
        """Log every finding with its place and, for the first ones, the nearest names."""
        for number, problem in enumerate(self._found):
            where = f"{problem.place}: " if problem.place else ""
            nearest = problem.nearest if number < HINTS_PER_COMPILE else []
            hint = f"; nearest: {', '.join(map(repr, nearest))}" if nearest else ""
            log.error("%s%s%s", where, problem.message.rstrip(), hint)

    def __bool__(self) -> bool:
        return bool(self._found)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)
