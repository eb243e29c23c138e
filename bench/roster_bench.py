"""Measure salt-ssh of two systems on the same hosts: addresses of one sshd on the loopback of this machine.

    python bench/roster_bench.py 30 /opt/salt/bin/salt-ssh ./salt-ssh

`./salt-ssh` is a link to salt-g. Each program runs each command in turn, `--rounds` times; printed are the
wall times and the CPU of the program with its children (s), without that of the hosts. Needs root, and sshd.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

from ssh_hosts import Sshd

FILES = 20


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hosts", type=int)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="roster-bench-") as name:
        root = pathlib.Path(name)
        sshd = Sshd(root / "sshd", 22_600, options.hosts)
        try:
            for number in range(options.rounds):
                for title, words in commands(root):
                    for program in options.programs:
                        conf = configured(root / f"{number}", sshd, options.hosts)
                        print(
                            f"{title:28} {program:40} {measured([program, '-c', conf, *words])}", flush=True
                        )
        finally:
            sshd.stop()


def commands(root):
    """Yield (title, words) of the commands."""
    yield "-r 'echo hi'", ["*", "-r", "echo hi"]
    yield "test.ping", ["*", "test.ping"]
    yield f"{FILES} files", ["*", "state.sls", "files"]


def configured(root, sshd, count):
    """Write settings, roster and states of a master; return the directory of the settings."""
    states, out = root / "states", root / "out"
    states.mkdir(parents=True, exist_ok=True)
    sls = {
        f"{out}/{{{{ grains.id }}}}/f{number}": {
            "file.managed": [{"source": f"salt://f{number}"}, {"makedirs": True}]
        }
        for number in range(FILES)
    }
    (states / "files.sls").write_text(json.dumps(sls))
    for number in range(FILES):
        (states / f"f{number}").write_text(f"content {number}\n")
    conf = root / "conf"
    conf.mkdir(exist_ok=True)
    settings = {
        "root_dir": str(root / "root"), "file_roots": {"base": [str(states)]},
        "known_hosts_file": f"{sshd.root}/known_hosts",
    }  # fmt: skip
    (conf / "master").write_text(json.dumps(settings))
    # Stock takes the first `python3` of the PATH, and stumbles over one that is a shell script (pyenv).
    own = {"set_path": "/usr/bin:$PATH"}
    roster = {
        id: {**entry, **own, "thin_dir": f"{root}/thin/{id}"} for id, entry in sshd.hosts(count).items()
    }
    (conf / "roster").write_text(json.dumps(roster))
    return str(conf)


def measured(words):
    """Run a command; return its wall time, its CPU and its exit code."""
    before, begun = os.times(), time.monotonic()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    wall, after = time.monotonic() - begun, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return f"wall {wall:5.1f}  cpu {cpu:5.1f}  exit {done.returncode}"


if __name__ == "__main__":
    main()
