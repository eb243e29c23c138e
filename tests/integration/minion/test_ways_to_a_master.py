"""Master selection of minions: by a function, distributed, with failback; and minions of another user."""

import os
import pathlib
import shutil
import sys

import pytest

from salt_g.minion.connection import masters
from salt_g.minion.settings import MasterListSettings
from tests.support.daemons import RunningMinion
from tests.support.waiting import until


def address(master):
    return f"127.0.0.1:{master.ret_port}"


def answers(salt, master):
    return '"m1": true' in salt(master, "-t", "5", "m1", "test.ping").out


def test_a_function_may_name_the_master(start_master, salt, daemon_root):
    master = start_master()
    modules = daemon_root / "modules"
    modules.mkdir()
    (modules / "finding.py").write_text(f"def master():\n    return {address(master)!r}\n")

    minion = RunningMinion(
        daemon_root / "m1",
        id="m1",
        master="finding.master",
        master_type="func",
        module_dirs=[str(modules)],
    ).start()

    try:
        assert answers(salt, master)
    finally:
        minion.stop()


def test_minions_spread_over_masters_come_back_to_the_same_one(pair, start_minion, salt):
    settings = MasterListSettings("m1", [address(one) for one in pair], "distributed")
    mine, other = sorted(pair, key=lambda one: masters.configured(settings)[0] != address(one))

    minion = start_minion(list(pair), master_type="distributed")

    assert answers(salt, mine)
    assert list((other.pki_dir / "minions").glob("m1")) == []
    minion.stop()
    minion.start()
    assert answers(salt, mine)
    assert list((other.pki_dir / "minions").glob("m1")) == []


def test_a_minion_goes_back_to_its_first_master_when_it_is_there_again(pair, start_minion, salt):
    first, second = pair
    start_minion(
        [first, second],
        master_type="failover",
        master_alive_interval=1,
        master_failback=True,
        master_failback_interval=1,
        auth_timeout=1,
        auth_tries=1,
    )
    assert answers(salt, first)
    first.stop()
    until(lambda: answers(salt, second), "it answers the second")

    first.start()

    until(lambda: answers(salt, first), "it answers the first again")


def can_be_read_by_all(path):
    """Return whether all users can pass through every folder above a path."""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(
    not can_be_read_by_all(pathlib.Path(sys.base_prefix)), reason="Python is where only its owner can read it"
)
def test_a_minion_may_run_as_another_user(start_master, start_minion, salt, daemon_root):
    master = start_master()
    daemon_root.chmod(0o755)
    root = daemon_root / "m1"
    root.mkdir()
    shutil.chown(root, "nobody")

    minion = start_minion(master, user="nobody")

    assert pathlib.Path(f"/proc/{minion.pid}").stat().st_uid == 65534
    assert salt(master, "m1", "cmd.run", "id -un", "shell=/bin/sh").minions == {"m1": "nobody"}
    assert (root / "pki" / "minion.pem").stat().st_uid == 65534
