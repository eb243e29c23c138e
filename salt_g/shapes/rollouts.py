"""Shapes of a rollout's status, as runners, commands and events show it.

Units: seconds since the epoch.
"""

from typing import Any, TypedDict


class RolloutWave(TypedDict):
    """One wave: `state` is waiting, running, soaking, checking, done or failed; `failed` is {minion: why}.

    `size` counts its minions, `done` those that have returned and passed so far. A wave is failed if the
    rollout was stopped by it.
    """

    size: int
    state: str
    minions: list[str]
    failed: dict[str, str]
    done: int


class RolloutState(TypedDict):
    """A rollout: `state` is running, paused, stopped, done or undone; `stopped` says why.

    `stopped` is None if it was not stopped. `reached` minions got the job, `untouched` did not, of the
    `total` that the target matched; those `away` did not answer at the beginning, and belong to no wave.
    `undone` counts minions on which it was reverted, `undo_failed` is {minion: why}.
    """

    jid: str
    function: Any
    arguments: list[Any]
    target: Any
    user: str
    state: str
    waves: list[RolloutWave]
    reached: int
    total: int
    untouched: int
    stopped: str | None
    undone: int
    started: float
    ended: float | None
    away: list[str]
    undo_failed: dict[str, str]
