"""What an SLS author can repair, collected over one compile and shown all at once.

Why its own file: each layer of the compiler finds problems, and each has a text that users and
tools know from stock (returned), and a place and a hint that stock does not give (logged).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One finding: the text that is returned, and in which SLS and state it was found.

    When a name stands for nothing, `wanted` is that name and `known` what there is instead. `line`
    counts from 1 in the rendered text, 0 where the text says it or nobody knows.
    """

    message: str
    sls: str = ""
    state_id: Any = None
    wanted: str = ""
    known: Collection[Any] = ()
    line: int = 0

    @property
    def nearest(self) -> list[str]:
        """The known names most like the wanted one."""
        if not self.wanted:
            return []
        import difflib  # runs without findings need not load it

        return difflib.get_close_matches(self.wanted, map(str, self.known), n=3, cutoff=0.6)


class Problems:
    """The findings of one compile, in the order in which they were found."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, message: str, **about: Any) -> None:
        """Keep a finding; `about` are the further fields of a Problem."""
        self._found.append(Problem(message, **about))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Keep the findings of another layer."""
        self._found.extend(problems)

    def replace(self, old: str, new: str) -> None:
        """Say `new` wherever a finding says exactly `old`."""
        self._found = [
            problem._replace(message=new) if problem.message == old else problem for problem in self._found
        ]

    def messages(self) -> list[str]:
        """Return the texts that stock returns."""
        return [problem.message for problem in self._found]

    def __bool__(self) -> bool:
        return bool(self._found)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)
