"""Lifecycle of a master: it starts, logs its listening addresses, and exits cleanly."""

import os
import pathlib
import resource
import signal
import stat

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

pytestmark = pytest.mark.own_start


def test_a_master_reports_its_ports_and_leaves_nothing_behind(start_master):
    master = start_master()

    assert master.ret_port != master.publish_port
    assert (master.sock_dir / "publish_pull.ipc").exists() and (master.sock_dir / "workers.ipc").exists()
    master.stop()

    assert list(master.sock_dir.iterdir()) == []
    assert not (master.root / "master.pid").exists()


def test_files_of_a_master_are_private(start_master):
    master = start_master()

    for directory, _, files in os.walk(master.root):
        if "notify" in directory or directory == str(master.root):
            continue
        for name in files:
            if not name.endswith((".yaml", ".sls")) and not directory.endswith("conf-master"):
                mode = stat.S_IMODE(os.lstat(os.path.join(directory, name)).st_mode)
                assert not mode & 0o077, f"{directory}/{name}: {mode:o}"


def test_a_second_master_of_the_same_pid_file_refuses_to_start(start_master, daemon_root):
    from tests.support.daemons import RunningMaster

    first = start_master()
    pidfile, root_dir = first.settings["pidfile"], first.settings["root_dir"]
    second = RunningMaster(daemon_root / "other", pidfile=pidfile, root_dir=root_dir)

    with pytest.raises(AssertionError):
        second.start()

    assert "it is already running with process id" in second.log()
    assert first.is_running()


def test_hangup_is_not_an_end(start_master):
    master = start_master()

    master.send_signal(signal.SIGHUP)

    outcome = outcome_of([PROGRAM, "run", "-c", str(master.config_dir), "--out=json", "test.arg", "x"])
    assert outcome.code == 0, outcome
    master.stop()


def test_it_may_open_as_many_files_as_its_settings_say(start_master):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
    try:
        master = start_master(max_open_files=700)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    limits = pathlib.Path(f"/proc/{master.pid}/limits").read_text()
    [line] = [line for line in limits.splitlines() if line.startswith("Max open files")]
    assert line.split()[3] == "700"


def test_sigusr1_logs_all_stacks_and_the_daemons_go_on_after_it_and_sigusr2(start_master, start_minion, salt):
    master = start_master()
    minion = start_minion(master)

    for daemon in (master, minion):
        daemon.send_signal(signal.SIGUSR1)
        until(
            lambda daemon=daemon: f"stacks of process {daemon.pid}" in daemon.log(), "the stacks are logged"
        )
        # Stock's switch of a profiler.
        daemon.send_signal(signal.SIGUSR2)
        until(lambda daemon=daemon: "SIGUSR2: there is no profiler" in daemon.log(), "the signal is logged")

    assert "greenlet master/" in master.log()
    assert "in _run_until_shutdown" in master.log()
    assert salt(master, "m1", "test.ping").minions == {"m1": True}


@pytest.mark.parametrize("role", ["master", "minion"])
@pytest.mark.parametrize("how", ["-c", "environment"])
def test_a_config_directory_that_does_not_exist_is_an_error(tmp_path, role, how):
    missing = str(tmp_path / "missing")
    words, env = (["-c", missing], {}) if how == "-c" else ([], {"SALT_G_CONFIG_DIR": missing})

    outcome = outcome_of([PROGRAM, role, *words], env={**os.environ, **env})

    assert (outcome.code, outcome.err) == (
        64,
        f"config directory {missing!r} does not exist; correct -c, or create it\n",
    )
