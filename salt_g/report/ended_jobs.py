"""Texts in the returns of jobs that were ended by a signal, written by minions and recognized by reports."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Any

#: Base of the retcodes of jobs ended by a signal: as in shells, 128 plus the signal's number.
ENDED = 128
#: Return of a job whose minion was killed while it ran.
INTERRUPTED = "ERROR: the minion was ended while it ran this job; what it had changed by then stays"


def ended_text(number: int) -> str:
    """Return the text that a job ended by a signal returns if it has no other result."""
    return f"ERROR: the job was ended by signal {number}"


def signal_of(value: Any, retcode: int) -> int:
    """Return the number of the signal that ended a job, or 0 if no signal ended it.

    The retcode alone is inconclusive, because a command that the job ran may have returned it.
    """
    number = retcode - ENDED
    if number <= 0:
        return 0
    if isinstance(value, str):
        is_ended = value.startswith(ended_text(number)) or (value == INTERRUPTED and number == signal.SIGKILL)
        return number if is_ended else 0
    states = value.values() if isinstance(value, Mapping) else ()
    comments = (state.get("comment") for state in states if isinstance(state, Mapping))
    return number if any(comment == ended_text(number) for comment in comments) else 0
