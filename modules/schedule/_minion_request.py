"""Requests about the schedule to the running minion, and access to its saved file."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.config.daemon_written import SCHEDULE, own_file, read_own, write_own
from salt_g.modules._minion_bus import ask, fire

log = logging.getLogger(__name__)

TAG = "manage_schedule"
_ANSWER = "/salt/minion/minion_schedule_"
#: Keys of a schedule that are not jobs, but settings of all jobs.
NOT_JOBS = ("enabled", "skip_function", "skip_during_range", "splay")

Result = dict[str, Any]


def ask_minion(answer: str, **question: Any) -> Mapping[str, Any]:
    """Ask the running minion; return its answer, or {} if it does not answer."""
    return ask(question, TAG, f"{_ANSWER}{answer}") or {}


def notify_minion(**question: Any) -> bool:
    """Fire an event for the running minion without waiting for an answer."""
    return fire(question, TAG)


def jobs_now(where: str | None = None) -> dict[str, Any]:
    """Return the schedule of the running minion; `where` is opts, pillar or None for both."""
    return dict(ask_minion("list_complete", func="list", where=where).get("schedule") or {})


def saved_jobs() -> dict[str, Any]:
    """Return the schedule that the minion saved."""
    return read_own(own_file(opts, SCHEDULE), "schedule")


def save_jobs(schedule: Mapping[str, Any]) -> None:
    """Save the schedule of a minion that is not running."""
    try:
        write_own(own_file(opts, SCHEDULE), "schedule", schedule)
    except OSError as exc:
        log.error("Failed to persist the updated schedule: %s", exc)


def home_of(name: str) -> str:
    """Return the source of a running minion's job: `opts`, `pillar`, or '' if it is unknown or not a job."""
    return "" if name in NOT_JOBS else source_of(name)


def source_of(name: str) -> str:
    """Return the source of a key of a running minion's schedule: `opts`, `pillar`, or '' if it is unknown."""
    return next((where for where in ("opts", "pillar") if name in jobs_now(where)), "")


def change(answer: str, name: str, where: str, persist: bool, **question: Any) -> Mapping[str, Any]:
    """Request a change of a job, which the minion refuses for jobs from pillar; return the new schedule."""
    if where == "pillar":
        question.update(where="pillar", persist=False)
    else:
        question.update(persist=persist)
    return ask_minion(answer, name=name, **question).get("schedule") or {}


def is_test(kwargs: Mapping[str, Any]) -> bool:
    """Return whether test mode is on."""
    return bool(kwargs.get("test") or opts.get("test"))
