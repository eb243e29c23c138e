#!/usr/bin/env python3
"""Three masters on one PostgreSQL database, thousands of minions, and one master that is killed during a job.

    cluster.py --salt-g PROGRAM --url postgresql://salt@127.0.0.1/salt -n 9000 --directory DIR --json FILE

starts the masters in DIR (the database must be new to salt-g), and processes of simulated minions. Each
minion runs a job for a random part of --work seconds, tries to return it until that is acknowledged, and
drops a job that comes again. When a master is killed, its minions notice that within --alive seconds, sign in
at one of the others, subscribe, and send their grains. Phases:

  sign-in, grains, connect   as in thousands.py; each minion at one of the masters
  idle       nothing happens for --idle seconds
  before     --jobs jobs to all, with CPU of all masters for each return
  kill       a job to all; SIGKILL of its master after a third of --work; two more jobs to all, at once and
             after --alive seconds. `seconds` are from the kill until the last return was acknowledged; `kept`
             are the returns in the database, `ran` and `came_again` are minions

Each row has the CPU of each master (s), and the 99th percentile of its hub's delay (ms). To compare with,
`--masters 1 --alone` is one master with the embedded store, and `--masters 1` is one with the database.
The exit code is 1 when a return is missing.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import sys
import time

import gevent
import gevent.pool
import psycopg
import saltwire
import thousands
import zmq.green as zmq
from processes import cpu_s, stop

#: Distance between the ports of two masters.
STEP = 10
#: Time limit of each phase (s).
PATIENCE = 600
#: Time in which all return the job that tells whether they have subscribed (s).
LOOK = 10


class Member(thousands.Master):
    """One of the masters."""

    def __init__(self, options, number):
        own = {**vars(options), "directory": os.path.join(options.directory, f"master{number}")}
        own["port"] = options.port + STEP * number
        super().__init__(argparse.Namespace(**own))
        path = self.config / "master"
        cluster = {} if options.alone else {"id": f"master{number}", "cluster": True, "store": options.url}
        path.write_text(json.dumps({**json.loads(path.read_text()), **cluster}))

    def is_running(self):
        """Return whether it has not ended."""
        return self.process.poll() is None

    def take_key(self, first):
        """Take the key pair of the first master."""
        for name in ("master.pem", "master.pub"):
            source = next(pathlib.Path(first.options.directory).rglob(name))
            target = pathlib.Path(self.options.directory) / source.relative_to(first.options.directory)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


class Part(thousands.Part):
    """One process of minions, spread over all masters. `ran` is {jid: {minion: times that it came}}."""

    def __init__(self, options):
        super().__init__(options)
        self.options = options
        for minion in self.swarm.minions:
            minion.timeout = PATIENCE / 20
        self.ran, self.acknowledged = {}, {}
        self.places = {}
        self.busy = gevent.pool.Group()
        self.signing = gevent.pool.Pool(thousands.AT_ONCE)
        for minion in self.swarm.minions:
            self._place(minion, minion.number % options.masters)

    def connect(self):
        for minion in self.swarm.minions:
            minion.subscribe()
            self.busy.start(gevent.Greenlet(self._listen, minion))

    def move(self, number):
        """Let the minions of a dead master notice that, each in its own time."""
        lost = [minion for minion in self.swarm.minions if self.places[minion.id] == int(number)]
        for minion in lost:
            self.busy.start(gevent.Greenlet(self._move, minion))
        return len(lost)

    def acked(self, jid):
        return len(self.acknowledged.get(jid, ()))

    def runs(self, jid):
        """Return how many minions ran a job, and to how many it came again."""
        times = self.ran.get(jid, {}).values()
        return [len(times), sum(count > 1 for count in times)]

    def errors(self):
        return self.swarm.errors

    def _place(self, minion, number):
        self.places[minion.id] = number
        minion.req.close()
        minion.req.uri = f"tcp://{minion.host}:{self.options.port + STEP * number}"
        minion.publish_port = self.options.port + STEP * number - 1

    def _move(self, minion):
        gevent.sleep(random.uniform(0, self.options.alive))
        before = self.places[minion.id]
        self._place(minion, random.choice([one for one in range(self.options.masters) if one != before]))
        self.signing.spawn(self._settle, minion).join()

    def _settle(self, minion):
        while not self.swarm.sign_in(minion, []):
            gevent.sleep(1)
        minion.sub.close(0)
        minion.subscribe()
        self.busy.start(gevent.Greenlet(self._listen, minion))
        self._give_grains(minion)

    def _listen(self, minion):
        subscriber = minion.sub
        while True:
            try:
                job = self.swarm._decode(minion, subscriber.recv_multipart())
            except zmq.ZMQError:
                return
            except saltwire.WireError as exc:
                self.swarm.count_error("publication", exc)
                continue
            if job["fun"] == "test.sleep" and (job["tgt"] == "*" or minion.id in job["tgt"]):
                self._take(minion, job)

    def _take(self, minion, job):
        """Run a job unless it came before, as minions of ours do."""
        ran = self.ran.setdefault(job["jid"], {})
        ran[minion.id] = ran.get(minion.id, 0) + 1
        if ran[minion.id] == 1:
            self.busy.start(gevent.Greenlet(self._work, minion, job))

    def _work(self, minion, job):
        gevent.sleep(random.uniform(0, float(job["arg"][0])))
        while True:
            try:
                minion.send_return(job, True, timeout=10)
                break
            except (saltwire.WireError, zmq.ZMQError) as exc:
                self.swarm.count_error("return", exc)
                gevent.sleep(random.uniform(0.5, 2))
        self.acknowledged.setdefault(job["jid"], set()).add(minion.id)

    def grains(self):
        pool = gevent.pool.Pool(thousands.AT_ONCE)
        pool.map(self._give_grains, self.swarm.minions)

    def _give_grains(self, minion):
        """Ask for pillar, and so give grains; a master that cannot ask the database does not answer."""
        while True:
            try:
                minion.pillar(_grains(minion))
                return
            except (saltwire.WireError, zmq.ZMQError) as exc:
                self.swarm.count_error("pillar", exc)
                gevent.sleep(random.uniform(0.5, 2))


def _grains(minion):
    """Grains of a minion of ours, which drops jobs that come again."""
    return {**thousands._grains(minion), "saltgversion": "0"}


class Fleet(thousands.Fleet):
    """The parts of this program."""

    program = __file__

    def passed(self, options):
        """Return the options that the parts need."""
        own = ("--alive", str(options.alive), "--masters", str(options.masters))
        return [*super().passed(options), *own]

    def lost(self, number):
        """Let the minions of a killed master notice that; return how many they are."""
        return sum(self.tell_all(f"move {number}"))

    def ran(self, jid):
        """Return the numbers of minions that ran a job, and to which it came again."""
        return [sum(column) for column in zip(*self.tell_all(f"runs {jid}"), strict=True)]


class Night:
    """One run; `rows` are its figures."""

    def __init__(self, options, masters, fleet):
        self.options, self.masters, self.fleet = options, masters, fleet
        self.rows = []
        self._numbers = iter(range(1, 10**6))
        self._clients = [
            saltwire.LocalClient(
                "127.0.0.1", one.options.port, saltwire.LocalClient.read_key(one.root_key()), "root"
            )
            for one in masters
        ]

    def run(self):
        """Go through the phases."""
        self._add("sign-in", lambda: self.fleet.tell_all("auth"))
        self._add("grains", lambda: self.fleet.tell_all("grains"))
        self._add("connect", self._connect)
        self._add("idle", lambda: gevent.sleep(self.options.idle))
        self._add("before", self._before)
        if self.options.masters > 1:
            self._add("kill", self._kill)
        return self.rows

    def _add(self, phase, run):
        before = [(cpu_s([one.process.pid]), one.delays()) for one in self.masters]
        began, told = time.monotonic(), run()
        seconds = time.monotonic() - began
        alive = [(one, *then) for one, then in zip(self.masters, before, strict=True) if one.is_running()]
        self.rows.append(
            {
                "phase": phase,
                "seconds": round(seconds, 2),
                "cpu_s": [round(cpu_s([one.process.pid]) - cpu, 2) for one, cpu, _ in alive],
                "hub_p99_ms": [thousands.delay_at(0.99, delays, one.delays()) for one, _, delays in alive],
                "told": told,
            }
        )
        print(json.dumps(self.rows[-1]), flush=True)

    def _publish(self, number, work):
        """Publish a job and return its jid, once the master takes it: a beat may be late."""
        deadline = time.monotonic() + PATIENCE
        while True:
            jid = time.strftime("%Y%m%d%H%M%S", time.gmtime()) + f"{next(self._numbers):06d}"
            try:
                self._clients[number].publish("*", "test.sleep", [work], jid=jid, timeout=300)
                return jid
            except saltwire.Refused as exc:
                print(f"{jid}: {exc}", file=sys.stderr, flush=True)
                if time.monotonic() > deadline:
                    raise
            gevent.sleep(1)

    def _connect(self):
        self.fleet.tell_all("connect")
        deadline = time.monotonic() + PATIENCE
        while self.options.alone and time.monotonic() < deadline:
            # Those who have not subscribed yet miss it.
            if (count := self.fleet.acknowledged(self._publish(0, 0), LOOK)) == self.options.n:
                return count
        while (count := self._count("connected", "true")) < self.options.n and time.monotonic() < deadline:
            gevent.sleep(0.5)
        return count

    def _before(self):
        pids = [one.process.pid for one in self.masters]
        cpu, began, jobs = cpu_s(pids), time.monotonic(), range(self.options.jobs)
        counts = [self.fleet.acknowledged(self._publish(n % len(pids), 0), PATIENCE) for n in jobs]
        seconds = time.monotonic() - began
        each = round(1000 * (cpu_s(pids) - cpu) / max(1, sum(counts)), 3)
        return {"acknowledged": counts, "seconds": round(seconds, 2), "cpu_ms_each": each}

    def _kill(self):
        work = self.options.work
        jids = {"in the middle": self._publish(0, work)}
        gevent.sleep(work / 3)
        killed = time.monotonic()
        self.masters[0].kill()
        moved = self.fleet.lost(0)
        jids["at once"] = self._publish(1, work)
        gevent.sleep(self.options.alive)
        jids["while they move"] = self._publish(-1, work)
        told = {"moved": moved}
        for name, jid in jids.items():
            count = self.fleet.acknowledged(jid, PATIENCE)
            told[name] = {"acknowledged": count, "seconds": round(time.monotonic() - killed, 2)}
            ran, again = self.fleet.ran(jid)
            told[name].update(kept=self._count("returns", f"jid = '{jid}'"), ran=ran, came_again=again)
        errors = {}
        for part in self.fleet.tell_all("errors"):
            for text, count in part.items():
                errors[text] = errors.get(text, 0) + count
        return {**told, "errors": errors}

    def _count(self, table, where):
        with psycopg.connect(self.options.url) as server:
            return server.execute(f"SELECT count(*) FROM salt_g.{table} WHERE {where}").fetchone()[0]


def _run(options):
    masters = [Member(options, number) for number in range(options.masters)]
    fleet = None
    try:
        for one in masters:
            if one is not masters[0]:
                one.take_key(masters[0])
            one.start()
        fleet = Fleet(options, masters[-1].root_key())
        return Night(options, masters, fleet).run()
    finally:
        if fleet is not None:
            fleet.stop()
        for one in masters:
            if one.process is not None and one.process.poll() is None:
                stop(one.process)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--salt-g", default="salt-g")
    add("--url", help="URL of the database")
    add("-n", type=int, default=9000, help="minions; each takes two of a master's descriptors")
    add("--masters", type=int, default=3)
    add("--alone", action="store_true", help="one master with the embedded store")
    add("--idle", type=float, default=30)
    add("--jobs", type=int, default=3)
    add("--parts", type=int, default=3)
    add("--keys", type=int, default=1024, help="different keys of all minions together")
    add("--port", type=int, default=21606, help="of the first master; those around it are used, too")
    add("--directory", required=True, help="is made")
    add("--work", type=float, default=15, help="longest time that a minion runs a job (s)")
    add("--alive", type=float, default=10, help="time in which minions notice a dead master (s)")
    add("--json")
    add("--part", help=argparse.SUPPRESS)
    add("--root-key", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        Part(options).run()
        os._exit(0)
    figures = _run(options)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=1))
    told = figures[-1]["told"]
    jobs = [one for one in told.values() if isinstance(one, dict) and "kept" in one]
    sys.exit(any(one["kept"] < options.n for one in jobs))


if __name__ == "__main__":
    main()
