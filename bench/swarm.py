#!/usr/bin/env python3
"""Load a Salt master with simulated minions, all in one process.

Every simulated minion has its own id, its own SUB and its own REQ connection and its own session key; by
default all share one pair of RSA keys (--distinct-keys: one each). There are three phases, and one JSON
document at the end:

  auth     all sign in, at most --auth-concurrency at a time
  connect  all subscribe; over when one publication has reached all of them
  jobs     jobs are published to --tgt, one after another; every minion answers every job, and a job
           ends when the last return was acknowledged

Any master that speaks the protocol may be measured; it must accept the keys (auto_accept). Remove the keys
afterwards: `salt-g key -y -d 'swarm-*'`.
"""

import argparse
import json
import os
import resource
import sys
import time
import traceback

import gevent
from processes import Sampler, pss_mib
from simulated import Swarm

#: Sockets of one minion on this side, and what the process needs besides.
DESCRIPTORS_EACH, DESCRIPTORS_BESIDE = 4, 64


class Measurement:
    """What one run gives, phase by phase; `tree` samples the master's processes when its pid is known."""

    def __init__(self, options):
        self.figures = {
            "label": options.label,
            "n": options.n,
            "echo": options.echo,
            "truncated": False,
        }
        self.tree = Sampler(options.master_pid) if options.master_pid else None
        self._began = time.monotonic()
        self._watcher = gevent.spawn(self._watch) if self.tree else None
        if self.tree:
            self.figures["master_before"] = self._memory()

    def _watch(self):
        while True:
            self.tree.sample()
            gevent.sleep(1)

    def _memory(self):
        _, rss = self.tree.sample()
        figures = {"procs": self.tree.count, "rss_mb": round(rss / 2**20, 1)}
        if pss := pss_mib(self.tree.pid):
            figures["pss_mb"] = pss
        return figures

    def phase(self, name, run, unit=None):
        """Run one phase and keep its figures; `unit` names the count that the master's CPU is divided by."""
        own, began = _own_cpu(), time.monotonic()
        before = self.tree.sample()[0] if self.tree else 0
        figures = run()
        wall = time.monotonic() - began
        figures["generator_cpu_s"] = round(_own_cpu() - own, 2)
        if self.tree:
            figures["master_cpu_s"] = round(self.tree.sample()[0] - before, 2)
            figures["master_cores"] = round(figures["master_cpu_s"] / wall, 2)
            if figures.get(unit):
                figures["master_cpu_ms_each"] = round(1000 * figures["master_cpu_s"] / figures[unit], 2)
        self.figures[name] = figures

    def finish(self, swarm):
        """Add what holds for the whole run, and give all figures."""
        self.figures["seconds"] = round(time.monotonic() - self._began, 1)
        self.figures["timeouts"], self.figures["retries"] = swarm.timeouts, swarm.retries
        self.figures["reauths"] = sum(minion.reauths for minion in swarm.minions)
        self.figures["errors"] = swarm.errors
        if self.tree:
            self._watcher.kill()
            after = self._memory()
            self.figures["master_after"] = {**after, "peak_rss_mb": round(self.tree.peak_rss / 2**20, 1)}
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.figures["generator_rss_mb"] = round(own / 1024, 1)
        return self.figures


def main():
    """Run all phases, print the figures, and leave with 1 when the run was cut short."""
    options = _options()
    _raise_descriptors(options.n)
    os.makedirs(options.pki_dir, mode=0o700, exist_ok=True)
    swarm = Swarm(options)
    swarm.build()
    measurement = Measurement(options)
    limit = gevent.Timeout(options.max_seconds)
    limit.start()
    try:
        _run_phases(options, swarm, measurement)
    except gevent.Timeout as exc:
        if exc is not limit:
            raise
        measurement.figures["truncated"] = True
    except Exception:
        measurement.figures["crash"] = traceback.format_exc()
    finally:
        limit.close()
    figures = measurement.finish(swarm)
    swarm.close()
    print(json.dumps(figures, indent=1), flush=True)
    # Without waiting for libzmq to end thousands of connections.
    os._exit(1 if figures["truncated"] or "crash" in figures else 0)


def _run_phases(options, swarm, measurement):
    measurement.phase("auth", swarm.auth_all, "ok")
    measurement.phase("connect", swarm.connect_all)
    if options.follow:
        print("READY", file=sys.stderr, flush=True)
        gevent.sleep(options.follow)
        measurement.figures["followed"] = {job.jid: job.acked for job in swarm.jobs.values()}
        return
    while options.wait_file and not os.path.exists(options.wait_file):
        gevent.sleep(0.2)
    measurement.phase("jobs", swarm.run_jobs, "returns_acked")


def _raise_descriptors(minions):
    needed = DESCRIPTORS_EACH * minions + DESCRIPTORS_BESIDE
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and needed > hard:
        raise SystemExit(f"need about {needed} file descriptors, have {hard}")


def _own_cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _options():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("-n", type=int, default=100, help="number of minions")
    add("--host", default="127.0.0.1")
    add("--ret-port", type=int, default=4506)
    add("--follow", type=float, default=0, help="publish nothing, answer for so many seconds")
    add("--wait-file", default="", help="publish when this file is there")
    add("--ret-ports", default="", help="ports of several masters, with commas, in place of --ret-port")
    add("--publish-port", type=int, default=None)
    add("--root-key", required=True, help="<cachedir>/.root_key")
    add("--user", default="root")
    add("--prefix", default="swarm", help="ids are <prefix>-00000 ...")
    add("--pki-dir", default="swarm-pki", help="our keys live here")
    add("--distinct-keys", action="store_true", help="one key per minion")
    add("--no-token", action="store_true", help="sign in as on first contact")
    add("--auth-concurrency", type=int, default=32)
    add("--jobs", type=int, default=10)
    add("--fun", default="test.ping")
    add("--tgt", default="*")
    add("--tgt-type", default="glob")
    add("--echo", type=int, default=0, help="return this many bytes")
    add("--jitter", type=float, default=0.0, help="spread answers, seconds")
    add("--gap", type=float, default=0.2, help="rest between jobs, seconds")
    add("--timeout", type=float, default=60, help="per request")
    add("--tries", type=int, default=3, help="per request")
    add("--job-timeout", type=float, default=120)
    add("--connect-timeout", type=float, default=60)
    add("--zmq-filtering", action="store_true")
    add("--decode-each", action="store_true")
    add("--master-pid", type=int, help="root of the master's process tree")
    add("--max-seconds", type=float, default=300)
    add("--label", default="", help="copied into the output")
    options = parser.parse_args()
    options.ports = [int(port) for port in options.ret_ports.split(",") if port] or [options.ret_port]
    return options


if __name__ == "__main__":
    main()
