"""Lock of state runs, pauses, requests."""

import os

import msgpack
import pytest

from salt_g.errors import CompileError
from salt_g.state.run.lock import RunLock
from salt_g.state.run_requests import RunRequests

OURS = {"jid": "20260102030405678901", "fun": "state.apply"}
THEIRS = {"jid": "20260102030405000000", "fun": "state.highstate"}


@pytest.fixture
def lock(tmp_path):
    return RunLock(str(tmp_path))


def leave(tmp_path, job, folder="proc"):
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / job["jid"]).write_bytes(msgpack.packb(job))


def test_a_run_is_announced_while_it_lives(lock, tmp_path):
    with lock.held(OURS):
        record = msgpack.unpackb((tmp_path / "proc" / OURS["jid"]).read_bytes())

    assert record["pid"] == os.getpid()
    assert list((tmp_path / "proc").iterdir()) == []


def test_a_second_run_is_refused_in_stocks_words(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid()})

    with pytest.raises(CompileError) as caught, lock.held(OURS):
        pass

    assert caught.value.messages == [
        f'The function "state.highstate" is running as PID {os.getpid()} and was started at '
        "2026, Jan 02 03:04:05.000000 with jid 20260102030405000000"
    ]


def test_a_run_inside_a_run_shares_its_jid_and_leaves_the_lock_to_it(lock, tmp_path):
    with lock.held(OURS):
        with lock.held(OURS):
            assert lock.others(OURS["jid"]) == []

        assert (tmp_path / "proc" / OURS["jid"]).exists()


def test_a_run_of_a_daemons_job_leaves_the_lock_before_the_job_ends(lock, tmp_path):
    leave(tmp_path, {**OURS, "pid": os.getpid(), "holds": False})

    with lock.held(OURS):
        assert lock.others(THEIRS["jid"]) != []

    assert lock.others(THEIRS["jid"]) == []
    assert (tmp_path / "proc" / OURS["jid"]).exists()


def test_concurrent_runs_do_not_look(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid()})

    with lock.held(OURS, concurrent=True):
        assert (tmp_path / "proc" / OURS["jid"]).exists()


def test_a_killed_run_frees_the_lock(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": 2**22 + 1})

    with lock.held(OURS):
        held = (tmp_path / "proc" / OURS["jid"]).exists()

    assert held


def test_a_new_process_with_an_old_pid_is_not_a_run(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid(), "started": 1})

    with lock.held(OURS):
        held = (tmp_path / "proc" / OURS["jid"]).exists()

    assert held


def test_other_jobs_and_rubbish_are_not_in_the_way(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid(), "fun": "test.ping"})
    (tmp_path / "proc" / "20260102030405000009").write_bytes(b"\xc1")

    with lock.held(OURS):
        held = (tmp_path / "proc" / OURS["jid"]).exists()

    assert held


def test_a_queued_run_waits_for_its_turn(tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid()})
    looked = []

    def end_the_other(seconds):
        looked.append(list((tmp_path / "state_queue").iterdir()))
        (tmp_path / "proc" / THEIRS["jid"]).unlink()

    with RunLock(str(tmp_path), sleep=end_the_other).held(OURS, queue=True):
        pass

    assert len(looked) == 1
    assert list((tmp_path / "state_queue").iterdir()) == []


def test_the_length_of_a_queue_is_limited(lock, tmp_path):
    leave(tmp_path, {**THEIRS, "pid": os.getpid()})
    leave(tmp_path, {**THEIRS, "pid": os.getpid(), "jid": "20260102030405000001"}, folder="state_queue")

    with pytest.raises(CompileError), lock.held(OURS, queue=1):
        pass


def test_requests_are_kept_and_cleared_by_name(tmp_path):
    requests = RunRequests(str(tmp_path))
    requests.put("default", {"mods": "a"})
    requests.put("friday", {"mods": "b"})

    assert requests.read() == {"default": {"mods": "a"}, "friday": {"mods": "b"}}
    assert requests.clear("friday") is True
    assert requests.clear("never") is False
    assert requests.clear() is True
    assert requests.read() == {}
