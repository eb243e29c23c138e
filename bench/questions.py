#!/usr/bin/env python3
"""Questions about a fleet over time, to a master with a long history that serves jobs meanwhile.

    questions.py --salt-g /path/to/salt-g -n 10000 --changes 100 --directory DIR --json FILE

starts that master in DIR with `history` and `impact`. Each of -n simulated minions returns one state run with
--changes changed files and with what it read. Then --rate jobs a second go to one minion each, in turn, while
each question is asked --times times by its command. Rows as those of thousands.py:

  sign-in, fill   all sign in; all return, over when each return was acknowledged
  index           over when the history has all changes
  jobs            the jobs alone, for --alone seconds
  questions       the jobs, and the questions one after another

`told` of the last one has for each question the median and the most milliseconds of its command by the clock,
and `above_ms`, the median above that of a question which finds nothing; of the jobs, how many were sent and
returned.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import sqlite3
import statistics
import time
import zlib

import gevent
import gevent.pool
import gevent.subprocess as subprocess
import saltwire
import thousands
import zmq.green as zmq
from processes import stop

#: Paths of files, different diffs, minions that answer jobs.
PATHS, DIFFS, LISTENERS = 3000, 20_000, 50
#: Time limit of the index (s).
PATIENCE = 1800
#: Questions that find nothing, by command.
NOTHING = {"history": ("history", "/none"), "drift": ("history", "/none"), "impact": ("impact", "grain:none")}
QUESTIONS = {
    "history of a path": ("history", "/etc/app7/conf"),
    "history of a path of all minions": ("history", "/etc/motd"),
    "drift": ("drift",),
    "impact of a pillar key": ("impact", "pillar:app7:port"),
    "impact of a file that all read": ("impact", "salt://base/map.jinja"),
}


class Master(thousands.Master):
    """A master with a history."""

    def __init__(self, options):
        super().__init__(options)
        path = self.config / "master"
        path.write_text(json.dumps({**json.loads(path.read_text()), "history": True, "impact": True}))

    def changes(self):
        """Return how many changes its history has."""
        store = next(pathlib.Path(self.options.directory).rglob("store.sqlite"))
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=60) as connection:
            return connection.execute("SELECT count(*) FROM changes").fetchone()[0]


class Part(thousands.Part):
    """One process of minions."""

    def fill(self, changes):
        """Return a state run of each minion."""
        draw = random.Random(self.swarm.options.prefix)

        def converge(minion):
            job = {"jid": "req", "fun": "state.apply", "user": "root", "arg": []}
            more = {"read_set": _read_set(draw), "low_digests": draw.randbytes(8 * int(changes))}
            minion.send_return(job, _state_result(draw, int(changes)), **more)

        gevent.pool.Pool(thousands.AT_ONCE).map(converge, self.swarm.minions)

    def listen(self):
        """Let the first minions answer jobs; return their ids."""
        self.returned = 0
        first = self.swarm.minions[:LISTENERS]
        for minion in first:
            minion.subscribe()
            self.swarm.answering.start(gevent.Greenlet(self._answer, minion))
        return [minion.id for minion in first]

    def count(self):
        return self.returned

    def _answer(self, minion):
        while True:
            try:
                job = self.swarm._decode(minion, minion.sub.recv_multipart())
                if minion.id in job["tgt"]:
                    minion.send_return(job, True)
                    self.returned += 1
            except (saltwire.WireError, zmq.ZMQError) as exc:
                self.swarm.count_error("job", exc)


class Fleet(thousands.Fleet):
    """The parts of this program."""

    program = __file__


class Load:
    """Jobs at a rate, each to the next of some minions."""

    def __init__(self, client, ids, rate):
        self._client, self._ids, self._rate = client, ids, rate
        self.sent = 0
        self._sending = gevent.spawn(self._send)

    def _send(self):
        began, first = time.monotonic(), time.time_ns()
        while True:
            jid = time.strftime("%Y%m%d%H%M%S", time.gmtime(first / 1e9)) + f"{self.sent:06d}"
            self._client.publish(
                [self._ids[self.sent % len(self._ids)]], "test.ping", tgt_type="list", jid=jid, timeout=60
            )
            self.sent += 1
            gevent.sleep(max(0, began + self.sent / self._rate - time.monotonic()))

    def end(self):
        """End, and return how many jobs were sent."""
        self._sending.kill()
        return self.sent


def _state_result(draw, changes):
    found = {}
    for number in range(changes):
        path = "/etc/motd" if not number else f"/etc/app{draw.randrange(PATHS)}/conf"
        line = draw.randrange(DIFFS)
        found[f"file_|-{number}_|-{path}_|-managed"] = {
            "name": path,
            "changes": {"diff": f"--- \n+++ \n@@ -1 +1 @@\n-port = {line}\n+port = {line + 1}\n"},
            "result": True,
            "comment": f"File {path} updated",
            "__run_num__": number,
            "__sls__": "app",
            "duration": 0.5,
            "start_time": "10:00:00.000000",
            "__id__": path,
        }
    return found


def _read_set(draw):
    """Return a read-set as minions send it: half of them share one of 50, half have their own."""
    seed = draw.randrange(50) if draw.random() < 0.5 else draw.getrandbits(64)
    own = random.Random(seed)
    names = {f"pillar:app{own.randrange(PATHS)}:port": "" for _ in range(40)}
    names |= {
        f"salt://app{own.randrange(PATHS)}/conf.jinja": f"{own.getrandbits(64):016x}" for _ in range(40)
    }
    names |= {"salt://base/map.jinja": "0" * 16, "grain:os": ""}
    body = zlib.compress(json.dumps({"app": names}, sort_keys=True, separators=(",", ":")).encode())
    return hashlib.blake2b(body, digest_size=16).digest() + body


def _run(options):
    master = Master(options).start()
    rows = thousands.Rows(master)
    fleet = Fleet(options, master.root_key())
    client = saltwire.LocalClient(
        "127.0.0.1", options.port, saltwire.LocalClient.read_key(master.root_key()), "root"
    )
    try:
        rows.measure("sign-in", lambda: fleet.tell_all("auth"), options.n)
        rows.measure("fill", lambda: fleet.tell_all(f"fill {options.changes}"), options.n)
        rows.measure("index", lambda: _indexed(master, options.n * options.changes), options.n)
        ids = [id for part in fleet.tell_all("listen") for id in part]
        gevent.sleep(1)  # Until the subscriptions have come.
        for phase, run in (
            ("jobs", lambda: gevent.sleep(options.alone)),
            ("questions", lambda: _ask(options, master)),
        ):
            rows.measure(phase, lambda run=run: _beside(fleet, client, ids, options.rate, run), 1)
    finally:
        fleet.stop()
        stop(master.process)
    return rows.rows


def _indexed(master, wanted):
    deadline = time.monotonic() + PATIENCE
    while (count := master.changes()) < wanted and time.monotonic() < deadline:
        gevent.sleep(0.5)
    return count


def _beside(fleet, client, ids, rate, run):
    """Run something beside jobs; return what it says and how many jobs were sent and returned."""
    before, began = sum(fleet.tell_all("count")), time.monotonic()
    load = Load(client, ids, rate)
    told = run()
    sent, seconds = load.end(), time.monotonic() - began
    deadline = time.monotonic() + 30
    while (returned := sum(fleet.tell_all("count")) - before) < sent and time.monotonic() < deadline:
        gevent.sleep(0.1)
    return {"jobs_sent": sent, "jobs_a_second": round(sent / seconds, 1), "returned": returned, "told": told}


def _ask(options, master):
    starts = {words: _asked(options, master, words)["median_ms"] for words in set(NOTHING.values())}
    found = {}
    for name, words in QUESTIONS.items():
        found[name] = _asked(options, master, words)
        found[name]["above_ms"] = found[name]["median_ms"] - starts[NOTHING[words[0]]]
    return found


def _asked(options, master, words):
    _seconds([options.salt_g, *words, "-c", str(master.config)])
    times = [_seconds([options.salt_g, *words, "-c", str(master.config)]) for _ in range(options.times)]
    return {"median_ms": round(1000 * statistics.median(times)), "most_ms": round(1000 * max(times))}


def _seconds(command):
    began = time.monotonic()
    finished = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if finished.returncode not in (0, 1):
        raise SystemExit(f"{command}: {finished.stderr}")
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--salt-g", default="salt-g")
    add("-n", type=int, default=10_000, help="minions; each takes a descriptor of the master")
    add("--changes", type=int, default=100, help="of each minion")
    add("--rate", type=float, default=50, help="jobs a second")
    add("--alone", type=float, default=10, help="seconds of jobs alone")
    add("--times", type=int, default=9, help="how often each question is asked")
    add("--parts", type=int, default=2)
    add("--keys", type=int, default=256, help="different keys of all minions together")
    add("--port", type=int, default=21606, help="the port before it and the one after it are used, too")
    add("--directory", required=True, help="is made")
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


if __name__ == "__main__":
    main()
