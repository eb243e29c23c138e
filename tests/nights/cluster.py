"""Cluster: SIGKILL of masters of one database at seeded moments, in each of their roles.

Targets: no acknowledged job, return, decision about a key, lease, orchestration or batch is lost, or done
twice.
"""

import contextlib
import dataclasses
import itertools
import os
import pathlib
import random
import shutil
import tempfile
import time

import cluster_absences
import cluster_load
import cluster_runs
from cluster_load import Author, KeyHolder, LeaseWatch
from cluster_runs import Orchestrator
from house import Deadline, House
from measurements import Report, share

from salt_g.client import LocalClient
from tests.support import key_pairs
from tests.support.masters import Masters
from tests.support.servers import running_postgres
from tests.support.waiting import until

#: Role of the victim, and the moment of its death.
ROLES = ("author", "relay", "leader")
POINTS = ("asked", "taken", "key", "any")
#: Time that a dead master stays away (s): shorter and longer than a lease.
AWAY = (0.0, 2.0, 12.0)
#: Longest wait for a moment or for work to go on (s).
PATIENCE = 120.0
#: Id of the key about which decisions are made.
HELD = "held"


@dataclasses.dataclass(frozen=True)
class Plan:
    """Number of kills and masters, time limit (s), and directory for the daemons' logs, '' for none.

    `pace` multiplies the pauses between jobs, decisions and runs.
    """

    kills: int = 200
    masters: int = 3
    seed: int = 1
    seconds: float = 3600.0
    pace: float = 1.0
    logs: str = ""


def run(plan, say):
    """Run the night and return its Report."""
    with House() as house, _database() as url:
        fleet = _Fleet(house, url, plan)
        say(f"{plan.masters} masters and as many minions are there")
        with contextlib.ExitStack() as stack:
            for worker in (*fleet.authors, fleet.keys, fleet.leases, fleet.runs):
                stack.enter_context(worker)
            murders = KillRun(plan, fleet)
            murders.kill_all(say)
        say("the work has ended")
        murders.settle()
        _keep_logs(house.root, plan.logs)
        return report_of(plan, murders, fleet)


def _keep_logs(root, directory):
    for log in root.glob("*/log-*") if directory else ():
        pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
        shutil.copy(log, pathlib.Path(directory) / f"{log.parent.name}-{log.name}")


@contextlib.contextmanager
def _database():
    """Run a server in a directory that its user may enter; yield the URL."""
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        with running_postgres(pathlib.Path(path) / "postgres") as port:
            yield f"postgresql://salt@127.0.0.1:{port}/postgres"


class _Fleet:
    """Masters of a cluster, one minion and one stream of jobs for each, a key, and the lease."""

    def __init__(self, house, url, plan):
        self.url = url
        self.ticks = house.root / "ticks"
        cluster = Masters(house.root, url)
        house.keep(contextlib.closing(_Ending(cluster.stop)))
        key_pairs.place(house.root / "held", "minion")
        pending = house.root / "m0" / "pki" / "minions_pre"
        pending.mkdir(parents=True)
        (pending / HELD).write_bytes((house.root / "held" / "minion.pub").read_bytes())
        roots = {"base": [str(cluster_runs.write_tree(house.root))]}
        for index in range(plan.masters):
            settings = {
                "log_level": "warning",
                "is_forked": False,
                **cluster_absences.LOGGED,
                "file_roots": roots,
            }
            cluster.start(f"m{index}", schedule=self._schedule(f"m{index}"), **settings)
        self.masters = cluster.all
        moving = {
            "master_type": "distributed",
            "master_alive_interval": 1,
            "auth_timeout": 5,
            "auth_tries": 1,
            **cluster_absences.LOGGED,
        }
        self.minions = [house.minion(self.masters, f"n{index}", **moving) for index in range(plan.masters)]
        self.authors = [
            Author(master, house.root / f"ran-{minion.id}", minion.id, plan.pace)
            for master, minion in zip(self.masters, self.minions, strict=True)
        ]
        self.keys = KeyHolder(self.masters, HELD, plan.pace)
        self.runs = Orchestrator(self.masters, [minion.id for minion in self.minions], house.root, plan.pace)
        self.leases = LeaseWatch(url)

    def _schedule(self, id):
        words = ["cmd.run", f"echo {id} $(date +%s.%N) >> {self.ticks}"]
        # Calls on a master use no shell of themselves.
        call = {"args": words, "kwargs": {"python_shell": True}}
        return {"tick": {"function": "salt.cmd", **call, "seconds": 1}}

    def connections(self):
        """Return {minion: its connections}."""
        texts = {one.id: pathlib.Path(one.settings["log_file"]).read_text() for one in self.minions}
        return {id: cluster_absences.connections(text) for id, text in texts.items()}

    def master(self, id):
        """Return the master with an id."""
        return next(master for master in self.masters if master.settings["id"] == id)


class _Ending:
    """Adapter of a daemon for `contextlib.closing`."""

    def __init__(self, end):
        self.close = end


class KillRun:
    """Kills and restarts of masters; `resumed` are the times until their work resumed (s)."""

    def __init__(self, plan, fleet):
        self.done = []
        self.resumed = []
        self.failed_starts = 0
        self.trouble = ""
        self._plan, self._fleet = plan, fleet
        self._points = random.Random(plan.seed)

    def kill_all(self, say):
        """Kill as often as planned, within the time limit."""
        clock = Deadline(self._plan.seconds)
        try:
            self._wait_for_all()
            while len(self.done) < self._plan.kills and clock.left:
                self._commit()
                if len(self.done) % 10 == 0:
                    taken = sum(len(author.taken) for author in self._fleet.authors)
                    say(f"{len(self.done)} of {self._plan.kills} kills in {clock.passed:.0f} s, {taken} jobs")
        except AssertionError as exc:
            self.trouble = str(exc)
            say(f"kill {len(self.done) + 1}: {self.trouble}")

    def settle(self):
        """Wait until no job is running."""
        try:
            self._fleet.runs.settle(self._fleet.url)
            with LocalClient(c_path=str(self._fleet.masters[0].config_dir / "master")) as local:
                cluster_load.settle(self._fleet.minions, local)
        except AssertionError as exc:
            self.trouble = str(exc)

    def _commit(self):
        role, point = self._points.choice(ROLES), self._points.choice(POINTS)
        author = self._points.choice(self._fleet.authors)
        away = self._points.choice(AWAY)
        victim = self._victim(role, author)
        self._wait_for(point, author)
        jitter = self._points.choice((0.0, self._points.uniform(0, 0.02), self._points.uniform(0, 0.5)))
        author.is_ending.wait(jitter)
        victim.kill()
        author.is_ending.wait(away)
        began = time.monotonic()
        self._start(victim)
        self._wait_for_all()
        self.resumed.append(time.monotonic() - began)
        self.done.append((role, point))

    def _start(self, victim):
        """Start a master as a service manager does: again if the database was too slow for a start."""
        clock = Deadline(PATIENCE)
        while True:
            try:
                victim.start()
                return
            except AssertionError:
                victim.kill()
                self.failed_starts += 1
                if not clock.left:
                    raise

    def _victim(self, role, author):
        if role == "author":
            return author.master
        find = cluster_load.leader if role == "leader" else self._place
        return self._fleet.master(until(lambda: find(self._fleet.url), f"the {role}", seconds=PATIENCE))

    def _place(self, url):
        return cluster_load.place_of(url, self._points.choice(self._fleet.minions).id)

    def _wait_for(self, point, author):
        """Wait for the next event of a kind."""
        worker = self._fleet.keys if point == "key" else author
        count = {
            "asked": lambda: author.requested,
            "taken": lambda: len(author.taken),
            "key": lambda: self._fleet.keys.count,
            "any": lambda: author.requested,
        }[point]
        before = count()
        with worker.changed:
            found = worker.changed.wait_for(lambda: count() > before, PATIENCE)
        assert found, f"nothing goes on: {point}"

    def _wait_for_all(self):
        """Wait until each author has the return of a job that was accepted after this moment."""
        for author in self._fleet.authors:
            before = author.requested
            until(
                lambda author=author, before=before: any(int(one) > before for one in author.numbers()),
                f"a job of {author.master.settings['id']} at {author.id}",
                seconds=PATIENCE,
            )


def report_of(plan, murders, fleet):
    """Return the measurements of a night."""
    trouble = {"trouble": murders.trouble} if murders.trouble else {}
    report = Report("cluster", **dataclasses.asdict(plan), **trouble)
    report.add("kills", len(murders.done), "", ("==", plan.kills))
    report.add("troubles", int(bool(murders.trouble)), "", ("==", 0))
    for role in ROLES:
        report.add(f"kills of the {role}", sum(one == role for one, _ in murders.done))
    for point in POINTS:
        report.add(f"kills at the moment '{point}'", sum(one == point for _, one in murders.done))
    report.add("starts of a master that failed", murders.failed_starts)
    _add_jobs(report, fleet)
    _add_keys(report, fleet)
    _add_leases(report, fleet)
    fleet.runs.add_to(report, fleet.url)
    report.add("work of all after a start, p50", share(murders.resumed, 0.5), "s")
    report.add("work of all after a start, longest", max(murders.resumed, default=None), "s")
    return report


def _add_jobs(report, fleet):
    jobs, returns = cluster_load.kept(fleet.url)
    taken = {(jid, author.id): number for author in fleet.authors for jid, number in author.taken.items()}
    ran = [(author.id, number) for author in fleet.authors for number in author.numbers()]
    returned = {(id, jobs[jid]) for (jid, id), value in returns.items() if value == jobs[jid]}
    report.add("jobs taken", len(taken))
    report.add("jobs returned", len(returned))
    report.add("taken and not stored", sum(jid not in jobs for jid, _ in taken), "", ("==", 0))
    _add_lost(report, fleet, [one for one in taken if one not in returns])
    report.add("ran and the return is lost", len(set(ran) - returned), "", ("==", 0))
    twice = sorted({one for one in ran if ran.count(one) > 1}) if len(ran) > len(set(ran)) else []
    report.add("jobs that ran twice", len(twice), "", ("==", 0))
    report.add("returned without having run", len(returned - set(ran)), "", ("==", 0))


def _add_lost(report, fleet, missing):
    """Distinguish lost jobs from those whose minion had no connection for the whole redelivery time."""
    moments = {(jid, author.id): at for author in fleet.authors for jid, at in author.moments.items()}
    connections = fleet.connections()
    away = [one for one in missing if cluster_absences.missed_by_design(connections[one[1]], moments[one])]
    lost = [one for one in missing if one not in away]
    report.add("taken, the minion away for as long as a job is given again", len(away))
    report.add("taken and never returned, the minion there", len(lost), "", ("==", 0))
    for kind, some in (("away", away[:5]), ("lost", lost[:20])):
        for jid, id in some:
            spans = cluster_absences.evidence(connections[id], moments[jid, id])
            report.facts[f"{kind} {jid}"] = f"{id} at {moments[jid, id]:.1f}: {spans}"


def _add_keys(report, fleet):
    report.add("decisions about a key", fleet.keys.count)
    report.add("decisions that another master did not know", len(fleet.keys.wrong), "", ("==", 0))
    final = [cluster_load.states_of(master, HELD) for master in fleet.masters]
    expected = [fleet.keys.decided] if fleet.keys.decided else final[0]
    report.add("masters that differ about a key", sum(one != expected for one in final), "", ("==", 0))


def _add_leases(report, fleet):
    ticks = cluster_load.ticks(fleet.ticks)
    gaps = [later[1] - one[1] for one, later in itertools.pairwise(ticks)]
    report.add("leaders one after the other", len(fleet.leases.seen))
    report.add("leases that went backwards", len(fleet.leases.backwards), "", ("==", 0))
    report.add("moments of the schedule that ran", len(ticks))
    report.add("moments that two masters ran", cluster_load.interleaved(ticks), "", ("==", 0))
    report.add("longest time without a leader's schedule", max(gaps, default=None), "s", ("<", 60))
