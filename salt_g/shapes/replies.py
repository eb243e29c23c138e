"""Types of replies by which a master shows its state: silent minions, locks, orders of the mailbox.

Units: times in seconds since the epoch.
"""

from typing import Any, TypedDict


class AbsentStep(TypedDict, total=False):
    """State that a silent minion was in: `done` of `total` chunks, and the running one if there is one."""

    done: int
    total: int
    n: int
    id: str
    fun: str
    since: float


class Absence(TypedDict):
    """Knowledge about a minion that has not returned a job.

    `heard` is the time of its last request, None if there was none since the master started; `received` True
    if it has shown that it has the job, else None; `step` None if unknown.
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
    """A job of the mailbox; it waits for `waiting`, and `sent` {minion: jid} are those that have it."""

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
