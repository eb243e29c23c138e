"""Errors in SLS files, collected over one compile and reported together.

The returned texts are those of stock, which users and tools know; the locations and hints that stock lacks
are logged.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple


class StateLocation(NamedTuple):
    """Line of an SLS, given by the ID of its state and the texts of the lines that lead from there to it."""

    sls: str
    state_id: Any
    words: tuple[str, ...]


class Problem(NamedTuple):
    """One finding: the returned text, and the SLS and state in which it was found.

    For an unresolved name, `wanted` is that name and `known` has the existing names. `line` counts from 1 in
    the source, or in the rendered text if `is_rendered`; it is 0 if unknown or already part of the text.
    `advice` says what is probably wrong. `words` are the texts below the ID that lead to the line, from the
    outside in: the function, then the argument. `others` has all locations of a finding that has several.
    `template` is the path of, and the line in, another file to which the finding belongs; `used_at` is the
    line of the SLS that uses this file (0 if unknown).
    """

    message: str
    sls: str = ""
    state_id: Any = None
    wanted: str = ""
    known: Collection[Any] = ()
    line: int = 0
    is_rendered: bool = False
    advice: str = ""
    words: tuple[str, ...] = ()
    others: tuple[StateLocation, ...] = ()
    template: tuple[str, int] | None = None
    used_at: int = 0

    @property
    def nearest(self) -> list[str]:
        """Known names most similar to the wanted one."""
        return list(_nearest(self.wanted, tuple(map(str, self.known)))) if self.wanted else []

    @property
    def remedy(self) -> str:
        """Advice on what to do: the problem's own, else that for its message (not for an unresolved name)."""
        if self.advice or self.wanted:
            return self.advice
        # Imported lazily: only needed after a failure.
        from salt_g.state.compile.form_advice import advice_for

        return advice_for(self.message)

    @property
    def hint(self) -> str:
        """Advice and similar names, shown to users apart from the message; '' if there are none."""
        nearest = f"{self.wanted!r} does not exist; nearest: {', '.join(map(repr, self.nearest))}"
        return "; ".join(filter(None, (self.remedy, nearest if self.nearest else "")))


def about_fault(exc: BaseException, path: str) -> dict[str, Any]:
    """Return the fields of a Problem that say where the file at `path` failed to render, and why."""
    from salt_g.render.error_lines import fault_of  # Imported lazily: few files have an error.

    fault = fault_of(exc, path)
    if fault.path:
        return {"template": (fault.path, fault.line), "used_at": fault.used_at, "advice": fault.advice}
    return {"line": fault.line, "is_rendered": fault.is_rendered, "advice": fault.advice}


class Problems:
    """Findings of one compile, in the order of discovery."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, message: str, **about: Any) -> None:
        """Record a finding; `about` has the other fields of the Problem."""
        self._found.append(Problem(message, **about))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Record the findings of another layer."""
        self._found.extend(problems)

    def replace(self, old: str, new: str) -> None:
        """Replace the text of each finding whose text is `old`."""
        self._found = [
            problem._replace(message=new) if problem.message == old else problem for problem in self._found
        ]

    def messages(self) -> list[str]:
        """Return the texts of all findings, as stock returns them."""
        return [problem.message for problem in self._found]

    def __bool__(self) -> bool:
        return bool(self._found)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)


@functools.lru_cache(maxsize=2)
def _nearest(wanted: str, known: tuple[str, ...]) -> list[str]:
    """Return the most similar names, cached because they are needed several times for one finding."""
    import difflib  # Imported lazily: runs without findings do not need it.

    return difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
