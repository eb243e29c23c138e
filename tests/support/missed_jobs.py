"""Jobs that minions have missed at a master of a cluster, with a clock controlled by the test."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NoReturn

from salt_g.errors import WireError
from salt_g.master.cluster.missed_jobs import SUBSCRIBED, MissedJobs
from salt_g.shapes.loads import JobLoad

#: Jobs that were sent, each with the ids that it was sent for.
Sent = list[tuple[JobLoad, list[str]]]

#: Moments at which a minion gets its jobs that has subscribed at 0.
AFTER_SUBSCRIPTION = [SUBSCRIBED[0], sum(SUBSCRIBED)]
JOB: Any = {"jid": "20260102030405000000", "fun": "test.ping", "tgt": "*", "tgt_type": "glob", "arg": []}


class Jobs:
    """Ids that are expected to return any job."""

    def get_expected(self, jid: str) -> list[str]:
        return ["m1", "m2", "m3", "d-01", "dummy:d-02"]


class Now:
    """Clock that a test sets."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def made(
    *,
    connected: Collection[str] = ("m1", "m2"),
    elsewhere: Collection[str] = ("m1", "m2"),
    was_connected: bool = False,
    returned: Iterable[tuple[str, str]] = (),
    ours: Collection[str] = ("m1", "m2"),
    resources: Sequence[str] = (),
) -> tuple[MissedJobs, Now, Sent]:
    """Return a master's missed jobs with one of three minions, its clock, and the list of its sent jobs."""
    now = Now()
    sent: Sent = []
    jobs: Any = Jobs()
    missed = MissedJobs(
        jobs,
        lambda ids: set(connected).intersection(ids),
        lambda ids: dict.fromkeys(ids & set(elsewhere), was_connected),
        returned=lambda jids, names: {(jid, name) for jid, name in returned if jid in jids and name in names},
        drops_repeated=lambda id: id in ours,
        send=sent.extend,
        resources_of=lambda id: resources,
        clock=now,
    )
    missed.note(JOB, ["m1", "m2", "m3"])
    return missed, now, sent


def rounds(missed: MissedJobs, now: Now, sent: Sequence[object], seconds: float = 20.0) -> list[float]:
    """Check as often as a master does; return the times at which something was sent, from now on."""
    began = now.time
    moments: list[float] = []
    while now.time < began + seconds:
        before = len(sent)
        missed.send_missed()
        if len(sent) > before:
            moments.append(now.time - began)
        now.time += 0.5
    return moments


def refuse(jobs: Iterable[object]) -> NoReturn:
    for _ in jobs:
        pass
    raise WireError("no job is taken")
