"""Kills: SIGKILL of a master, a minion or both at seeded random moments of streams of jobs.

Targets: no acknowledged return is lost or duplicated, no job runs twice, work resumes at once.
"""

import contextlib
import dataclasses
import random
import sqlite3
import time

from house import Deadline, House
from measurements import Report, share

from salt_g.client import LocalClient
from salt_g.wire.packing import unpack
from tests.support.job_stream import Stream, owed_by, settle

#: Longest time from a restart to the return of a job published after it (s).
RESUMED = 5.0
#: Victims of a kill, with their frequencies.
VICTIMS = ("master", "master", "minion", "minion", "both")
#: Minimum interval between two jobs of a stream (s): with three minions some 100 jobs a second.
PAUSE = 0.02
#: Jobs that one kill may interrupt: the concurrent jobs of a stream.
CUT = 4


@dataclasses.dataclass(frozen=True)
class Plan:
    """Number of kills and minions, and the time limit (s)."""

    kills: int = 200
    minions: int = 3
    seed: int = 1
    seconds: float = 1800.0


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house:
        master = house.master(worker_threads=4)
        minions = [house.minion(master, f"m{number}") for number in range(1, plan.minions + 1)]
        say(f"a master and {plan.minions} minions are there")
        with contextlib.ExitStack() as stack:
            streams = [
                stack.enter_context(Stream(master, house.root / f"ran-{minion.id}", minion.id, pause=PAUSE))
                for minion in minions
            ]
            murders = KillRun(plan, master, minions, streams)
            murders.kill_all(say)
        say("the streams have ended")
        murders.settle()
        return report_of(plan, murders, streams, *kept(master))


class KillRun:
    """Kills and restarts of daemons. `owed` are {(jid, id)} of the returns on a minion's disk at that
    time.
    """

    def __init__(self, plan, master, minions, streams):
        self.done = []
        self.first, self.all = [], []
        self.starts = []
        self.owed = set()
        self.trouble = ""
        self._plan, self._master, self._minions, self._streams = plan, master, minions, streams
        self._points = random.Random(plan.seed)

    def kill_all(self, say):
        """Kill as often as planned, within the time limit."""
        clock = Deadline(self._plan.seconds)
        try:
            while len(self.done) < self._plan.kills and clock.left:
                self._commit(self._points.choice(VICTIMS))
                if len(self.done) % 10 == 0:
                    self._tell(say, clock)
        except AssertionError as exc:
            self.trouble = str(exc)
            say(f"kill {len(self.done) + 1}: {self.trouble}")

    def settle(self):
        """Wait until no job is running."""
        try:
            with LocalClient(c_path=str(self._master.config_dir / "master")) as local:
                for minion in self._minions:
                    settle(minion, local)
        except AssertionError as exc:
            self.trouble = str(exc)

    def _tell(self, say, clock):
        say(
            f"{len(self.done)} of {self._plan.kills} kills in {clock.passed:.0f} s,"
            f" {sum(stream.published for stream in self._streams)} times somebody asked for a job,"
            f" first job after {share(self.first, 0.5):.2f} s (median), {max(self.first):.2f} s (longest)"
        )

    def _commit(self, kind):
        stream = self._points.choice(self._streams)
        minion = self._minions[self._streams.index(stream)]
        victims = {"master": [self._master], "minion": [minion], "both": [self._master, minion]}[kind]
        stream.wait(self._points.randrange(1, 15), self._points.uniform(0, 0.05))
        for victim in self._points.sample(victims, len(victims)):
            victim.kill()
        if minion in victims:
            self.owed |= {(jid, minion.id) for jid in owed_by(minion)}
        self._start_again(victims, [stream] if kind == "minion" else self._streams)
        self.done.append(kind)

    def _start_again(self, victims, streams):
        """Restart daemons and wait until each stream that uses them resumes."""
        began, published = time.monotonic(), {stream: stream.published for stream in streams}
        for victim in victims:
            victim.start()
        self.starts.append(time.monotonic() - began)
        moments = [stream.wait_for_later(published[stream]) - began for stream in streams]
        self.first.append(min(moments))
        self.all.append(max(moments))


def kept(master):
    """Return ({jid: number} of all jobs, {(jid, id): return}) in a master's store."""
    connection = sqlite3.connect(f"file:{master.cachedir / 'store.sqlite'}?mode=ro", uri=True)
    with contextlib.closing(connection):
        loads = connection.execute("SELECT jid, load FROM jobs WHERE fun = 'cmd.run'")
        jobs = {jid: unpack(load)["arg"][0].split()[1] for jid, load in loads}
        rows = connection.execute("SELECT jid, id, data FROM returns")
        return jobs, {(jid, id): unpack(data)["return"] for jid, id, data in rows if jid in jobs}


def report_of(plan, murders, streams, jobs, returns):
    """Return the measurements of a night."""
    trouble = {"trouble": murders.trouble} if murders.trouble else {}
    report = Report("kills", **dataclasses.asdict(plan), **trouble)
    report.add("kills", len(murders.done), "", ("==", plan.kills))
    report.add("troubles", int(bool(murders.trouble)), "", ("==", 0))
    for kind in sorted(set(VICTIMS)):
        report.add(f"kills of {kind}", murders.done.count(kind))
    add_returns(report, murders, streams, jobs, returns)
    add_times(report, murders)
    return report


def add_returns(report, murders, streams, jobs, returns):
    """Add the measurements of returns."""
    ran = [(stream.id, number) for stream in streams for number in numbers_of(stream)]
    result = {(jid, stream.id): values for stream in streams for jid, values in stream.returns.items()}
    genuine = {(id, jobs[jid]) for (jid, id), value in returns.items() if value == jobs[jid]}
    report.add("jobs published", len(jobs))
    report.add("jobs returned", len(genuine))
    report.add("on a minion's disk at its death and lost", len(murders.owed - set(returns)), "", ("==", 0))
    report.add("told by the master and lost", len(set(result) - set(returns)), "", ("==", 0))
    differing = [key for key, values in result.items() if set(values) != {returns.get(key)}]
    report.add("told differently from what is kept", len(differing), "", ("==", 0))
    report.add("jobs that ran twice", len(ran) - len(set(ran)), "", ("==", 0))
    report.add("returned without having run", len(genuine - set(ran)), "", ("==", 0))
    deaths = len(murders.done) - murders.done.count("master")
    report.add("ran and cut off by the death of a minion", len(set(ran) - genuine), "", ("<=", CUT * deaths))


def add_times(report, murders):
    """Add the recovery times."""
    report.add("first job after a start, p50", share(murders.first, 0.5), "s")
    report.add("first job after a start, longest", max(murders.first, default=None), "s", ("<", RESUMED))
    report.add("a job on each minion after a start, p50", share(murders.all, 0.5), "s")
    report.add("a job on each minion after a start, longest", max(murders.all, default=None), "s")
    report.add("a start itself, p50", share(murders.starts, 0.5), "s")
    report.add("a start itself, longest", max(murders.starts, default=None), "s")


def numbers_of(stream):
    """Return the numbers of the executed jobs."""
    return stream.ran.read_text().split() if stream.ran.exists() else []
