#!/usr/bin/env python3
"""A master with thousands of connected minions: what each thing costs that grows with their number.

    thousands.py --salt-g /path/to/salt-g -n 9600 --parts 4 --port 21606 --directory DIR --json FILE

starts that master in DIR, and as many processes of simulated minions (`simulated.py`) as --parts says,
because one process may open only so many files. One row for each phase: seconds, CPU of the master, its
memory, and median and 99th percentile of its hub's delay (from `metrics_port`):

  sign-in    all sign in with keys that are new to the master, --keys different ones
  connect    all subscribe; over when a publication has reached all
  grains     all ask for their pillar, and so send their grains
  idle       nothing happens for --idle seconds
  returns    --jobs jobs to all; over when each return was acknowledged
  target     --targets jobs for a grain that no minion has, so that only the choice of minions costs
  storm      after SIGKILL and a start all sign in again at once; after it a job to all
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.request

import gevent
import gevent.os
import gevent.pool
import saltwire
from Crypto.Math.Numbers import Integer
from Crypto.Math.Primality import generate_probable_prime
from Crypto.PublicKey import RSA
from processes import cpu_s, pss_mib, stop
from simulated import Swarm

#: Sign-ins and pillar requests that one part has under way at a time.
AT_ONCE = 32
BUCKET = re.compile(r'salt_g_hub_delay_seconds_bucket\{le="([^"]+)"\} (\S+)')


class Fleet:
    """The parts: processes that obey one word a line and answer with one line of JSON."""

    program = __file__

    def __init__(self, options, root_key):
        self.n = options.n
        sizes = [options.n // options.parts + (i < options.n % options.parts) for i in range(options.parts)]
        self.parts = [
            subprocess.Popen(
                [
                    sys.executable,
                    self.program,
                    "--part",
                    json.dumps([f"part{i}", size]),
                    *self.passed(options),
                ]
                + ["--root-key", root_key],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for i, size in enumerate(sizes)
        ]
        self.tell_all()

    def tell_all(self, word=""):
        """Give all a word at once, and return their answers."""
        if word:
            for part in self.parts:
                part.stdin.write(word + "\n")
                part.stdin.flush()
        return [json.loads(part.stdout.readline()) for part in self.parts]

    def passed(self, options):
        """Return the options that the parts need."""
        return _passed(options)

    def acknowledged(self, jid, seconds):
        """Wait until all returns of a job were acknowledged; return how many were."""
        deadline = time.monotonic() + seconds
        while (count := sum(self.tell_all(f"acked {jid}"))) < self.n and time.monotonic() < deadline:
            gevent.sleep(0.1)
        return count

    def stop(self):
        """End all parts."""
        for part in self.parts:
            stop(part, 5)


class Master:
    """A master of ours in a directory of its own."""

    def __init__(self, options):
        self.options, self.process = options, None
        directory = pathlib.Path(options.directory).resolve()
        self.config = directory / "etc"
        self.config.mkdir(parents=True)
        (directory / "pillar").mkdir()
        self.metrics = options.port + 1
        settings = {
            "root_dir": str(directory),
            "interface": "127.0.0.1",
            "publish_port": options.port - 1,
            "ret_port": options.port,
            "auto_accept": True,
            "user": "root",
            "max_connections_per_address": 10**6,
            "metrics_port": self.metrics,
            "pillar_roots": {"base": [str(directory / "pillar")]},
        }
        (self.config / "master").write_text(json.dumps(settings))
        self.log = directory / "log"

    def start(self):
        """Start it and wait for its metrics, the last thing that it serves."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.options.salt_g, "master", "-c", str(self.config)], stdout=log, stderr=log
            )
        while True:
            try:
                self.delays()
                return self
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit(self.log.read_text()[-2000:]) from None
                gevent.sleep(0.1)

    def kill(self):
        """Kill it with SIGKILL."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def root_key(self):
        """Return the path of the key that the master's user publishes with."""
        return str(next(pathlib.Path(self.options.directory).rglob(".root_key")))

    def delays(self):
        """Return {upper bound: delays of the hub up to it} since the start."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics", timeout=60) as answer:
            return {float(le): float(count) for le, count in BUCKET.findall(answer.read().decode())}


class Rows:
    """The figures, a row for each phase."""

    def __init__(self, master):
        self.master, self.rows = master, []

    def measure(self, phase, run, each):
        """Run a phase and add its row; CPU is divided by `each`."""
        delays, cpu, began = self.master.delays(), cpu_s([self.master.process.pid]), time.monotonic()
        told = run()
        seconds, cpu = time.monotonic() - began, cpu_s([self.master.process.pid]) - cpu
        row = {
            "phase": phase,
            "seconds": round(seconds, 2),
            "cpu_s": round(cpu, 2),
            "cpu_ms_each": round(1000 * cpu / each, 3),
            "hub_p50_ms": delay_at(0.5, delays, self.master.delays()),
            "hub_p99_ms": delay_at(0.99, delays, self.master.delays()),
            "pss_mib": pss_mib(self.master.process.pid),
            "told": told,
        }
        self.rows.append(row)
        print(json.dumps(row), flush=True)


def delay_at(share, before, after):
    """Give the bucket (ms) that holds a share of the delays between two moments."""
    counts = {bound: after[bound] - before.get(bound, 0) for bound in sorted(after)}
    total = max(counts.values())
    return next((1000 * bound for bound, count in counts.items() if count >= share * total), None)


def _run(options):
    master = Master(options).start()
    rows, n = Rows(master), options.n
    fleet = Fleet(options, master.root_key())
    client = saltwire.LocalClient(
        "127.0.0.1", options.port, saltwire.LocalClient.read_key(master.root_key()), "root"
    )
    jids = iter(range(1, 10**6))

    def publish(tgt, tgt_type="glob"):
        jid = time.strftime("%Y%m%d%H%M%S", time.gmtime()) + f"{next(jids):06d}"
        client.publish(tgt, "test.ping", tgt_type=tgt_type, jid=jid, timeout=300)
        return jid

    def jobs(number):
        return [fleet.acknowledged(publish("*"), 300) for _ in range(number)]

    try:
        rows.measure("start", lambda: None, 1)
        rows.measure("sign-in", lambda: fleet.tell_all("auth"), n)
        rows.measure("connect", lambda: fleet.tell_all("connect"), n)
        rows.measure("grains", lambda: fleet.tell_all("grains"), n)
        rows.measure("idle", lambda: gevent.sleep(options.idle), options.idle)
        rows.measure("returns", lambda: jobs(options.jobs), n * options.jobs)
        for name, target in (
            ("target: first", ("grain", "role:none")),
            ("target: grain", ("grain", "role:none")),
            ("target: grain_pcre", ("grain_pcre", "role:n.ne$")),
            ("target: compound", ("compound", "G@role:none and G@os:Debian and not G@dc:x")),
        ):
            count = 1 if name.endswith("first") else options.targets
            rows.measure(name, lambda t=target, c=count: _aim(publish, t, c), count)
        master.kill()
        master.start()
        rows.measure("target: first after it", lambda: _aim(publish, ("grain", "role:none"), 1), 1)
        rows.measure("storm", lambda: fleet.tell_all("auth"), n)
        rows.measure("job after it", lambda: jobs(1), n)
    finally:
        fleet.stop()
        stop(master.process)
    return rows.rows


def _aim(publish, target, count):
    tgt_type, tgt = target
    for _ in range(count):
        publish(tgt, tgt_type)


class Part:
    """One process of simulated minions."""

    def __init__(self, options):
        prefix, n = json.loads(options.part)
        options = argparse.Namespace(
            **{**vars(options), "n": n, "prefix": prefix, "ports": [options.port], "host": "127.0.0.1"},
            pki_dir=os.path.join(options.directory, "pki", prefix),
            ret_port=options.port,
            publish_port=None,
            user="root",
            distinct_keys=False,
            no_token=False,
            auth_concurrency=AT_ONCE,
            fun="test.ping",
            tgt="*",
            echo=0,
            jitter=0.0,
            timeout=120,
            tries=5,
            connect_timeout=180,
            zmq_filtering=False,
            decode_each=False,
            follow=1.0,
        )
        os.makedirs(options.pki_dir, mode=0o700)
        self.swarm = Swarm(options)
        self.swarm.build()
        keys = _pairs(max(1, options.keys // options.parts))
        for i, minion in enumerate(self.swarm.minions):
            minion.keys = keys[i % len(keys)]
            minion.number = i
            minion.keys.tok  # noqa: B018 - made now, not while the clock runs
            # Each has an address of its own, as minions have.
            minion.host = f"127.{int(prefix[4:]) + 1}.{i // 250}.{i % 250 + 1}:0;127.0.0.1"
            minion.req.uri = f"tcp://{minion.host}:{options.port}"

    def run(self):
        """Obey until the input ends."""
        self._say("built")
        while line := self._line():
            word, *more = line.split()
            self._say(getattr(self, word)(*more))

    def auth(self):
        figures = self.swarm.auth_all()
        return {**figures, "errors": self.swarm.errors, "retries": self.swarm.retries}

    def connect(self):
        return self.swarm.connect_all()

    def grains(self):
        pool = gevent.pool.Pool(AT_ONCE)
        pool.map(lambda minion: minion.pillar(_grains(minion)), self.swarm.minions)

    def acked(self, jid):
        return self.swarm.jobs[jid].acked if jid in self.swarm.jobs else 0

    def _line(self):
        """Read a line while the minions go on."""
        line = b""
        while not line.endswith(b"\n"):
            byte = gevent.os.tp_read(0, 1)
            if not byte:
                return ""
            line += byte
        return line.decode()

    def _say(self, answer):
        print(json.dumps(answer), flush=True)


def _pairs(number):
    """Make so many different pairs of keys; they share primes, which nobody but a benchmark may do."""
    primes, pairs = [], []
    while len(pairs) < number:
        while True:
            prime = generate_probable_prime(exact_bits=1024)
            # So that each product of two has 2,048 bits.
            if int(prime) >> 1022 == 3 and (int(prime) - 1) % 65537:
                break
        pairs += [saltwire.KeyPair(_key(int(prime), other)) for other in primes]
        primes.append(int(prime))
    return pairs[:number]


def _key(p, q):
    d = pow(65537, -1, (p - 1) * (q - 1))
    return RSA.construct((p * q, 65537, d, p, q, int(Integer(p).inverse(q))), consistency_check=False)


def _grains(minion):
    """Grains of some 4 KiB, as many as a real minion has; `role` has 100 values."""
    return {
        "id": minion.id,
        "os": "Debian",
        "os_family": "Debian",
        "role": [f"r{minion.number % 100}", "base"],
        "dc": f"dc{minion.number % 4}",
        "fqdn": f"{minion.id}.example.com",
        "ipv4": ["127.0.0.1", f"10.1.{minion.number // 250}.{minion.number % 250}"],
        "ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": [f"10.1.{minion.number // 250}.1"]},
        **{f"fact{i}": f"value {i} of a grain of ordinary length" for i in range(50)},
    }


def _passed(options):
    return [
        *("--port", str(options.port), "--directory", options.directory),
        *("--keys", str(options.keys), "--parts", str(options.parts)),
    ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--salt-g", default="salt-g")
    add("-n", type=int, default=9600, help="minions; each takes two of the master's descriptors")
    add("--parts", type=int, default=4)
    add("--keys", type=int, default=2048, help="different keys of all minions together")
    add("--port", type=int, default=21606, help="the port before it and the one after it are used, too")
    add("--directory", required=True, help="is made")
    add("--idle", type=float, default=30)
    add("--jobs", type=int, default=3)
    add("--targets", type=int, default=20)
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
