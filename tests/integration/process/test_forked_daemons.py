"""Forked daemons behave like daemons started from the command line."""

import os
import pathlib
import signal
import time

import psutil
import pytest


def parent(daemon):
    return psutil.Process(daemon.pid).ppid()


def test_a_forked_daemon_has_its_own_session_and_command_line(start_master):
    master = start_master()

    assert parent(master) != os.getpid()
    assert os.getsid(master.pid) == master.pid
    assert f"salt-g master -c {master.config_dir}" in " ".join(psutil.Process(master.pid).cmdline())


def test_its_exit_code_and_its_end_by_a_signal_are_known(start_master):
    master = start_master()
    master.stop(code=0)
    assert not master.is_running()

    master.start()
    master.send_signal(signal.SIGKILL)
    master.stop(code=-signal.SIGKILL)


def test_it_has_the_umask_of_its_test(start_master):
    before = os.umask(0o027)
    try:
        master = start_master()
    finally:
        os.umask(before)

    assert "Umask:\t0027" in pathlib.Path(f"/proc/{master.pid}/status").read_text()


@pytest.mark.own_start
def test_a_daemon_whose_start_matters_is_started(start_master):
    assert parent(start_master()) == os.getpid()


def test_a_daemon_with_another_environment_than_the_others_is_started(
    start_master, start_minion, monkeypatch
):
    master = start_master()
    monkeypatch.setenv("TZ", "UTC-5" if time.timezone != -5 * 3600 else "UTC-6")

    assert parent(start_minion(master)) == os.getpid()
