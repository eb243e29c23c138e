"""A PostgreSQL server that is down, frozen or unusable: results of writers and readers."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.postgres import connection, server
from salt_g.cache.store_choice import store_at
from salt_g.errors import StoreError, StoreForeign, StoreInUse, StoreTooNew
from tests.support.daemons import RunningMaster
from tests.support.free_ports import free_port
from tests.support.servers import running_postgres

psycopg = pytest.importorskip("psycopg")

#: Names of the tables in the schema.
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'salt_g' ORDER BY 1"


@pytest.fixture
def directory():
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path) / "postgres"


def url_of(port, user="salt"):
    return f"postgresql://{user}@127.0.0.1:{port}/postgres"


def test_writes_fail_with_a_sentence_while_the_server_is_away_and_go_on_after_it(directory):
    with running_postgres(directory) as port:
        store = store_at(url_of(port))
        store.start()
        banks = Banks(store)
        banks.store("grains", "m1", {"os": "Debian"}).result()
    try:
        with pytest.raises(StoreError, match="cannot be reached: .*; check that the server runs"):
            banks.store("grains", "m2", {}).result()
        with pytest.raises(StoreError, match="cannot be reached"):
            banks.fetch("grains", "m1")
        with running_postgres(directory, port):
            banks.store("grains", "m2", {"os": "Arch"}).result()

            assert banks.list_all("grains") == {"m1": {"os": "Debian"}, "m2": {"os": "Arch"}}
            store.stop()
    except BaseException:
        store.stop()
        raise


def test_a_writer_that_hangs_in_a_transaction_stops_the_others_for_a_moment_only(directory):
    with running_postgres(directory) as port, store_at(url_of(port)) as store:
        banks = Banks(store)
        banks.store("grains", "m1", {"os": "Debian"}).result()
        hung = connection.connect(url_of(port), limit=connection.WRITE, of_thread=True)
        hung.execute("SET search_path = salt_g")
        hung.execute("BEGIN")
        hung.execute("UPDATE entries SET updated = 0")

        banks.store("grains", "m1", {"os": "Arch"}).result()

        assert banks.fetch("grains", "m1") == {"os": "Arch"}
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            hung.execute("COMMIT")
        hung.close()


def test_a_store_may_start_before_its_server(directory):
    port = free_port()
    with store_at(url_of(port)) as store, running_postgres(directory, port):
        Banks(store).store("grains", "m1", 1).result()

        assert Banks(store).fetch("grains", "m1") == 1


def test_a_server_that_stands_still_is_given_up(postgres_url, monkeypatch):
    monkeypatch.setattr(connection, "READ", 0.5)
    lone = connection.connect(postgres_url, limit=0.5, of_thread=True)
    process = lone.info.backend_pid
    os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(psycopg.OperationalError, match=r"no answer within 0\.5 s"):
            lone.execute("SELECT 1")
    finally:
        os.kill(process, signal.SIGCONT)

    assert lone.closed
    assert not lone.is_usable()


def test_an_error_of_the_server_is_explained(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS guest")
        owner.execute("CREATE ROLE guest LOGIN")
    with store_at(postgres_url.replace("salt@", "guest@")) as store:
        with pytest.raises(StoreError, match="refuses: .*must own the database"):
            Banks(store).store("grains", "m1", 1).result()
        # The tables are missing because this program could not create them, and says so.
        with pytest.raises(StoreError, match="refuses: .*must own the database"):
            Banks(store).fetch("grains", "m1")
    with pytest.raises(StoreError, match="has no tables of salt-g: no master has run"):
        Banks(store_at(postgres_url.replace("salt@", "guest@"))).fetch("grains", "m1")


def test_tables_of_a_newer_program_are_left_alone(postgres_url):
    with store_at(postgres_url):
        pass
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("UPDATE salt_g.version SET number = 99")

    with pytest.raises(StoreTooNew, match="has version 99 and was written by a newer salt-g"):
        store_at(postgres_url).start()


DAMAGE = {
    "CREATE SCHEMA salt_g; CREATE TABLE salt_g.version(z int)": "has tables that are not salt-g's (version);",
    "CREATE SCHEMA salt_g; CREATE TABLE salt_g.jobs(z int)": "has tables that are not salt-g's (jobs);",
    "CREATE SCHEMA salt_g; CREATE TABLE salt_g.version AS SELECT 1 AS number; CREATE TABLE salt_g.masters()":
        'cannot be brought to version 2 (relation "masters" already exists);',
    "UPDATE salt_g.version SET number = 0": "is damaged: its table version has 0,",
    "UPDATE salt_g.version SET number = 2":
        'cannot be brought to version 3 (relation "tokens" already exists);',
    "DELETE FROM salt_g.version": "is damaged: its table version has no number,",
    "INSERT INTO salt_g.version VALUES (1)": "is damaged: its table version has",
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_tables_that_are_not_ours_are_left_alone(postgres_url, damage):
    if "CREATE SCHEMA" not in damage:
        with store_at(postgres_url):
            pass
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(damage)
        before = owner.execute(TABLES).fetchall()

    with pytest.raises(StoreForeign) as refused:
        store_at(postgres_url).start()
    with pytest.raises(StoreForeign):
        store_at(postgres_url).check_writable()

    assert f"the schema salt_g {DAMAGE[damage]}" in str(refused.value)
    assert "name another database" in str(refused.value)
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        assert owner.execute(TABLES).fetchall() == before


def test_a_master_ends_with_one_sentence_at_tables_that_are_not_ours(daemon_root, postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute("CREATE SCHEMA salt_g; CREATE TABLE salt_g.jobs(z int)")

    master = RunningMaster(daemon_root / "a", store=postgres_url)
    with pytest.raises(AssertionError, match=r"not salt-g's \(jobs\); name another database"):
        master.start()

    master.stop(code=1)
    assert "Traceback" not in master.log()


def test_a_column_that_is_gone_is_reported_without_a_traceback(postgres_url, caplog):
    with store_at(postgres_url) as store:
        with psycopg.connect(postgres_url, autocommit=True) as owner:
            owner.execute("ALTER TABLE salt_g.entries RENAME COLUMN data TO other")
        with pytest.raises(StoreError, match="has damaged tables: column .*restore the schema salt_g"):
            Banks(store).store("grains", "m1", 1).result()

    assert "Traceback" not in caplog.text


def test_a_value_that_cannot_be_stored_fails_alone(postgres_url):
    with store_at(postgres_url) as store:
        banks = Banks(store)
        good, bad = banks.store("grains", "m1", 1), banks.store("grains", "nul\0", 1)

        assert good.result() is None
        with pytest.raises(StoreError, match="a value cannot be stored"):
            bad.result()


def test_a_second_master_is_refused(postgres_url):
    with (
        store_at(postgres_url),
        pytest.raises(StoreInUse, match=r"in use by a program on 127\.0\.0\.1 since"),
    ):
        store_at(postgres_url).start()

    with store_at(postgres_url) as store:
        Banks(store).store("grains", "m1", 1).result()


def test_programs_that_start_together_make_the_tables_once(postgres_url):
    program = f"from salt_g.cache.store_choice import store_at\nwith store_at({postgres_url!r}):\n    pass"
    started = [
        subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]

    assert [process.communicate(timeout=60)[1] for process in started] == [""] * 4


def test_an_error_of_ours_is_not_a_fault_of_a_value():
    assert server.failure(AttributeError("x")) is server.DatabaseFailure.OTHER
    assert server.failure(psycopg.errors.SyntaxError("x")) is server.DatabaseFailure.OTHER
