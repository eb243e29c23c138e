"""Real network namespaces and root directories on this machine, all of them removed afterwards."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

#: Copied into a root with the libraries that they need.
PROGRAMS = ("sh", "cat", "id", "sleep", "pwd", "env")


def run(*words):
    """Run a program that must succeed; return its output."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def may_enter():
    """Require root, nsenter and ip; where the tests must run, their absence is a failure."""
    lacking = [name for name in ("nsenter", "ip", "unshare") if shutil.which(name) is None]
    reason = f"{lacking} missing" if lacking else "" if os.geteuid() == 0 else "needs root"
    if not reason and subprocess.run(["unshare", "--net", "true"], check=False).returncode:
        reason = "this machine lets nobody make namespaces"
    if reason:
        (pytest.fail if os.environ.get("CI") and lacking else pytest.skip)(reason)


@pytest.fixture
def netns(may_enter):
    """Yield two network namespaces, `{name: address}`, joined by a virtual link."""
    number = os.getpid()
    names = [f"sg{number}a", f"sg{number}b"]
    try:
        for name in names:
            run("ip", "netns", "add", name)
        run(
            "ip", "-n", names[0], "link", "add", "w0", "type", "veth", "peer", "name", "w0", "netns", names[1]
        )
        for last, name in enumerate(names, 1):
            run("ip", "-n", name, "addr", "add", f"192.0.2.{last}/24", "dev", "w0")
            run("ip", "-n", name, "link", "set", "w0", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "-n", names[0], "route", "add", "default", "via", "192.0.2.2")
        yield {name: f"192.0.2.{last}" for last, name in enumerate(names, 1)}
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@pytest.fixture
def image(may_enter, tmp_path):
    """Return a root with a shell and a user `app` (1234).

    Its links point outside if they are followed incorrectly.
    """
    root = tmp_path / "image"
    for name in PROGRAMS:
        _copy(pathlib.Path(shutil.which(name)), root / "bin" / name)
    (root / "etc").mkdir()
    (root / "tmp").mkdir()
    (root / "srv").mkdir()
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\napp:x:1234:77::/srv:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\nstaff:x:50:\n")
    (root / "etc/os-release").write_text('NAME="Tiny Linux"\nID=tiny\nVERSION_ID="7"\n')
    (root / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "outside").mkdir()
    return root


def _copy(program, target):
    """Copy a program with its libraries into the root two directories above `target`."""
    root = target.parent.parent
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program.resolve(), target)
    for library in re.findall(r"(/\S+) \(", run("ldd", str(program))):
        below = root / library.lstrip("/")
        below.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.realpath(library), below)


@pytest.fixture
def inside(salt_g):
    """Return a function that makes a machine with these resources.

    `inside({id: settings})` is `call(id, "cmd.run", …)` there.
    """

    def make(hosts, **more):
        salt_g.write(
            {
                "top.sls": "base:\n  '*':\n    - spaces\n",
                "spaces.sls": json.dumps({"resources": {"container_ns": {"hosts": hosts, **more}}}),
            },
            below=salt_g.pillar,
        )

        def call(id, *words, **settings):
            return salt_g("-r", "--tgt", id, *words, **settings)

        call.write = salt_g.write
        return call

    return make
