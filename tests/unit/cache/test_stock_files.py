"""Copies of loads for stock's command line."""

import os
import stat

from salt_g.cache.stock_files import StockJobFiles

JID = "20260102030405678901"


def _files(tmp_path):
    return sorted(path for path in tmp_path.rglob("*") if path.is_file())


def test_a_job_has_its_three_private_files(tmp_path):
    before = os.umask(0)
    try:
        StockJobFiles(str(tmp_path)).write(JID, {"fun": "test.ping"}, ["m1"])
    finally:
        os.umask(before)

    files = _files(tmp_path)
    assert [path.name for path in files] == [".load.p", ".minions.p", "jid"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {stat.S_IMODE(path.parent.stat().st_mode) for path in files} == {0o700}


def test_the_directory_is_named_by_the_digest_of_the_jid(tmp_path):
    StockJobFiles(str(tmp_path), hash_type="md5").write(JID, {}, [])

    assert {len(path.parent.parent.name + path.parent.name) for path in _files(tmp_path)} == {32}


def test_old_copies_go(tmp_path):
    now = [0.0]
    files = StockJobFiles(str(tmp_path), clock=lambda: now[0])
    files.write(JID, {}, [])
    written = _files(tmp_path)[0].parent.stat().st_mtime

    now[0] = written + 50
    assert files.remove_older(60) == 0
    now[0] = written + 70
    assert files.remove_older(60) == 1
    assert _files(tmp_path) == []


def test_without_copies_there_is_nothing_to_remove(tmp_path):
    assert StockJobFiles(str(tmp_path)).remove_older(0) == 0


def test_a_disk_that_takes_nothing_is_reported_once_and_refuses_no_job(caplog):
    files = StockJobFiles("/proc/nowhere")

    files.write(JID, {}, [])
    files.write(JID, {}, [])

    assert caplog.text.count("stock's command line cannot see jobs") == 1
