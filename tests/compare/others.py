#!/usr/bin/env python3
"""Benchmark of a run with nothing to change: salt-g and other tools at the same work.

    others.py --salt-g BIN/salt-g --salt BIN/salt-call --ansible BIN/ansible-playbook \
              --pyinfra BIN/pyinfra --bundlewrap BIN/bw [--runs 5]

The work: 20 files with contents and mode, 5 packages that are there, a command that is left out because
of what it made. Two places: this host, and one host by SSH (an sshd of this script's own on a free port of
the loopback; BundleWrap knows no other way). Each tool does the work once, which is checked and not counted,
then `--runs` times, in turn; the medians of wall time and of the processor time of its processes are printed
(without what the host's side of SSH uses). Tools that are not named are left out.

Needs root on a Debian host, and sshd. Only the standard library; everything is below a temporary directory
that is removed, but for the tools' own caches in ~, and for BundleWrap, which marks the packages as wanted.
"""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parents[2]))

from tests.support.free_ports import free_port
from tests.support.waiting import until

FILES, PACKAGES = 20, ("bash", "coreutils", "grep", "sed", "tar")
#: A tool that takes longer than this (s) is not measured.
DEADLINE = 300


def main():
    """Measure the given tools and print a table."""
    options = read_words()
    with tempfile.TemporaryDirectory(prefix="compare-") as name, ssh_host(pathlib.Path(name)) as port:
        place = Place(pathlib.Path(name), port)
        rows = [row for make in WAYS for row in make(options, place)]
        for title, argv, env in rows:
            shutil.rmtree(place.work, ignore_errors=True)
            run(title, argv, env)
            place.check(title)
        figures = {title: [] for title, _, _ in rows}
        for _ in range(options.runs):
            for title, argv, env in rows:
                figures[title].append(run(title, argv, env))
                print(f"{title}: {figures[title][-1][0]:.2f} s", file=sys.stderr)
    for title, runs in figures.items():
        wall, cpu = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{title:40} {wall:7.2f} s   CPU {cpu:6.2f} s")


def read_words():
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("salt-g", "salt", "ansible", "pyinfra", "bundlewrap"):
        parser.add_argument(f"--{name}", metavar="PROGRAM", type=os.path.abspath)
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args()


class Place:
    """Directory of one comparison: the work's files, and the SSH host."""

    def __init__(self, root, port):
        self.root = root
        self.work = root / "work"
        self.key = root / "key"
        self.port = port

    def directory(self, name, files):
        """Return a new directory with these files: {path: text}."""
        for path, text in files.items():
            target = self.root / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return self.root / name

    def check(self, title):
        """Check that the work is done."""
        for number in range(FILES):
            assert (self.work / f"{number:02}").read_text() == f"file {number}\n", title
        assert (self.work / "done").exists(), title


def run(title, argv, env):
    """Run one tool; return its wall and processor time (s)."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(
        argv,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        stdin=subprocess.DEVNULL,
    )
    wall = time.monotonic() - began
    if done.returncode:
        sys.exit(f"{title}: exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


@contextlib.contextmanager
def ssh_host(root):
    """Run an sshd on the loopback that lets root in by the key `root`/key; yield its port."""
    for name in ("key", "host_key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", root / name], check=True)
    port = free_port()
    (root / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {root}/host_key\nAuthorizedKeysFile {root}/key.pub\n"
        "PermitRootLogin prohibit-password\nStrictModes no\nUsePAM no\nPidFile none\n"
        f"Subsystem sftp internal-sftp\nMaxStartups 100\n"
    )
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    program = shutil.which("sshd") or "/usr/sbin/sshd"
    sshd = subprocess.Popen([program, "-D", "-e", "-f", root / "sshd_config"],
                            stderr=subprocess.DEVNULL)  # fmt: skip
    try:
        until(lambda: listens(port), "sshd listens")
        yield port
    finally:
        sshd.terminate()
        sshd.wait()


def listens(port):
    """Return whether a server accepts connections at a port of this machine."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def salt(options, place):
    """Yield the runs of salt-g and stock Salt, masterless, and of salt-g's SSH resource."""
    tree = {
        "states/work.sls": "{% for n in range(20) %}\n"
        f"{place.work}/{{{{ '%02d' % n }}}}:\n"
        "  file.managed:\n    - contents: file {{ n }}\n    - mode: '0644'\n    - makedirs: True\n"
        "{% endfor %}\n"
        f"packages:\n  pkg.installed:\n    - pkgs: [{', '.join(PACKAGES)}]\n"
        f"touch {place.work}/done:\n  cmd.run:\n    - unless: test -e {place.work}/done\n",
        "pillar/top.sls": "base:\n  '*': [hosts]\n",
        "pillar/hosts.sls": json.dumps({"resources": {"ssh": {"hosts": {"by-ssh": {
            "host": "127.0.0.1", "port": place.port, "user": "root",
            "priv": str(place.key), "no_host_keys": True,
        }}}}}),
    }  # fmt: skip
    for name, program in (("salt-g", options.salt_g), ("salt", options.salt)):
        if not program:
            continue
        settings = {
            "id": "here", "file_client": "local", "root_dir": str(place.root / name / "root"),
            "file_roots": {"base": [str(place.root / name / "states")]},
            "pillar_roots": {"base": [str(place.root / name / "pillar")]},
        }  # fmt: skip
        where = place.directory(name, {**tree, "conf/minion": json.dumps(settings)})
        words = [program, *(["call"] if name == "salt-g" else []), "-c", str(where / "conf"), "--local"]
        yield f"{name}, local", [*words, "state.apply", "work"], {}
        if name == "salt-g":
            yield f"{name}, SSH", [*words, "--resources", "--tgt", "by-ssh", "state.apply", "work"], {}


def ansible(options, place):
    """Yield the runs of Ansible; by SSH with pipelining and the kept connection that is its default."""
    if not options.ansible:
        return
    tasks = [
        {"copy": {"content": "file {{ item }}\n", "mode": "0644",
                  "dest": f"{place.work}/{{{{ '%02d' % item }}}}"},
         "loop": "{{ range(20) | list }}"},
        {"apt": {"name": list(PACKAGES), "state": "present"}},
        {"command": {"cmd": f"touch {place.work}/done", "creates": f"{place.work}/done"}},
    ]  # fmt: skip
    directory = {"file": {"path": str(place.work), "state": "directory"}}
    play = [{"hosts": "all", "tasks": [directory, *tasks]}]
    where = place.directory("ansible", {
        "play.yml": json.dumps(play),
        "local": "here ansible_connection=local\n",
        "ssh": f"by-ssh ansible_host=127.0.0.1 ansible_port={place.port} ansible_user=root "
               f"ansible_ssh_private_key_file={place.key}\n",
    })  # fmt: skip
    env = {
        "ANSIBLE_PIPELINING": "1",
        "ANSIBLE_HOST_KEY_CHECKING": "0",
        "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3",
    }
    for title in ("local", "ssh"):
        argv = [options.ansible, "-i", str(where / title), str(where / "play.yml")]
        yield f"ansible, {'SSH' if title == 'ssh' else title}", argv, env


def pyinfra(options, place):
    """Yield the runs of pyinfra."""
    if not options.pyinfra:
        return
    host = {"ssh_port": place.port, "ssh_user": "root", "ssh_key": str(place.key),
            "ssh_strict_host_key_checking": "off", "ssh_known_hosts_file": "/dev/null"}  # fmt: skip
    where = place.directory("pyinfra", {
        "inventory.py": f"hosts = [('127.0.0.1', {host!r})]\n",
        "deploy.py": "from io import StringIO\n"
                     "from pyinfra import host\n"
                     "from pyinfra.facts.files import File\n"
                     "from pyinfra.operations import apt, files, server\n"
                     f"work = {str(place.work)!r}\n"
                     "files.directory(path=work)\n"
                     "for n in range(20):\n"
                     "    files.put(src=StringIO(f'file {n}\\n'), dest=f'{work}/{n:02}', mode='644')\n"
                     f"apt.packages(packages={list(PACKAGES)!r})\n"
                     "if not host.get_fact(File, path=f'{work}/done'):\n"
                     "    server.shell(commands=[f'touch {work}/done'])\n",
    })  # fmt: skip
    for title, hosts in (("local", "@local"), ("SSH", str(where / "inventory.py"))):
        yield f"pyinfra, {title}", [options.pyinfra, "-y", hosts, str(where / "deploy.py")], {}


def bundlewrap(options, place):
    """Yield the run of BundleWrap, which works by SSH only."""
    if not options.bundlewrap:
        return
    where = place.directory("bw", {
        "nodes.py": "nodes = {'by-ssh': {'hostname': '127.0.0.1', 'bundles': ['work'],\n"
                    "                    'os': 'debian', 'os_version': (12,)}}\n",
        "groups.py": "groups = {}\n",
        "bundles/work/items.py":
            f"work = {str(place.work)!r}\n"
            "directories = {work: {}}\n"
            "content = {'content_type': 'text', 'mode': '0644'}\n"
            "files = {f'{work}/{n:02}': {**content, 'content': f'file {n}\\n'} for n in range(20)}\n"
            f"pkg_apt = {{name: {{}} for name in {list(PACKAGES)!r}}}\n"
            "actions = {'done': {'command': f'touch {work}/done', 'unless': f'test -e {work}/done',\n"
            "                    'needs': [f'directory:{work}']}}\n",
    })  # fmt: skip
    ssh = f"{place.port} -i {place.key} -o UserKnownHostsFile=/dev/null"
    env = {
        "BW_REPO_PATH": str(where),
        "BW_ADD_HOST_KEYS": "1",
        "BW_SSH_ARGS": f"-l root -p {ssh}",
        "BW_SCP_ARGS": f"-o User=root -P {ssh}",
    }
    yield "bundlewrap, SSH", [options.bundlewrap, "apply", "by-ssh"], env


WAYS = (salt, ansible, pyinfra, bundlewrap)

if __name__ == "__main__":
    main()
