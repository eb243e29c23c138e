"""Soak: a thousand simulated minions, steady jobs, reconnecting minions, a stopped subscriber.

Targets: memory, open files and greenlets of the master stay constant, `test.ping` stays fast, each return
arrives exactly once.
"""

import dataclasses
import http.client
import sqlite3
import subprocess
import time

from fleet import Fleet
from house import (
    Deadline,
    House,
    Metrics,
    open_files,
    own_bytes,
    processor_seconds,
    proportional_bytes,
    stopped,
)
from load import Load
from measurements import Report, share, slope

from tests.support.commands import PROGRAM
from tests.support.pacing import pause

MIB = 1 << 20
#: Targets: MiB in ten minutes; the 99th percentile in ms, on two processors.
SLOPE, P99 = 1.0, 250.0
#: Buffer limit of a subscriber of events: 32 MiB of them, once packed and once as values.
SUBSCRIBER = 64.0
#: Maximum number of minions per job.
TARGETS = 3
#: Number and rate (per second) of the first jobs for all minions: libzmq keeps the messages of a connection
#: in
#: two blocks of 256 parts for each direction, whose pages are allocated on first use.
FILLING, FILLING_RATE = 260, 2.0
#: Permitted difference of open files and greenlets between begin and end (of the time after warm-up).
SPREAD = 30


@dataclasses.dataclass(frozen=True)
class Plan:
    """Size and duration; `stop` is the time the subscriber is stopped (s)."""

    seconds: float = 1800.0
    minions: int = 1000
    rate: float = 50.0
    reconnecting: float = 0.1
    stop: float = 300.0

    @property
    def filling(self):
        """Number of jobs that all minions get before the measurement."""
        return max(1, round(FILLING * min(1.0, self.seconds / 1800)))

    @property
    def every(self):
        """Interval of samples (s)."""
        return min(10.0, self.seconds / 20)

    @property
    def warm_up(self):
        """Warm-up time, excluded from memory: the newest 10,000 jobs and nonces of 300 s are cached."""
        return min(600.0, self.seconds / 3)

    @property
    def stop_at(self):
        """Time at which the subscriber is stopped: late, because its buffer would hide other growth."""
        return self.seconds * 14 / 15 - self.stop


@dataclasses.dataclass(frozen=True)
class Sample:
    """State of the master at one time (s since the start of the load).

    `own` is unshared memory: the PSS falls when another salt-g starts on this machine.
    """

    at: float
    own: int
    pss: int
    files: int
    greenlets: int
    there: int


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house:
        metrics = Metrics()
        master = house.master(metrics_port=metrics.port)
        say(f"a master is there; {plan.minions} minions sign in")
        fleet = house.keep(Fleet(master, house.root / "swarm", plan.minions))
        idle = own_bytes(master.pid)
        say(f"{plan.filling} jobs go to all of them")
        before = fill(plan, master, fleet)
        watch = Watch(plan, master, fleet, metrics, say)
        load = Load(master, lambda: fleet.draw(watch.targets), plan.rate)
        with follower(master) as slow, load:
            watch.keep_going(load, slow.pid)
            say("the load ends")
            load.finish(fleet.gone)
            ledger = fleet.end()
            say("the minions have ended")
        kept = kept_returns(master)
        return report_of(plan, watch, load.ledger, without(ledger, before), fleet, kept, idle)


def fill(plan, master, fleet):
    """Let every connection use all of its buffers once; return the jids, the first of which some minions may
    miss.
    """
    with Load(master, lambda: fleet.draw(plan.minions), FILLING_RATE) as load:
        pause(plan.filling / FILLING_RATE)
    return set(load.ledger.began)


def without(ledger, jids):
    """Return a ledger of the minions without some jobs."""
    lists = ("received", "acknowledged", "repeated")
    return {**ledger, **{name: [pair for pair in ledger[name] if pair[0] not in jids] for name in lists}}


class Watch:
    """Sampler that also makes minions reconnect and stops the subscriber in the middle."""

    def __init__(self, plan, master, fleet, metrics, say):
        self.samples = []
        self.cpu = 0.0
        self.metrics = {}
        self.stop = None
        self.targets = 1
        self._hung_up = 0
        self.silences = 0
        self._plan, self._master, self._fleet, self._read, self._say = plan, master, fleet, metrics.read, say

    def keep_going(self, load, slow):
        """Watch until the end of the night."""
        cpu, clock = processor_seconds(self._master.pid), Deadline(self._plan.seconds)
        self.begin = clock.began
        self._go_on(load, clock, self._plan.stop_at)
        self._say(f"a subscriber of events stands still for {self._plan.stop:g} s")
        with stopped(slow):
            self._go_on(load, clock, self._plan.stop_at + self._plan.stop)
        self.stop = (clock.began + self._plan.stop_at, time.monotonic())
        self._say("it goes on")
        self._go_on(load, clock, self._plan.seconds)
        self.cpu = (processor_seconds(self._master.pid) - cpu) / clock.passed
        self.metrics = self._read()

    def _go_on(self, load, clock, end):
        """Take samples and make minions reconnect until `end` seconds have passed."""
        between = 60 / max(1e-9, self._plan.minions * self._plan.reconnecting)
        while clock.passed < end:
            if clock.passed >= self._hung_up * between:
                self._fleet.reconnect_one()
                self._hung_up += 1
            self.targets = 1 + self._hung_up % TARGETS
            if clock.passed >= (len(self.samples) + self.silences) * self._plan.every:
                self._take(load, clock)
            pause(min(0.1, between))

    def _take(self, load, clock):
        try:
            result = self._read()
        except (OSError, http.client.HTTPException) as exc:
            self.silences += 1
            self._say(f"the master does not tell its metrics: {exc}")
            return
        pid = self._master.pid
        sample = Sample(
            at=clock.passed,
            own=own_bytes(pid),
            pss=proportional_bytes(pid),
            files=open_files(pid),
            greenlets=int(result["salt_g_greenlets"]),
            there=self._fleet.there,
        )
        self.samples.append(sample)
        lately = load.ledger.times(self._fleet.cut, since=time.monotonic() - self._plan.every - 2)
        self._say(
            f"{sample.at:5.0f} of {self._plan.seconds:g} s: {len(load.ledger.began)} jobs,"
            f" p50 {ms(share(lately, 0.5))} p99 {ms(share(lately, 0.99))} ms,"
            f" memory {sample.own / MIB:.1f} (own) {sample.pss / MIB:.1f} (PSS) MiB, {sample.files} files,"
            f" {sample.greenlets} greenlets, {sample.there} minions"
        )


def follower(master):
    """Start `salt-g event` with its output discarded."""
    return Program([PROGRAM, "event", "-c", str(master.config_dir)])


class Program:
    """Program that runs beside the daemons. Lifecycle: `with`."""

    def __init__(self, words):
        self._words = words

    def __enter__(self):
        self._process = subprocess.Popen(
            self._words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.pid = self._process.pid
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait(30)


def kept_returns(master):
    """Return the (jid, id) of all returns in a master's store."""
    connection = sqlite3.connect(f"file:{master.cachedir / 'store.sqlite'}?mode=ro", uri=True)
    try:
        return set(connection.execute("SELECT jid, id FROM returns"))
    finally:
        connection.close()


def ms(seconds):
    """Return milliseconds as a short text."""
    return "-" if seconds is None else f"{seconds * 1000:.0f}"


def report_of(plan, watch, jobs, ledger, fleet, kept, idle):
    """Return the measurements of a night."""
    report = Report("soak", **dataclasses.asdict(plan))
    add_latency(report, watch, jobs, fleet)
    add_returns(report, jobs, ledger, fleet, kept)
    add_growth(report, plan, watch, idle)
    return report


def add_latency(report, watch, jobs, fleet):
    """Add the durations of jobs, overall and while a subscriber was stopped."""
    times = jobs.times(fleet.cut)
    report.add("jobs", len(jobs.began), "")
    report.add("test.ping p50", milli(share(times, 0.5)), "ms")
    report.add("test.ping p99", milli(share(times, 0.99)), "ms", ("<", P99))
    report.add("test.ping longest", milli(max(times, default=None)), "ms")
    still = jobs.times(fleet.cut, since=watch.stop[0], until=watch.stop[1])
    report.add("p99 while a subscriber stood still", milli(share(still, 0.99)), "ms", ("<", P99))
    report.add("processors used by the master", watch.cpu, "")


def add_returns(report, jobs, ledger, fleet, kept):
    """Add the measurements of returns."""
    received, acknowledged = as_set(ledger["received"]), as_set(ledger["acknowledged"])
    repeated = as_set(ledger["repeated"])
    cut = fleet.gone
    missed = [(jid, id) for jid, (_, ids) in jobs.began.items() for id in ids if (jid, id) not in received]
    twice = [key for key, moments in jobs.return_times.items() if len(moments) > 1 and key not in repeated]
    report.add("returns acknowledged", len(acknowledged))
    report.add("acknowledged and lost", len(acknowledged - kept), "returns", ("==", 0))
    report.add("received, never acknowledged", len(received - acknowledged), "returns", ("==", 0))
    report.add("acknowledged, never told", len(acknowledged - set(jobs.return_times)), "returns", ("==", 0))
    report.add("told twice though sent once", len(twice), "returns", ("==", 0))
    report.add("sent again after a reconnection", len(repeated), "returns")
    report.add("jobs that a connected minion missed", sum(id not in cut for _, id in missed), "", ("==", 0))
    report.add("jobs that came while a minion was away", sum(id in cut for _, id in missed))
    report.add("jobs refused", len(jobs.refused), "", ("==", 0))
    report.add("reconnections", len(fleet.cut))
    report.add("reconnections that failed", len(fleet.failed) + len(ledger["deaf"]), "", ("==", 0))


def add_growth(report, plan, watch, idle):
    """Add the growth of the master's memory, files and greenlets after warm-up."""
    warm = [sample for sample in watch.samples if plan.warm_up <= sample.at <= plan.stop_at]
    still = [sample for sample in watch.samples if sample.at >= plan.stop_at]
    first, last = warm[0], warm[-1]
    # Before caches are full a slope means nothing.
    wanted = ("<", SLOPE) if plan.warm_up >= 600 else None
    report.add("memory's slope (own)", slope_of(warm, "own"), "MiB in 10 min", wanted)
    report.add("memory's slope (PSS)", slope_of(warm, "pss"), "MiB in 10 min")
    report.add("memory with all signed in", idle / MIB, "MiB (own)")
    report.add("memory after warm-up", first.own / MIB, "MiB (own)")
    report.add("memory before a subscriber stood still", last.own / MIB, "MiB (own)")
    grown = max(sample.own for sample in still) - last.own
    report.add("memory that the subscriber cost", grown / MIB, "MiB (own)", ("<", SUBSCRIBER))
    report.add("memory at the end", watch.samples[-1].own / MIB, "MiB (own)")
    report.add("open files after warm-up", first.files)
    report.add("open files at the end", watch.samples[-1].files)
    report.add("open files' growth", watch.samples[-1].files - first.files, "", ("<=", SPREAD))
    report.add("greenlets after warm-up", first.greenlets)
    report.add("greenlets' growth", watch.samples[-1].greenlets - first.greenlets, "", ("<=", SPREAD))
    report.add("events dropped for subscribers", int(watch.metrics["salt_g_events_dropped_total"]))
    report.add("times that the master did not tell its metrics", watch.silences, "", ("==", 0))
    report.add("requests dropped", int(watch.metrics["salt_g_requests_dropped_total"]), "", ("==", 0))


def slope_of(samples, kind):
    """Return the growth of memory in ten minutes (MiB), None for too few samples."""
    grown = slope([(sample.at, getattr(sample, kind) / MIB) for sample in samples])
    return None if grown is None else grown * 600


def as_set(pairs):
    """Return pairs from JSON lists as a set of tuples."""
    return {(jid, id) for jid, id in pairs}


def milli(seconds):
    """Convert seconds to milliseconds."""
    return None if seconds is None else seconds * 1000
