"""Upgrade of a master and a minion: the present code on the disks of an earlier commit."""

import pathlib
import re
import shlex
import subprocess
import sys
import tarfile

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.client import LocalEventBus
from salt_g.config import load
from tests.support.commands import PROGRAM
from tests.support.daemons import RunningMaster, RunningMinion
from tests.support.waiting import until

ROOT = pathlib.Path(__file__).parent.parent.parent
#: The commit before, and the last one with version 1 of the store.
EARLIER = ("HEAD~1", "30b6138")


def git(*words):
    """Run git in the project; return the finished process."""
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, check=False)


@pytest.fixture(params=EARLIER)
def earlier(request, tmp_path):
    """Return the `salt-g` command of an earlier commit."""
    if git("cat-file", "-e", f"{request.param}^{{commit}}").returncode:
        # The recordings in tests/unit/cache stand for it where there is no history.
        pytest.skip(f"no commit {request.param} here: a shallow clone, or no clone at all")
    archive = tmp_path / "tree.tar"
    archive.write_bytes(git("archive", request.param, "salt_g", "modules", "states", "grains").stdout)
    tree = tmp_path / "tree"
    with tarfile.open(archive) as packed:
        packed.extractall(tree, filter="data")
    for room in ("modules", "states", "grains"):
        (tree / "salt_g" / room).symlink_to(f"../{room}")
    # A file, as Python looks for modules beside it first: the present code may be in the working directory.
    (tree / "start.py").write_text("from salt_g.cli.dispatch import main; main()\n")
    program = tmp_path / "salt-g"
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, str(tree / "start.py")])} "$@"\n')
    program.chmod(0o755)
    words = ["call", "--local", "-c", tmp_path, f"--cachedir={tmp_path}/cache", "grains.get", "saltpath"]
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert str(tree / "salt_g") in done.stdout, done
    return program


@pytest.fixture
def fleet(daemon_root, earlier):
    """Yield a master and a minion of the earlier commit; both are killed at the end."""
    daemons = [RunningMaster(daemon_root / "m")]
    daemons[0].program = earlier
    try:
        daemons[0].start()
        daemons.append(RunningMinion(daemon_root / "n", master=f"127.0.0.1:{daemons[0].ret_port}"))
        daemons[1].program = earlier
        daemons[1].start()
        yield daemons
    finally:
        for daemon in daemons:
            daemon.kill()


def start_job(salt, master, command):
    """Publish `cmd.run`; return its jid."""
    started = salt(master, "--async", "m1", "cmd.run", command, as_json=False)
    return re.search(r"\d{20}", started.out)[0]


def kept(master, jid):
    """Return {id: return value} of a job, as the present code reads the store."""
    store = EmbeddedStore(str(master.cachedir))
    try:
        return {id: data["return"] for id, data in Jobs(store).get_jid(jid).items()}
    finally:
        store.stop()


def test_returns_that_wait_arrive_once_after_an_upgrade_of_both(fleet, salt, daemon_root):
    master, minion = fleet
    running, go = daemon_root / "running", daemon_root / "go"
    early = start_job(salt, master, "echo before")
    until(lambda: kept(master, early), "a return from before the upgrade")
    late = start_job(salt, master, f"touch {running}; while [ ! -e {go} ]; do sleep 0.1; done; echo after")
    until(running.exists, "the job that outlives the master has begun")

    master.stop()
    go.touch()
    until(
        lambda: list((minion.cachedir / "returns").glob(f"{late}.*")), "its return waits on the minion's disk"
    )
    minion.stop()
    master.program = minion.program = PROGRAM
    master.start()
    bus = LocalEventBus(load("master", str(master.config_dir)).opts)
    try:
        minion.start()
        until(
            lambda: not list((minion.cachedir / "returns").iterdir()), "the minion has nothing left to send"
        )
        assert salt(master, "m1", "test.ping").minions == {"m1": True}
        tags = [event["tag"] for event in iter(lambda: bus.get_event(wait=1.0, full=True), None)]
    finally:
        bus.destroy()

    assert tags.count(f"salt/job/{late}/ret/m1") == 1
    assert (kept(master, early), kept(master, late)) == ({"m1": "before"}, {"m1": "after"})
    assert "Traceback" not in master.log() + minion.log()
    minion.stop()
    master.stop()
