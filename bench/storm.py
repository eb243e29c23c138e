#!/usr/bin/env python3
"""A storm of highstates: simulated minions ask a master at once for all that a highstate needs, and return.

Each signs in, gets its pillar (a tree of --pillar-sls rendered files), asks for --files files, and sends
one return of --states states. Meanwhile a further minion pings. Any master that speaks the protocol may be
measured.

    storm.py -n 200 --host 127.0.0.1 --ret-port 4506 --master-pid PID --pillar-dir DIR --files-dir DIR \\
             --pki-dir DIR [--json FILE]

--pillar-dir and --files-dir are roots of that master; the trees are written there first. Prints one JSON
object: seconds until all have their pillar, seconds until all have everything, CPU of the master's whole
process tree, and median, 99th percentile and maximum of the pings.
"""

import argparse
import json
import os
import pathlib
import time

import gevent
import gevent.pool
import saltwire
import zmq.green as zmq
from processes import cpu_s

#: Pairs of keys that the minions share, and sign-ins at a time.
KEYS, SIGN_INS = 8, 50
PILLAR_MAP = "{% set base = {'Debian': {'pkg': 'nginx'}, 'RedHat': {'pkg': 'httpd'}} %}\n"
PILLAR_SLS = """\
{% from 'map.jinja' import base with context %}
NAME:
  pkg: {{ base.get(grains['os_family'], {}).get('pkg', 'none') }}
  host: {{ grains['id'] }}
  values:
{% for i in range(30) %}    key{{ i }}:
      name: value-{{ i }}-{{ grains['id'] }}
      port: {{ 8000 + i }}
      enabled: {{ 'true' if i % 2 else 'false' }}
{% endfor %}"""


class Storm:
    """The minions of one run, and what they saw; times are seconds since the start."""

    def __init__(self, options):
        self.options = options
        context = zmq.Context()
        keys = [saltwire.KeyPair.load_or_create(f"{options.pki_dir}/k{i}") for i in range(KEYS)]
        *self.fleet, self.watcher = (
            saltwire.Minion(
                f"storm-{i:04d}",
                options.host,
                options.ret_port,
                keys=keys[i % KEYS],
                context=context,
                timeout=options.timeout,
            )
            for i in range(options.n + 1)
        )
        self.result = _state_result(options.states)
        self.got_pillar, self.got_all, self.pings, self.sizes, self.errors = [], [], [], [], []

    def sign_in(self):
        """Sign all in, and fetch one pillar, so that templates are warm."""
        pool = gevent.pool.Pool(SIGN_INS)
        pool.map(lambda minion: minion.authenticate(), [*self.fleet, self.watcher])
        self.fleet[0].pillar(_grains(self.fleet[0]))

    def run(self):
        """Let the storm go, and give the figures."""
        before, self._began = cpu_s([self.options.master_pid]), time.monotonic()
        watching = gevent.spawn(self._watch)
        gevent.joinall([gevent.spawn(self._converge, minion) for minion in self.fleet])
        watching.kill()
        spent = cpu_s([self.options.master_pid]) - before
        return {
            "minions": self.options.n,
            "pillar_s": round(max(self.got_pillar, default=0), 2),
            "all_s": round(max(self.got_all, default=0), 2),
            "done": len(self.got_all),
            "master_cpu_s": round(spent, 2),
            "master_cpu_ms_each": round(1000 * spent / self.options.n, 1),
            "ping_ms": {
                "p50": _percentile(self.pings, 0.5),
                "p99": _percentile(self.pings, 0.99),
                "max": _percentile(self.pings, 1),
            },
            "pillar_chars": self.sizes[0] if self.sizes else 0,
            "errors": self.errors[:5],
        }

    def _converge(self, minion):
        try:
            self.sizes.append(len(str(minion.pillar(_grains(minion)))))
            self.got_pillar.append(time.monotonic() - self._began)
            for i in range(self.options.files):
                minion.fetch(f"storm{i}.conf")
            minion.send_return({"jid": "req", "fun": "state.apply", "user": "root"}, self.result)
            self.got_all.append(time.monotonic() - self._began)
        except Exception as exc:  # one minion's failure is a figure
            self.errors.append(f"{minion.id}: {exc!r}")

    def _watch(self):
        while True:
            began = time.monotonic()
            try:
                self.watcher.request({"cmd": "_file_envs"}, timeout=self.options.timeout)
            except saltwire.WireError as exc:
                self.errors.append(f"ping: {exc!r}")
            self.pings.append(time.monotonic() - began)
            gevent.sleep(0.05)


def _grains(minion):
    return {
        "id": minion.id,
        "os": "Debian",
        "os_family": "Debian",
        "kernel": "Linux",
        "osrelease": "12",
        "fqdn": minion.id,
    }


def _state_result(states):
    return {
        f"test_|-s{i}_|-s{i}_|-nop": {
            "name": f"s{i}",
            "changes": {},
            "result": True,
            "comment": "Success!",
            "__run_num__": i,
            "__sls__": "a",
            "duration": 0.5,
            "start_time": "10:00:00.000000",
            "__id__": f"s{i}",
        }
        for i in range(states)
    }


def _write_trees(options):
    pillar, files = pathlib.Path(options.pillar_dir), pathlib.Path(options.files_dir)
    names = [f"part{i}" for i in range(options.pillar_sls)]
    half = len(names) // 2
    top = {"base": {"*": names[:half], "os:Debian": [{"match": "grain"}, *names[half:]]}}
    (pillar / "top.sls").write_text(json.dumps(top))
    (pillar / "map.jinja").write_text(PILLAR_MAP)
    for name in names:
        (pillar / f"{name}.sls").write_text(PILLAR_SLS.replace("NAME", name))
    for i in range(options.files):
        (files / f"storm{i}.conf").write_text(f"# {i}\n" + "line of a configuration file\n" * 60)


def _percentile(seconds, share):
    """Give the value at `share` of 1, in milliseconds."""
    ordered = sorted(seconds)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000, 1) if ordered else None


def main():
    """Write the trees, run the storm, print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--ret-port", type=int, required=True)
    parser.add_argument("--master-pid", type=int, required=True)
    parser.add_argument("--pillar-dir", required=True)
    parser.add_argument("--files-dir", required=True)
    parser.add_argument("--pki-dir", required=True)
    parser.add_argument("--pillar-sls", type=int, default=30)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--json")
    options = parser.parse_args()
    _write_trees(options)
    os.makedirs(options.pki_dir, exist_ok=True)
    storm = Storm(options)
    storm.sign_in()
    figures = json.dumps(storm.run())
    print(figures)
    if options.json:
        pathlib.Path(options.json).write_text(figures)


if __name__ == "__main__":
    main()
