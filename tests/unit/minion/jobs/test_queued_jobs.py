"""Files of jobs that wait for their turn or for the next start."""

import logging

from salt_g.minion.jobs.queued_jobs import LARGEST, QueuedJobs


def load(jid, arg=()):
    return {"jid": jid, "fun": "test.ping", "arg": list(arg), "tgt": "*", "tgt_type": "glob", "ret": ""}


def files(tmp_path):
    return sorted(path for path in tmp_path.rglob("*") if path.is_file())


def test_a_waiting_job_has_a_private_file_with_stocks_name(tmp_path):
    assert QueuedJobs(str(tmp_path)).put("127.0.0.1", load("20260101120000000000"))

    [path] = files(tmp_path)
    assert path.parent == tmp_path / "queues" / "127.0.0.1" / "job_queue"
    assert path.name.startswith("queued_")
    assert path.name.endswith("_20260101120000000000.p")
    assert path.stat().st_mode & 0o077 == 0


def test_an_earlier_run_leaves_its_jobs_by_master_oldest_first(tmp_path):
    before = QueuedJobs(str(tmp_path), clock=lambda: 100.0)
    for jid, master in (("2", "a"), ("1", "a"), ("3", "b"), ("gone", "a")):
        before.put(master, load(jid))
    before.remove("gone")

    queued = QueuedJobs(str(tmp_path), clock=lambda: 130.0)

    assert set(queued.open()) == {"1", "2", "3"}
    assert queued.take("a") == [(load("2"), 30.0), (load("1"), 30.0)]
    assert queued.take("a") == []
    assert queued.holds("3")


def test_names_of_masters_and_jids_lead_nowhere_else(tmp_path):
    queued = QueuedJobs(str(tmp_path))

    queued.put("../../b", load("../../../c"))

    [path] = files(tmp_path)
    assert path.parent.parent.parent == tmp_path / "queues"
    assert QueuedJobs(str(tmp_path)).open() == ["../../../c"]


def test_a_large_job_and_one_without_a_disk_are_not_kept(tmp_path, caplog):
    (tmp_path / "file").touch()

    assert not QueuedJobs(str(tmp_path)).put("a", load("1", ["x" * LARGEST]))
    assert not QueuedJobs(str(tmp_path / "file")).put("a", load("1"))
    assert "1: a waiting job is not on disk and is lost if the minion stops" in caplog.text
    assert files(tmp_path) == [tmp_path / "file"]


def test_files_that_cannot_be_read_are_dropped(tmp_path, caplog):
    queued = QueuedJobs(str(tmp_path))
    queued.put("a", load("1"))
    queued.put("a", {**load("2"), "arg": "x"})
    [first, _] = files(tmp_path)
    first.write_bytes(b"rubbish")

    with caplog.at_level(logging.ERROR):
        assert QueuedJobs(str(tmp_path)).open() == []

    assert caplog.text.count("cannot be read and is dropped") == 2
    assert files(tmp_path) == []
