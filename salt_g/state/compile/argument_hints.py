"""Hints for SLS authors about wrong arguments, with file and line.

The state's return keeps stock's text (a traceback, or nothing for an unknown keyword). One clear sentence is
logged in addition and sent to the master with the return: in the field `places` for an error, in the state's
`warnings` for an unknown keyword.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.api import ADVICE
from salt_g.shapes import LowChunk
from salt_g.state.compile.diagnostics import Problem
from salt_g.state.compile.misspelt_keywords import misspelt_keywords

if TYPE_CHECKING:
    from salt_g.api import CallContext
    from salt_g.state.compile.source_locations import SourceLocations

log = logging.getLogger(__name__)

#: Functions that receive the arguments of another function.
_HOOKS = ("mod_watch", "mod_beacon")
#: Maximum number of hints per run that are sent to the master; all of them are logged.
_MAX_SENT_TO_MASTER = 20
#: Maximum length of a logged error (characters); the return has the whole text.
_LONGEST_ERROR = 300


class ArgumentHints:
    """Argument hints of one run; each misspelt keyword is logged once."""

    def __init__(self, context: CallContext, places: SourceLocations | None) -> None:
        self._context = context
        self._places = places
        self._reported: set[tuple[Any, ...]] = set()

    def on_keywords(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], low: LowChunk
    ) -> list[str]:
        """Return and log warnings about accepted keywords that look misspelt."""
        if low["fun"] in _HOOKS:
            return []
        warnings = []
        for key, nearest in misspelt_keywords(function, arguments, self._find):
            about = (low.get("__sls__"), low.get("__id__"), key)
            message = f"{_name(low)}: the argument {key!r} is not known; nearest: {nearest!r}"
            warnings.append(message)
            if about not in self._reported:
                self._reported.add(about)
                log.warning("%s", self._described(message, low))
        return warnings

    def on_error(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], low: LowChunk, exc: BaseException
    ) -> None:
        """Log which argument probably caused an error, or at least the state and its location."""
        # Imported lazily: successful runs need neither.
        from salt_g.state.compile.argument_types import ERRORS_OF_TYPES, wrong_argument

        wrong = wrong_argument(function, arguments, exc) if isinstance(exc, ERRORS_OF_TYPES) else ""
        # If no argument is known as the cause, the error may quote values, which must not be logged for a
        # state with `no_log`.
        error = type(exc).__name__ if low.get("no_log") else f"{type(exc).__name__}: {_first_line(exc)}"
        self._send(self._described(f"{_name(low)}: {wrong or f'failed with {error}'}", low))

    def on_missing(self, name: str, nearest: Sequence[str], low: LowChunk) -> None:
        """Log the use of a state function that does not exist, with its location and similar names."""
        self._send(self._described(f"no state function {name!r}; nearest: {', '.join(nearest)}", low))

    def on_failure(self, low: LowChunk, result: object) -> None:
        """Log the advice that plugins gave during the call of a state (`api.advise`), if the state failed."""
        advice = self._context.scratch.get(ADVICE)
        if not advice:
            return
        given = [text for of, text in advice if of == id(low)]
        advice[:] = [item for item in advice if item[0] != id(low)]
        if result is False and not low.get("no_log"):
            for text in dict.fromkeys(given):
                self._send(self._described(text, low))

    def _send(self, sentence: str) -> None:
        """Log a sentence and send it with the return, once."""
        sent: list[str] = self._context.scratch.setdefault("places", [])
        if sentence in sent:
            return
        log.error("%s", sentence)
        if len(sent) < _MAX_SENT_TO_MASTER:
            sent.append(sentence)

    def _described(self, message: str, low: LowChunk) -> str:
        sls, state_id = str(low.get("__sls__") or ""), low.get("__id__")
        place = self._places.location_of(Problem(message, sls=sls, state_id=state_id)) if self._places else ""
        return f"{place or sls or 'state'}: {message} (ID {state_id!r})"

    def _find(self, name: str) -> Callable[..., Any] | None:
        return self._context.table("modules").get(name)


def _first_line(exc: BaseException) -> str:
    """Return the first line of an error's text, without recognizable passwords."""
    from salt_g.process.redaction import redacted_output  # Imported lazily: only needed after a failure.

    line = redacted_output(str(exc).strip().partition("\n")[0])
    return line if len(line) <= _LONGEST_ERROR else line[:_LONGEST_ERROR] + "..."


def _name(low: LowChunk) -> str:
    return f"{low['state']}.{low['fun']}"
