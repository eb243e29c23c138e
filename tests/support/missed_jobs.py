"""Jobs that minions have missed at a master of a cluster, with a clock of the test."""

from typing import Any

from salt_g.errors import WireError
from salt_g.master.cluster.missed_jobs import SUBSCRIBED, MissedJobs

#: Moments at which a minion gets its jobs that has subscribed at 0.
AFTER_SUBSCRIPTION = [SUBSCRIBED[0], sum(SUBSCRIBED)]
JOB: Any = {"jid": "20260102030405000000", "fun": "test.ping", "tgt": "*", "tgt_type": "glob", "arg": []}


class Jobs:
    """Ids that are expected to return any job."""

    def get_expected(self, jid):
        return ["m1", "m2", "m3", "d-01", "dummy:d-02"]


class Now:
    """Clock that a test turns."""

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def made(
    *,
    connected=("m1", "m2"),
    elsewhere=("m1", "m2"),
    was_connected=False,
    returned=(),
    ours=("m1", "m2"),
):
    """Return a master's missed jobs with one of three minions, its clock, and the list of what it sends."""
    now = Now()
    sent: list[Any] = []
    jobs: Any = Jobs()
    missed = MissedJobs(
        jobs,
        lambda ids: set(connected).intersection(ids),
        lambda ids: dict.fromkeys(ids & set(elsewhere), was_connected),
        returned=lambda jids, names: {(jid, name) for jid, name in returned if jid in jids and name in names},
        drops_repeated=lambda id: id in ours,
        send=sent.extend,
        clock=now,
    )
    missed.note(JOB, ["m1", "m2", "m3"])
    return missed, now, sent


def rounds(missed, now, sent, seconds=20.0):
    """Look as often as a master does; return the moments at which something was sent, from now on."""
    began, moments = now.time, []
    while now.time < began + seconds:
        before = len(sent)
        missed.send_missed()
        if len(sent) > before:
            moments.append(now.time - began)
        now.time += 0.5
    return moments


def refuse(jobs):
    for _ in jobs:
        pass
    raise WireError("no job is taken")
