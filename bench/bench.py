#!/usr/bin/env python3
"""Side-by-side benchmark of salt-g against stock Salt (or any two Salt-compatible systems).

    bench.py startup  --a SYSTEM --b SYSTEM     wall time of one-shot commands
    bench.py converge --a SYSTEM --b SYSTEM     masterless state.apply: first run, second run, test=True
    bench.py fleet    --a SYSTEM --b SYSTEM     one master + one minion: CLI wall time, memory, responsiveness
    bench.py recurse  --a SYSTEM --b SYSTEM     file.recurse of N small files from a master: first run, again
    bench.py large    --a SYSTEM --b SYSTEM     file.managed of N MiB from a master: first run, again

A SYSTEM is `salt:BIN_DIR` (stock Salt's console scripts) or `salt-g:BIN_DIR` (one `salt-g` executable), or
`salt-g-file:PATH` for a single-file build. A and B run in turn (A B A B ...), so a ratio holds when the
machine's speed drifts; every figure is a median. Ratios are B/A of time or memory: above 1 means that A is
better. Only the standard library; Linux; writes below a temporary directory that it removes.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from processes import cpu_s, pss_mib, stop

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class System:
    """How to launch each program of one implementation."""

    def __init__(self, spec):
        kind, _, where = spec.partition(":")
        self.name = kind
        if kind == "salt":
            self.argv = {
                p: [f"{where}/{s}"]
                for p, s in {
                    "call": "salt-call",
                    "cmd": "salt",
                    "key": "salt-key",
                    "master": "salt-master",
                    "minion": "salt-minion",
                }.items()
            }
        elif kind in ("salt-g", "salt-g-file"):
            exe = where if kind == "salt-g-file" else f"{where}/salt-g"
            self.argv = {p: [exe, p] for p in ("call", "cmd", "key", "master", "minion")}
        else:
            sys.exit(f"bench: unknown system {spec!r}; use salt:BIN_DIR, salt-g:BIN_DIR or salt-g-file:PATH")

    def __call__(self, program, *args):
        return [*self.argv[program], *map(str, args)]


def lay_out(root, port):
    """Write master and minion config below root; returns the config directory."""
    conf, tree, pillar = root / "etc", root / "srv/salt", root / "srv/pillar"
    for directory in (conf, tree, pillar, root / "out"):
        directory.mkdir(parents=True, exist_ok=True)
    common = {
        "root_dir": str(root),
        "user": "root",
        "log_level_logfile": "error",
        "log_level": "error",
        "file_roots": {"base": [str(tree)]},
        "pillar_roots": {"base": [str(pillar)]},
        "publish_port": port,
    }

    def paths(role):
        return {
            "pki_dir": f"{root}/pki/{role}",
            "cachedir": f"{root}/cache/{role}",
            "sock_dir": f"{root}/run/{role}",
            "log_file": f"{root}/log/{role}",
            "pidfile": f"{root}/run/{role}.pid",
            "conf_file": f"{conf}/{role}",
        }

    master = {
        **common,
        **paths("master"),
        "interface": "127.0.0.1",
        "auto_accept": True,
        "ret_port": port + 1,
    }
    minion = {**common, **paths("minion"), "id": "bench1", "master": "127.0.0.1", "master_port": port + 1}
    (conf / "master").write_text(json.dumps(master))
    (conf / "minion").write_text(json.dumps(minion))
    return conf


TREES = {
    # name: (sls text with {n} and {out}, what it stresses)
    "files": """
{{% for i in range({n}) %}}
{out}/f{{{{ i }}}}:
  file.managed:
    - contents: "hello {{{{ i }}}}"
    - makedirs: True
{{% endfor %}}
""",
    "templates": """
{{% for i in range({n}) %}}
{out}/t{{{{ i }}}}:
  file.managed:
    - source: salt://t.conf
    - template: jinja
    - context: {{i: {{{{ i }}}}}}
    - mode: '0644'
{{% endfor %}}
""",
    "requisites": """
{{% for i in range({n}) %}}
step-{{{{ i }}}}:
  test.nop:
    - name: step
{{%- if i %}}
    - require:
      - test: step-{{{{ i - 1 }}}}
{{%- if i > 10 %}}
    - onchanges:
      - test: step-{{{{ i - 10 }}}}
{{%- endif %}}
{{%- endif %}}
{{% endfor %}}
""",
    "literal": None,  # the same files as one long literal YAML document, no Jinja loop
}
TEMPLATE = """\
# host {{ grains['id'] }}
value = {{ i }}
{% for k in range(20) %}line {{ k }} {{ i * k }}
{% endfor %}"""


def write_trees(root, n):
    """Write one SLS file per tree into the file root of `root`."""
    tree, out = root / "srv/salt", root / "out"
    for name, text in TREES.items():
        if text is None:
            text = "".join(
                f'{out}/l{i}:\n  file.managed:\n    - contents: "hello {i}"\n    - makedirs: True\n'
                for i in range(n)
            )
        else:
            text = text.format(n=n, out=out)
        (tree / f"{name}.sls").write_text(text)
    (tree / "t.conf").write_text(TEMPLATE)
    (tree / "top.sls").write_text("base:\n  '*': [files]\n")


def timed(argv, check=True, timeout=600):
    """Run argv; returns (wall seconds, user+system seconds, peak RSS in MiB)."""
    start = time.perf_counter()
    proc = subprocess.Popen(argv, **QUIET)
    _, status, usage = os.wait4(proc.pid, 0)
    wall = time.perf_counter() - start
    proc.returncode = os.waitstatus_to_exitcode(status)
    if check and proc.returncode:
        sys.exit(f"bench: exit {proc.returncode}: {' '.join(argv)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compare(label, a_runs, b_runs):
    """One result row from paired runs of (wall, cpu, rss)."""

    def med(runs, k):
        return statistics.median(run[k] for run in runs)

    return {
        "case": label,
        "a_wall_s": round(med(a_runs, 0), 4),
        "b_wall_s": round(med(b_runs, 0), 4),
        "wall_ratio": round(statistics.median(b[0] / a[0] for a, b in zip(a_runs, b_runs, strict=True)), 2),
        "cpu_ratio": round(statistics.median(b[1] / a[1] for a, b in zip(a_runs, b_runs, strict=True)), 2),
        "a_rss_mib": round(med(a_runs, 2), 1),
        "b_rss_mib": round(med(b_runs, 2), 1),
    }


def in_turn(pairs, runs, a, b, prepare=None):
    """pairs: {label: f(system, conf) -> argv}; runs A and B alternately and returns rows."""
    rows = []
    for label, argv_of in pairs.items():
        results = {"a": [], "b": []}
        for k in range(runs + 1):
            for side in (("a", a), ("b", b)) if k % 2 else (("b", b), ("a", a)):
                if prepare:
                    prepare(label, side[1][1])
                sample = timed(argv_of(side[1][0], side[1][1]))
                if k:
                    results[side[0]].append(sample)
        rows.append(compare(label, results["a"], results["b"]))
    return rows


def call(system, root, *words):
    """Give the command line of a masterless call."""
    return system("call", "-c", root / "etc", "--local", "--out=json", *words)


def startup(opts, a, b):
    """Time commands that do next to nothing."""
    pairs = {
        "version": lambda system, root: system("call", "--version"),
        "call test.ping": lambda system, root: call(system, root, "test.ping"),
        "call grains.items": lambda system, root: call(system, root, "grains.items"),
        "call cmd.run": lambda system, root: call(system, root, "cmd.run", "echo hi"),
    }
    return in_turn(pairs, opts.runs, a, b)


def converge(opts, a, b):
    def clean(label, root):
        if label.startswith("first"):
            shutil.rmtree(root / "out")
            (root / "out").mkdir()

    for _, root in (a, b):
        write_trees(root, opts.n)
    pairs = {}

    def apply(*words):
        return lambda system, root: call(system, root, "--out-file=/dev/null", "state.apply", *words)

    for tree in TREES:
        pairs[f"first {tree}"] = apply(tree)
        pairs[f"again {tree}"] = apply(tree)
        pairs[f"test {tree}"] = apply(tree, "test=True")
    pairs["show_lowstate files"] = lambda system, root: call(
        system, root, "--out-file=/dev/null", "state.show_lowstate"
    )
    return in_turn(pairs, opts.runs, a, b, clean)


def fleet_of(system, root, n, runs):
    """Start a master and a minion of one system; returns its figures."""
    write_trees(root, n)
    conf = root / "etc"
    out, begun = {}, time.perf_counter()
    log = open(root / "daemons.log", "wb")  # noqa: SIM115 - closed below, with the daemons that write to it
    master = subprocess.Popen(system("master", "-c", conf), stdout=log, stderr=log)
    minion = None
    try:
        minion = subprocess.Popen(system("minion", "-c", conf), stdout=log, stderr=log)
        ping = system("cmd", "-c", conf, "--out=json", "--static", "-t", "5", "*", "test.ping")
        while time.perf_counter() - begun < 120:
            reply = subprocess.run(ping, capture_output=True, text=True)
            if '"bench1": true' in reply.stdout:
                break
            time.sleep(0.1)
        else:
            sys.exit(f"bench: {system.name}: no minion answered in 120 s; see {root}/daemons.log")
        out["ready_s"] = round(time.perf_counter() - begun, 2)
        time.sleep(3)
        out["master_idle_pss_mib"], out["minion_idle_pss_mib"] = pss_mib(master.pid), pss_mib(minion.pid)
        out["cli_ping_s"] = round(statistics.median(timed(ping)[0] for _ in range(runs * 3)), 4)
        apply = system("cmd", "-c", conf, "--out=json", "--static", "-t", "120", "*", "state.apply", "files")
        out["first_apply_s"] = round(timed(apply, check=False)[0], 3)
        out["again_apply_s"] = round(statistics.median(timed(apply, check=False)[0] for _ in range(runs)), 3)
        begun = time.perf_counter()
        burst = [subprocess.Popen(ping, **QUIET) for _ in range(20)]
        out["twenty_cli_at_once_s"] = round([p.wait() for p in burst] and time.perf_counter() - begun, 3)
        busy = subprocess.Popen(apply, **QUIET)
        time.sleep(0.3)
        under_load = [timed(ping, check=False)[0] for _ in range(5)]
        busy.wait()
        out["cli_ping_during_apply_max_s"] = round(max(under_load), 3)
        out["master_after_pss_mib"], out["minion_after_pss_mib"] = pss_mib(master.pid), pss_mib(minion.pid)
    finally:
        for proc in (minion, master):
            if proc:
                stop(proc)
        log.close()
    return out


def in_columns(fa, fb):
    """Result rows of figures that each system has under the same names."""
    return [
        {"case": key, "a": fa[key], "b": fb[key], "ratio": round(fb[key] / fa[key], 2) if fa[key] else None}
        for key in fa
    ]


def fleet(opts, a, b):
    return in_columns(*(fleet_of(system, root, opts.n, opts.runs) for system, root in (a, b)))


def write_small_files(root, n):
    """Write N files of 100 to 1,500 bytes in 200 directories, and an SLS file that copies them."""
    tree = root / "srv/salt"
    for i in range(n):
        directory = tree / f"many/d{i % 200:03}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / f"f{i:05}").write_text(f"file {i}\n" + "x" * (100 + i * 37 % 1400) + "\n")
    (tree / "many.sls").write_text(f"{root}/out/many:\n  file.recurse:\n    - source: salt://many\n")


def write_large_file(root, n):
    """Write a file of N MiB that does not compress, and an SLS file that copies it."""
    tree = root / "srv/salt"
    with open(tree / "large", "wb") as file:
        for _ in range(n):
            file.write(os.urandom(1 << 20))
    (tree / "copied.sls").write_text(f"{root}/out/large:\n  file.managed:\n    - source: salt://large\n")


def copies_of(system, root, sls, runs):
    """Apply an SLS with `salt-call` on a master's host; returns seconds and MiB of both runs."""
    conf, out = root / "etc", {}
    with open(root / "daemons.log", "wb") as log:
        master = subprocess.Popen(system("master", "-c", conf), stdout=log, stderr=log)
        try:
            ping = system("call", "-c", conf, "test.ping")
            begun = time.perf_counter()
            while subprocess.run(ping, **QUIET).returncode:
                if time.perf_counter() - begun > 120:
                    sys.exit(f"bench: {system.name}: no master answered in 120 s; see {root}/daemons.log")
            apply = system("call", "-c", conf, "--out=json", "--out-file=/dev/null", "state.apply", sls)
            for name in ["first", *["again"] * runs]:
                before = cpu_s([master.pid])
                wall, cpu, rss = timed(apply)
                row = {"s": wall, "cpu_s": cpu, "master_cpu_s": cpu_s([master.pid]) - before, "mib": rss}
                out.setdefault(name, []).append(row)
        finally:
            stop(master)
    return {
        f"{name} {key}": round(statistics.median(row[key] for row in rows), 2)
        for name, rows in out.items()
        for key in rows[0]
    }


def recurse(opts, a, b):
    for _, root in (a, b):
        write_small_files(root, opts.n)
    return in_columns(*(copies_of(system, root, "many", opts.runs) for system, root in (a, b)))


def large(opts, a, b):
    """Copy one large file; only one of the systems has its copies at a time."""
    figures = []
    for system, root in (a, b):
        write_large_file(root, opts.n)
        figures.append(copies_of(system, root, "copied", opts.runs))
        shutil.rmtree(root)
    return in_columns(*figures)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["startup", "converge", "fleet", "recurse", "large"])
    parser.add_argument("--a", required=True, help="the system under test")
    parser.add_argument("--b", required=True, help="what it is held against")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default 5)")
    parser.add_argument("-n", type=int, default=1000, help="states per tree (default 1000)")
    parser.add_argument(
        "--port", type=int, default=14505, help="publish port; the request port is the next one"
    )
    parser.add_argument("--json", help="also write the rows there")
    parser.add_argument("--min-ratio", type=float, help="exit 1 when any wall ratio falls below this")
    opts = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as tmp:
        sides = []
        for k, spec in enumerate((opts.a, opts.b)):
            root = pathlib.Path(tmp) / "ab"[k]
            lay_out(root, opts.port + 10 * k)
            sides.append((System(spec), root))
        rows = globals()[opts.what](opts, *sides)
    width = max(len(r["case"]) for r in rows)
    for row in rows:
        print(row["case"].ljust(width), " ".join(f"{k}={v}" for k, v in row.items() if k != "case"))
    if opts.json:
        pathlib.Path(opts.json).write_text(json.dumps(rows, indent=1))
    ratios = [r.get("wall_ratio", r.get("ratio")) for r in rows]
    print("lowest ratio", min(x for x in ratios if x is not None))
    if opts.min_ratio and min(x for x in ratios if x is not None) < opts.min_ratio:
        sys.exit(1)


if __name__ == "__main__":
    main()
