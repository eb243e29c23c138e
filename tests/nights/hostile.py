"""Hostile peers: raw ZMTP, valid and invalid, sent to both ports of a master while its minions work.

Targets: the master survives, every job has all its returns, no minion is disconnected, and memory is stable.
"""

import dataclasses
import pathlib
import subprocess
import sys

from fleet import Fleet
from house import Deadline, House, own_bytes
from load import Load
from measurements import Report, share
from soak import MIB, milli

ATTACKER = pathlib.Path(__file__).with_name("attacker.py")
#: Minions per job.
MEANT = 40
#: Permitted growth of the master's memory (MiB).
GROWTH = 64
#: Interval of progress lines (s).
EVERY = 5.0


@dataclasses.dataclass(frozen=True)
class Plan:
    """Duration (s), number of minions, jobs per second, and number of hostile processes."""

    seconds: float = 60.0
    minions: int = 200
    rate: float = 5.0
    peers: int = 2


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house:
        master = house.master()
        fleet = house.keep(Fleet(master, house.root / "swarm", plan.minions))
        fleet.wait_until_subscribed()
        say(f"a master and {plan.minions} minions are there")
        before, samples = own_bytes(master.pid), []
        with Load(master, lambda: fleet.draw(MEANT), plan.rate) as load:
            attackers = [_attacker(master, seed) for seed in range(plan.peers)]
            clock = Deadline(plan.seconds)
            while clock.left and master.is_running():
                samples.append(own_bytes(master.pid))
                say(f"{clock.passed:.0f} s: {len(load.ledger.began)} jobs, {samples[-1] / MIB:.1f} MiB (own)")
                _wait(attackers[0], min(EVERY, clock.left))
            steps = [_end(attacker) for attacker in attackers]
            load.finish()
        ledger = fleet.end()
        report = Report("hostile", **dataclasses.asdict(plan))
        report.add("things that hostile peers did", sum(steps), "", (">", 0))
        report.add("master is running", int(master.is_running()), "", ("==", 1))
        jobs = load.ledger
        report.add("jobs", len(jobs.began), "", (">", 0))
        report.add("jobs without all returns", len(jobs.open()), "", ("==", 0))
        report.add("jobs refused", len(jobs.refused), "", ("==", 0))
        report.add("test.ping p50", milli(share(jobs.times(), 0.5)), "ms")
        report.add("minions cut off", len(ledger["deaf"]), "", ("==", 0))
        report.add("returns sent but not acknowledged", _lost(ledger), "", ("==", 0))
        report.add("memory grown", (max(samples) - before) / MIB, "MiB (own)", ("<", GROWTH))
        return report


def _lost(ledger):
    """Count returns that were to be sent and that the master did not acknowledge."""
    return len(set(map(tuple, ledger["received"])) - set(map(tuple, ledger["acknowledged"])))


def _attacker(master, seed):
    words = [sys.executable, str(ATTACKER), str(master.ret_port), str(master.publish_port), str(seed)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _wait(process, seconds):
    """Wait, but fail if a hostile process fails."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return
    raise RuntimeError(f"a hostile peer ended with {process.returncode}")


def _end(process):
    """Stop a hostile process; return the number of its actions."""
    out, _ = process.communicate("end\n", timeout=60)
    return int(out or 0)
