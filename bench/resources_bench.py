#!/usr/bin/env python3
"""Measure Salt Resources of one Salt-compatible system, and Ansible at the same work.

    resources_bench.py --bin DIR [CASE ...]                   stock Salt's console scripts in DIR
    resources_bench.py --salt 'salt-g cmd' --run 'salt-g run' --master 'salt-g master' \\
                       --minion 'salt-g minion' [CASE ...]

Cases (default: all):     memory      PSS of the minion with 0, 100, 1000 dummy resources (idle, after
registration)     dummy       wall and CPU of `T@dummy test.ping` for 10, 100, 1000 resources, and the
minion's highest PSS     ssh         wall and CPU of `T@ssh cmd.run` on 10 and 30 resources (an sshd on
ports of the loopback)     state       wall and CPU of `T@ssh state.apply` of 20 states on 5 ssh resources:
first run, second run     ansible     the same commands and 20 file tasks with Ansible (needs --ansible
DIR): pipelining, forks 10                 and 30, with connections made for it and with ones that
ControlPersist keeps

--stock adds what stock 3008.3 needs for the `state` case: a stand-in for the onedir tarball that it would
download (a script that runs --call on the same machine), and `config.option` for the type's loader. `load`
is the machine's load average at the end of the case: wall times of a busy machine compare only with others
of the same minute, CPU times hold. A return that does not come makes the command line wait for its timeout
(60 s and n/3): look at `ok` before the wall time. Linux, root, openssh-server and openssh-client.
Everything lives below a temporary directory; only own processes are ended.
"""

import argparse
import json
import os
import pathlib
import shlex
import signal
import statistics
import sys
import tempfile

from ansible_case import case_ansible
from processes import pss_mib
from resource_fleet import Fleet
from ssh_hosts import Sshd


def dummies(n):
    return {"dummy": {"resource_ids": [f"d-{k:05}" for k in range(n)]}} if n else {}


def fleet(opts, resources):
    root = pathlib.Path(tempfile.mkdtemp(prefix="fleet-", dir=opts.tmp))
    return Fleet(opts, root, resources, timeout=opts.ready)


def case_memory(opts):
    rows, base = [], None
    for n in opts.sizes_memory:
        it = fleet(opts, dummies(n))
        pss = pss_mib(it.minion.pid)
        base = pss if base is None else base
        rows.append(
            {
                "case": f"memory, {n} dummy",
                "minion_pss_mib": pss,
                "over_none_mib": round(pss - base, 1),
                "master_pss_mib": pss_mib(it.master.pid),
                "ready_s": round(it.ready_s, 1),
            }
        )
        it.close()
    return rows


def case_dummy(opts):
    rows = []
    for n in opts.sizes_dummy:
        it = fleet(opts, dummies(n))
        runs = [
            it.job("-C", "T@dummy", "test.ping", wait=60 + n // 3)
            for _ in range(opts.runs if n <= 100 else 1)
        ]
        rows.append(summary(f"T@dummy test.ping, {n}", runs, lambda r: sum(v is True for v in r.values()), n))
        it.close()
    return rows


def summary(label, runs, good, wanted, ready_s=None):
    def med(key):
        return round(statistics.median(row[key] for row in runs), 2)

    return {
        "case": label,
        "wall_s": med("wall_s"),
        "cpu_cli_s": med("cpu_cli_s"),
        "cpu_daemons_s": med("cpu_daemons_s"),
        "cpu_targets_s": med("cpu_targets_s"),
        "minion_peak_pss_mib": max((r["minion_peak_pss_mib"] or 0) for r in runs),
        "ready_s": ready_s,
        "ok": f"{min(good(r['replies']) for r in runs)}/{wanted}",
        "runs": len(runs),
    }


def case_ssh(opts):
    rows = []
    for n in opts.sizes_ssh:
        it = fleet(opts, {"ssh": {"hosts": opts.sshd.hosts(n)}})
        runs = [it.job("-C", "T@ssh", "cmd.run", "echo hi", wait=60) for _ in range(opts.runs)]
        rows.append(
            summary(
                f"T@ssh cmd.run, {n}",
                runs,
                lambda r: sum(str(v).strip() == "hi" for v in r.values()),
                n,
                round(it.ready_s, 1),
            )
        )
        it.close()
    return rows


def state_results(replies, rid):
    """Results of one resource from a return per resource or from one merged block with prefixed ids."""
    if isinstance(replies.get(rid), dict):
        return [v.get("result") for v in replies[rid].values() if isinstance(v, dict)]
    return [
        v.get("result")
        for block in replies.values()
        if isinstance(block, dict)
        for key, v in block.items()
        if f"_|-{rid} " in key and isinstance(v, dict)
    ]


def case_state(opts):
    n, rows = 5, []
    it = fleet(opts, {"ssh": {"hosts": opts.sshd.hosts(n)}})

    def good(r):
        return sum(state_results(r, f"web-{k:02}") == [True] * 20 for k in range(n))

    for label in ("first", "again", "again 2"):
        rows.append(
            summary(
                f"T@ssh state.apply of 20, {n} hosts, {label}",
                [it.job("-C", "T@ssh", "state.apply", "bench", wait=120)],
                good,
                n,
            )
        )
    it.close()
    return rows


CASES = {
    "memory": case_memory,
    "dummy": case_dummy,
    "ssh": case_ssh,
    "state": case_state,
    "ansible": case_ansible,
}


def _sizes(text):
    return [int(size) for size in text.split(",")]


def main():
    """Run the cases and print a row for each measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--bin", help="directory with stock's console scripts: fills the prefixes below")
    for word, script in (
        ("salt", "salt"),
        ("call", "salt-call"),
        ("run", "salt-run"),
        ("key", "salt-key"),
        ("master", "salt-master"),
        ("minion", "salt-minion"),
    ):
        parser.add_argument(f"--{word}", help=f"command prefix in place of {script}")
    parser.add_argument("--ansible", help="directory with ansible and ansible-playbook")
    parser.add_argument("--stock", action="store_true", help="see above")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--port",
        type=int,
        default=24605,
        help="publish port; request port is the next, sshd ports start 20 above",
    )
    parser.add_argument("--ready", type=int, default=240, help="seconds to wait for the fleet")
    parser.add_argument(
        "--process-count-max", type=int, default=0, help="minion setting of that name (0: default)"
    )
    parser.add_argument("--sizes-memory", type=_sizes, default=[0, 100, 1000])
    parser.add_argument("--sizes-dummy", type=_sizes, default=[10, 100, 1000])
    parser.add_argument("--sizes-ssh", type=_sizes, default=[10, 30])
    parser.add_argument("--json", help="also write the rows there")
    opts = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("resources_bench: told to stop"))
    names = opts.cases or list(CASES)
    if unknown := set(names) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    for word, script in (
        ("salt", "salt"),
        ("call", "salt-call"),
        ("run", "salt-run"),
        ("key", "salt-key"),
        ("master", "salt-master"),
        ("minion", "salt-minion"),
    ):
        given = getattr(opts, word)
        setattr(opts, word, shlex.split(given) if given else [f"{opts.bin}/{script}"] if opts.bin else None)
    if set(names) - {"ansible"} and not all((opts.salt, opts.run, opts.master, opts.minion)):
        parser.error("needs --bin, or --salt --run --master --minion")
    rows, opts.fleets = [], []
    with tempfile.TemporaryDirectory(prefix="resources-bench-") as tmp:
        opts.tmp = tmp
        opts.sshd = (
            Sshd(pathlib.Path(tmp) / "ssh", opts.port + 20, 30)
            if set(names) & {"ssh", "state", "ansible"}
            else None
        )
        try:
            for name in names:
                for row in CASES[name](opts):
                    rows.append(row | {"load": round(os.getloadavg()[0], 1)})
                    row = rows[-1]
                    print(
                        row["case"].ljust(58),
                        " ".join(f"{k}={v}" for k, v in row.items() if k != "case"),
                        flush=True,
                    )
        finally:
            for it in list(opts.fleets):
                it.close()
            if opts.sshd:
                opts.sshd.stop()
            if opts.json:
                pathlib.Path(opts.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
