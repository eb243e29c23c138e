"""The commands of the README, run as written and in its order."""

import pathlib
import re
import shutil
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.free_ports import free_ports
from tests.support.waiting import until

ROOT = pathlib.Path(__file__).parents[2]
README = ROOT / "README.md"


@pytest.fixture
def checkout(daemon_root):
    """Yield a copy of the sample in docs/example, with ports of its own.

    Its daemons are stopped at the end.
    """
    shutil.copytree(ROOT / "docs/example", daemon_root / "docs/example")
    ports = free_ports(2)
    for path in (daemon_root / "docs/example").glob("m*/m*"):
        text = path.read_text()
        for written, free in zip(("14505", "14506"), ports, strict=True):
            text = text.replace(written, str(free))
        path.write_text(text)
    yield daemon_root
    run(daemon_root, "kill $(cat .venv/try/*/var/run/*.pid)")
    until(lambda: not list(daemon_root.glob(".venv/try/*/var/run/*.pid")), "the end of the daemons")


def commands(section):
    """Return the shell lines of a section of the README, block by block."""
    text = README.read_text().partition(f"## {section}\n")[2].partition("\n## ")[0]
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]


def run(directory, command):
    """Run one line of shell, in which `salt-g` is the command under test."""
    line = re.sub(r"^salt-g ", f"{PROGRAM} ", command)
    return subprocess.run(
        line, shell=True, cwd=directory, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )


def test_five_minutes_on_one_machine(tmp_path):
    look, apply = commands("Five minutes on one machine")
    written = re.findall(r"`/srv/salt/(\S+)`:\n\n```\w+\n(.*?)```", README.read_text(), re.DOTALL)
    for name, text in written:
        (tmp_path / name).write_text(text)

    for command in look:
        done = run(tmp_path, command)
        assert done.returncode == 0 and done.stdout, (command, done.stdout, done.stderr)

    # What they would do to this machine is looked at only.
    local = f"--local --file-root={tmp_path} --pillar-root={tmp_path} --cachedir={tmp_path}/cache"
    shown = run(tmp_path, apply[0].replace("salt-g ", f"salt-g call {local} "))
    assert apply == ["salt-g state.apply web test=True", "salt-g state.apply web"]
    assert "Function: file.managed" in shown.stdout and "Total states run:     3" in shown.stdout


def test_one_master_and_two_minions(checkout):
    start, accept, order, stop = commands("One master, two minions")
    for command in start:
        assert run(checkout, command).returncode == 0, command
    until(lambda: "m1\nm2" in run(checkout, accept[0]).stdout, "the keys of both minions")

    assert "Key for minion m2 accepted." in run(checkout, accept[1]).stdout
    until(lambda: run(checkout, accept[2]).stdout == "- m1\n- m2\n", "both minions")

    for command in order:
        done = run(checkout, command)
        assert done.returncode == 0 and done.stdout, (command, done.stdout, done.stderr)
    machine = checkout / ".venv/try/m2/machine"
    assert (machine / "etc/app/users/alice").read_text() == "/bin/bash\n"
    assert stop == ["kill $(cat .venv/try/*/var/run/*.pid)"]
