"""Measure salt-ssh of two systems on the same hosts: addresses of one sshd on the loopback of this machine.

    python bench/roster_bench.py 30 /opt/salt/bin/salt-ssh ./salt-ssh --ansible /opt/ansible/bin

`./salt-ssh` is a link to salt-g. Ansible does the same with the modules `raw` and `ping`, and a play of as
many tasks `copy`: with pipelining, as many forks as hosts, and new connections. Files go to 5 of the hosts.
Each program runs each command in turn, `--rounds` times; printed are the wall times and the CPU of the
program with its children (s), without that of the hosts. Needs root, and sshd.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from ssh_hosts import Sshd

FILES = 20
#: Hosts that get files.
FILE_HOSTS = 5


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hosts", type=int)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--ansible", metavar="DIR", help="directory of ansible and ansible-playbook")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="roster-bench-") as name:
        root = pathlib.Path(name)
        sshd = Sshd(root / "sshd", 22_600, options.hosts)
        try:
            for number in range(options.rounds):
                one_round(root / f"{number}", sshd, options)
        finally:
            sshd.stop()


def one_round(root, sshd, options):
    """Run each command with each program; print a line for each."""
    conf = configured(root, sshd, options.hosts)
    environment = {**os.environ, **ansible_environment(root, sshd, options.hosts)}
    for title, words, ansible in commands(root):
        for program in options.programs:
            shown(title, program, [program, "-c", conf, *words])
        if options.ansible:
            shown(title, "ansible", [f"{options.ansible}/{ansible[0]}", *ansible[1:]], environment)
        shutil.rmtree(root / "out", ignore_errors=True)


def shown(title, program, words, environment=None):
    """Measure a command and print the result."""
    print(f"{title:28} {program:40} {measured(words, environment)}", flush=True)


def commands(root):
    """Yield (title, words of salt-ssh, words of Ansible) of the commands."""
    inventory, some = ["-i", f"{root}/inventory"], f"web-0[0-{FILE_HOSTS - 1}]"
    yield "-r 'echo hi'", ["*", "-r", "echo hi"], ["ansible", *inventory, "all", "-m", "raw", "-a", "echo hi"]
    yield "test.ping", ["*", "test.ping"], ["ansible", *inventory, "all", "-m", "ping"]
    play = ["ansible-playbook", *inventory, f"{root}/play.yml"]
    yield f"{FILES} files, {FILE_HOSTS} hosts", [some, "state.sls", "files"], play
    yield "the same again", [some, "state.sls", "files"], play


def ansible_environment(root, sshd, count):
    """Write the inventory and the play of Ansible; return the variables of its environment."""
    lines = [
        f"{id} ansible_host={entry['host']} ansible_port={entry['port']} ansible_user=root\n"
        for id, entry in sshd.hosts(count).items()
    ]
    (root / "inventory").write_text("".join(lines))
    folder = f"{root}/out/{{{{ inventory_hostname }}}}"
    tasks = [{"ansible.builtin.file": {"path": folder, "state": "directory"}}]
    tasks += [
        {"ansible.builtin.copy": {"src": f"{root}/states/f{number}", "dest": f"{folder}/f{number}"}}
        for number in range(FILES)
    ]
    hosts = ",".join(list(sshd.hosts(count))[:FILE_HOSTS])
    (root / "play.yml").write_text(json.dumps([{"hosts": hosts, "gather_facts": False, "tasks": tasks}]))
    own = f"-o UserKnownHostsFile={sshd.root}/known_hosts -o IdentitiesOnly=yes -i {sshd.root}/id"
    return {
        "ANSIBLE_PIPELINING": "True", "ANSIBLE_FORKS": str(count), "ANSIBLE_HOME": f"{root}/ansible",
        "ANSIBLE_SSH_ARGS": f"{own} -o ControlMaster=no", "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3",
    }  # fmt: skip


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


def measured(words, environment=None):
    """Run a command; return its wall time, its CPU and its exit code."""
    before, begun = os.times(), time.monotonic()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=environment)
    wall, after = time.monotonic() - begun, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return f"wall {wall:5.1f}  cpu {cpu:5.1f}  exit {done.returncode}"


if __name__ == "__main__":
    main()
