"""Types of replies in which a master reports silent minions, locks and orders of the mailbox.

Units: times in seconds since the epoch.
"""

from typing import Any, TypedDict


class AbsentStep(TypedDict, total=False):
    """Last known step of a silent minion: `done` of `total` chunks, and the running chunk, if any."""

    done: int
    total: int
    n: int
    id: str
    fun: str
    since: float


class Absence(TypedDict):
    """Information about a minion that has not returned a job.

    `heard` is the time of its last request, None if there was none since the master started; `received` is
    True if it has shown that it has the job, else None; `step` is None if unknown.
    """

    connected: bool
    heard: float | None
    received: bool | None
    step: AbsentStep | None


class LockReply(TypedDict):
    """A locked target, in force from `since` to `until`."""

    id: str
    target: Any
    tgt_type: str
    owner: str
    reason: str
    since: float
    until: float


class OrderReply(TypedDict):
    """Job in the mailbox, kept for the minions `waiting`; `sent` is {minion: jid} of those that got it."""

    order: str
    user: str
    made: float
    until: float
    fun: Any
    arg: list[Any]
    tgt: Any
    tgt_type: Any
    waiting: list[str]
    sent: dict[str, str]
