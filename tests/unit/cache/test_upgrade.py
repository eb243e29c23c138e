"""Stores that earlier versions wrote, as `recorded/store-<version>.sql`, under the present code.

The recordings were made by the code of then: two jobs, three returns, grains, pillar and mine.
"""

import contextlib
import pathlib
import sqlite3
import subprocess
import sys
import threading

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import FILE_NAME, EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.schema import VERSION
from salt_g.cache.sqlite_file import open_for_writing
from salt_g.errors import StoreTooNew

RECORDED = {
    int(path.stem.partition("-")[2]): path.read_text(encoding="utf-8")
    for path in pathlib.Path(__file__).parent.joinpath("recorded").glob("store-*.sql")
}
DONE, OPEN = "20261120040000000000", "20261120040000000001"
#: What each return of the recording holds.
RETURN = {"ü": [True, None, 1.5, b"\xff"]}


@pytest.fixture
def cachedir(tmp_path):
    """Return a function that makes a `cachedir` whose store has a given version."""

    def make(version):
        (tmp_path / "cache").mkdir(mode=0o700)
        with contextlib.closing(sqlite3.connect(tmp_path / "cache" / FILE_NAME)) as connection:
            connection.executescript(RECORDED[version])
        return str(tmp_path / "cache")

    return make


def version_of(cachedir):
    with contextlib.closing(sqlite3.connect(f"{cachedir}/{FILE_NAME}")) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def jids_for_readers(cachedir):
    """Return the jids visible to a command line, which does not write."""
    store = EmbeddedStore(cachedir)
    try:
        return list(Jobs(store).get_jids())
    finally:
        store.stop()


def test_there_is_a_recording_of_every_version():
    assert sorted(RECORDED) == list(range(1, VERSION + 1))


@pytest.mark.parametrize("version", RECORDED)
def test_jobs_and_returns_are_read_and_go_on(cachedir, version):
    with EmbeddedStore(cachedir(version)) as store:
        jobs = Jobs(store)

        assert list(jobs.get_jids()) == [DONE, OPEN]
        assert jobs.get_load(DONE)["Minions"] == ["web1", "web2"]
        assert jobs.get_end(DONE) == 1795147201.5
        assert jobs.get_jid(OPEN) == {
            id: {"return": RETURN, "retcode": 1, "success": True, "out": "nested"} for id in ("web1", "web2")
        }
        late = {"jid": DONE, "id": "web2", "fun": "test.ping", "return": True}
        jobs.save_return(late).result(30)
        assert jobs.get_returned(DONE) == ["web1", "web2"]


@pytest.mark.parametrize("version", RECORDED)
def test_a_return_that_is_there_is_not_taken_again(cachedir, version):
    with EmbeddedStore(cachedir(version)) as store:
        jobs = Jobs(store)

        jobs.save_return({"jid": DONE, "id": "web1", "return": "again"}).result(30)

        assert jobs.get_jid(DONE)["web1"]["return"] == RETURN


@pytest.mark.parametrize("version", RECORDED)
def test_grains_pillar_and_mine_are_read(cachedir, version):
    with EmbeddedStore(cachedir(version)) as store:
        banks = Banks(store)

        assert banks.fetch("grains", "web1") == {"os": "Debian", "ipv4": ["10.0.0.1"]}
        assert banks.fetch("pillar", "web1") == {"role": "web"}
        assert banks.fetch("mine", "web1") == {"test.ping": True}
        assert banks.fetch("minions/web1", "mine") == {"network.ip_addrs": ["10.0.0.1"]}
        assert banks.list("tokens") == []


@pytest.mark.parametrize("version", RECORDED)
def test_the_file_has_the_tables_of_a_new_one(cachedir, version, tmp_path):
    def tables(directory):
        with contextlib.closing(sqlite3.connect(f"{directory}/{FILE_NAME}")) as connection:
            return sorted(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"), key=repr)

    old = cachedir(version)
    with EmbeddedStore(old), EmbeddedStore(str(tmp_path / "new")):
        pass

    assert version_of(old) == VERSION
    assert tables(old) == tables(tmp_path / "new")


@pytest.mark.parametrize("version", RECORDED)
def test_the_size_of_jobs_is_still_counted(cachedir, version):
    with EmbeddedStore(cachedir(version)) as store:
        summed = store.read(
            "SELECT (SELECT sum(length(load) + 100) FROM jobs)"
            " + (SELECT sum(length(ids) + 100) FROM expected)"
            " + (SELECT sum(length(data) + 100) FROM returns)"
        )

        assert Jobs(store).held_bytes() == summed[0][0]


def test_a_command_line_reads_an_older_store_and_leaves_it(cachedir):
    old = cachedir(1)

    assert jids_for_readers(old) == [DONE, OPEN]
    assert version_of(old) == 1


def test_several_programs_may_open_an_older_store_at_once(cachedir):
    old = cachedir(1)
    program = f"from salt_g.cache.embedded_store import EmbeddedStore\nEmbeddedStore({old!r}).start()"

    started = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(3)]

    result = [line for process in started for line in process.communicate(timeout=60)[1].splitlines()]
    assert [line.partition(b": ")[2] for line in result] == [b"migrated from version 1 to %d" % VERSION]
    assert version_of(old) == VERSION


def test_opening_waits_for_a_program_that_still_turns_on_the_log(cachedir):
    old = cachedir(1)
    with contextlib.closing(sqlite3.connect(f"{old}/{FILE_NAME}", check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.2, other.rollback)
        release.start()

        open_for_writing(f"{old}/{FILE_NAME}")[0].close()

        release.join()
    assert version_of(old) == VERSION


def test_a_newer_store_is_refused_by_writers_and_readers_and_not_touched(cachedir):
    newer = cachedir(VERSION)
    with contextlib.closing(sqlite3.connect(f"{newer}/{FILE_NAME}")) as connection:
        connection.executescript(f"PRAGMA user_version = {VERSION + 1}; CREATE TABLE later (x);")

    with pytest.raises(StoreTooNew) as refused, EmbeddedStore(newer):
        pass
    with pytest.raises(StoreTooNew, match=f"{FILE_NAME}: has version {VERSION + 1} "):
        jids_for_readers(newer)

    assert f"versions up to {VERSION}" in str(refused.value)
    assert "Start the newer salt-g" in str(refused.value)
    assert version_of(newer) == VERSION + 1
