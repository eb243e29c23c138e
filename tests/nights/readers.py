"""Slow readers: subscribers of events and of publications, stopped by SIGSTOP under heavy traffic.

Targets: other peers are not affected, and the master's memory stays within its buffer limits.
"""

import contextlib
import dataclasses
import pathlib
import sys
import threading
import time

from fleet import Fleet
from house import Deadline, House, own_bytes, stopped
from load import Load
from measurements import Report, share
from soak import MIB, P99, Program, milli

from salt_g.client.unix_link import UnixLink
from tests.support.commands import PROGRAM
from tests.support.pacing import pause
from tests.support.waiting import until

READER = pathlib.Path(__file__).with_name("reader.py")
#: Jobs and large events per second; bytes of such an event and of a job's argument.
JOBS, EVENTS = 20, 20
LARGE, ARGUMENT = 64 * 1024, 4 * 1024
#: Buffers for subscribers of events (MiB): 32 of them packed, the same as values, and in the frames of
#: stock's socket; and the permitted growth of the rest.
RINGS, ELSE = 3 * 32, 24
#: Permitted rest of the growth after the readers have been reading again for a minute (MiB).
LEFT = 24
#: Interval of memory samples (s).
EVERY = 1.0


@dataclasses.dataclass(frozen=True)
class Plan:
    """Time that the readers are stopped (s), and number of minions."""

    stop: float = 300.0
    minions: int = 50

    @property
    def before(self):
        """Reading time before and after the stop (s)."""
        return max(3.0, min(75.0, self.stop / 4))


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house:
        master = house.master()
        fleet = house.keep(Fleet(master, house.root / "swarm", plan.minions))
        readers = [house.keep(Program(words)) for words in commands(master, house.root)]
        until(lambda: all(count.exists() for count in counts(house.root)), "the readers are there")
        say(f"a master, {plan.minions} minions and {len(readers)} readers are there")
        argument = ["x" * ARGUMENT]
        with Load(master, lambda: fleet.draw(1), JOBS, argument=argument) as load, Flood(master) as flood:
            watch = Watch(master, load, flood, say)
            moments = watch.all_phases(plan, readers)
            wait_for_reader(counts(house.root)[0])
            load.finish()
        ledger = fleet.end()
        return report_of(plan, watch, load.ledger, flood, moments, ledger, master)


def commands(master, root):
    """Return the command of each reader."""
    publications, events = counts(root)
    return [
        [PROGRAM, "event", "-c", str(master.config_dir)],
        [sys.executable, str(READER), "zmq", f"tcp://127.0.0.1:{master.publish_port}", str(publications)],
        [sys.executable, str(READER), "unix", str(master.sock_dir / "master_event_pub.ipc"), str(events)],
    ]


def wait_for_reader(count):
    """Wait until a reader makes progress."""
    before = count.stat().st_size
    until(lambda: count.stat().st_size > before, "the reader of publications reads again")


def counts(root):
    """Return the files with the counts of the readers of publications and of events."""
    return root / "publications", root / "events"


class Flood:
    """Source of large events, with a count of those that a running reader receives. Lifecycle: `with`."""

    def __init__(self, master):
        self.fired = self.read = 0
        self._master = master
        self._is_ending = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._fire)]
        self._reads = threading.Event()

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_ending.set()
        for thread in self._threads:
            thread.join()

    def _fire(self):
        self._reads.wait()
        with contextlib.closing(UnixLink(str(self._master.sock_dir))) as link:
            while not self._is_ending.wait(1 / EVENTS):
                link.fire("flood", {"filling": "x" * LARGE})
                self.fired += 1

    def _read(self):
        with contextlib.closing(UnixLink(str(self._master.sock_dir))) as link:
            link.subscribe("flood")
            self._reads.set()
            while True:
                # Fired events arrive within a moment: the last wait finds nothing.
                event = link.next_event(1.0)
                if event is not None:
                    self.read += 1
                elif self._is_ending.is_set():
                    return


class Watch:
    """Samples of the master's memory in three phases: reading, stopped, reading again."""

    def __init__(self, master, load, flood, say):
        self.memory = {}
        self._master, self._load, self._flood, self._say = master, load, flood, say

    def all_phases(self, plan, readers):
        """Run the phases and return their boundaries (monotonic, s)."""
        moments = [time.monotonic()]
        self._phase("reading", plan.before)
        moments.append(time.monotonic())
        with contextlib.ExitStack() as stack:
            for reader in readers:
                stack.enter_context(stopped(reader.pid))
            self._phase("standing still", plan.stop)
        moments.append(time.monotonic())
        self._phase("reading again", plan.before)
        return [*moments, time.monotonic()]

    def _phase(self, name, seconds):
        clock, samples = Deadline(seconds), []
        while clock.left:
            samples.append(own_bytes(self._master.pid))
            if len(samples) % 10 == 1:
                self._say(
                    f"{name} since {clock.passed:.0f} of {seconds:g} s: {len(self._load.ledger.began)} jobs,"
                    f" {self._flood.fired} large events, memory {samples[-1] / MIB:.1f} MiB (own)"
                )
            pause(min(EVERY, clock.left))
        self.memory[name] = samples


def report_of(plan, watch, jobs, flood, moments, ledger, master):
    """Return the measurements of a night."""
    report = Report("readers", **dataclasses.asdict(plan))
    for name, since, until_ in zip(watch.memory, moments[:-1], moments[1:], strict=True):
        times = jobs.times(since=since, until=until_)
        report.add(f"jobs while {name}", len(times))
        report.add(f"test.ping p50 while {name}", milli(share(times, 0.5)), "ms")
        report.add(f"test.ping p99 while {name}", milli(share(times, 0.99)), "ms", ("<", P99))
    report.add("jobs without all returns", len(jobs.open()), "", ("==", 0))
    report.add("jobs refused", len(jobs.refused), "", ("==", 0))
    report.add(
        "returns told twice", sum(len(result) > 1 for result in jobs.return_times.values()), "", ("==", 0)
    )
    report.add("minions cut off", len(ledger["deaf"]), "", ("==", 0))
    report.add("large events fired", flood.fired)
    report.add("large events lost for who reads", flood.fired - flood.read, "", ("==", 0))
    add_memory(report, plan, watch)
    report.add("readers that the log calls slow", master.log().count("and loses events"))
    return report


def add_memory(report, plan, watch):
    """Add the master's memory in each phase."""
    first = watch.memory["reading"][-1]
    for name, samples in watch.memory.items():
        report.add(f"memory while {name}, most", max(samples) / MIB, "MiB (own)")
    grown = max(watch.memory["standing still"]) - first
    report.add("memory that standing still costs", grown / MIB, "MiB (own)", ("<", RINGS + ELSE))
    left = watch.memory["reading again"][-1] - first
    # A master returns pages to the system once a minute (`loop_interval`).
    wanted = ("<", LEFT) if plan.before >= 60 else None
    report.add("memory that is left of it at the end", left / MIB, "MiB (own)", wanted)
