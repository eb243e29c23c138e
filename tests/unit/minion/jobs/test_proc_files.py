"""Files of running jobs, for other programs."""

import os
import subprocess
import sys

import pytest

from salt_g.minion.jobs.proc_files import ProcFiles
from salt_g.state.run.lock import read_job

JOB = {"jid": "1", "fun": "test.sleep", "arg": [1], "pid": os.getpid()}


@pytest.fixture
def files(tmp_path):
    made = ProcFiles(str(tmp_path))
    made.clear()
    return made


def names(tmp_path):
    return sorted(path.name for path in (tmp_path / "proc").iterdir())


def test_a_job_can_be_read_by_others_of_its_user_until_it_ends(files, tmp_path):
    files.write(JOB)

    assert read_job(str(tmp_path / "proc" / "1"))["fun"] == "test.sleep"
    assert (tmp_path / "proc" / "1").stat().st_mode & 0o077 == 0
    files.remove("1")
    files.remove("1")
    assert names(tmp_path) == []


def test_a_jid_names_no_file_elsewhere(files, tmp_path):
    (tmp_path / "victim").write_text("")

    files.write({**JOB, "jid": "../victim"})
    files.remove("../../victim")
    files.write({**JOB, "jid": ".."})

    assert (tmp_path / "victim").read_text() == ""
    assert names(tmp_path) == []


def test_jobs_of_other_living_processes_stay_at_the_start(files, tmp_path):
    sleeper = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        for jid, pid in (("1", sleeper.pid), ("2", 2**22 + 1), ("3", os.getpid())):
            (tmp_path / "proc" / jid).write_bytes(_record(jid, pid))
        files.clear()
        assert names(tmp_path) == ["1"]
    finally:
        sleeper.communicate(b"\n")


def test_a_new_process_with_the_id_of_the_old_is_not_the_job(files, tmp_path):
    (tmp_path / "proc" / "1").write_bytes(_record("1", os.getppid(), started=1))

    files.clear()

    assert names(tmp_path) == []


def test_a_full_disk_is_logged_once_and_prevents_no_job(tmp_path, caplog):
    (tmp_path / "proc").write_text("in the way")
    files = ProcFiles(str(tmp_path))

    files.clear()
    files.write(JOB)

    assert caplog.text.count("cannot list running jobs for other programs") == 1


def _record(jid, pid, **more):
    from salt_g.wire.packing import pack_bus

    return pack_bus({**JOB, "jid": jid, "pid": pid, **more})
