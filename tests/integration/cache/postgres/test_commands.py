"""quickstart and doctor with a PostgreSQL server."""

import re

import psycopg
import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.store_choice import store_at
from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


def rename(server, old, new):
    """Rename a database and terminate its connections."""

    def is_renamed():
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        server.execute(sql, (old,))
        try:
            server.execute(f"ALTER DATABASE {old} RENAME TO {new}")
        except psycopg.errors.ObjectInUse:
            return False
        return True

    until(is_renamed, "the database under its new name")


def test_quickstart_keeps_a_fleets_data_on_the_server(postgres_url):
    shown = outcome_of([PROGRAM, "quickstart", "--minions", "1", "--store", postgres_url])

    assert shown.code == 0, shown.err
    with psycopg.connect(postgres_url) as server:
        assert server.execute("SELECT count(*) FROM salt_g.returns WHERE id = 'm1'").fetchone()[0] >= 3
    assert "Its data stays in the database" in shown.out
    assert outcome_of([PROGRAM, "quickstart", "--minions", "1", "--store", postgres_url]).code == 0


def test_quickstart_does_not_use_the_data_of_a_master(postgres_url):
    with store_at(postgres_url) as store:
        Banks(store).store("grains", "web1", {"os": "Debian"}).result()

    refused = outcome_of([PROGRAM, "quickstart", "--store", postgres_url])

    assert refused.code == 1
    assert "has data of the minion web1; name a database without" in refused.err


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://salt@127.0.0.1:1/salt", "cannot be reached: .*; check that the server runs"),
        ("mysql://db1/salt", "is not a URL of a PostgreSQL server; write postgresql://USER@HOST/DATABASE"),
    ],
)
def test_quickstart_reports_why_a_server_cannot_be_used(url, message):
    refused = outcome_of([PROGRAM, "quickstart", "--store", url])

    assert refused.code in (1, 64)
    assert re.search(message, refused.err)


def test_doctor_tries_the_server(start_master, postgres_url):
    master = start_master(store=postgres_url)

    shown = outcome_of([PROGRAM, "doctor", "--role", "master", "-c", str(master.config_dir)])
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("ALTER SYSTEM SET synchronous_commit = off")
        server.execute("SELECT pg_reload_conf()")
        try:
            warned = outcome_of([PROGRAM, "doctor", "--role", "master", "-c", str(master.config_dir)])
        finally:
            server.execute("ALTER SYSTEM RESET synchronous_commit")
            server.execute("SELECT pg_reload_conf()")

    assert f"store {postgres_url}" in " ".join(shown.out.split())
    assert "synchronous_commit=off" in warned.out


def test_doctor_reports_that_the_database_is_away(start_master, start_minion, postgres_url):
    master = start_master(store=postgres_url)
    start_minion(master, "m1")

    with psycopg.connect(postgres_url.replace("/postgres", "/template1"), autocommit=True) as server:
        rename(server, "postgres", "moved")
        try:
            words = ("doctor", "--role", "master", "-c", str(master.config_dir))
            shown = " ".join(outcome_of([PROGRAM, *words]).out.split())
        finally:
            rename(server, "moved", "postgres")

    assert "see docs/postgresql.md for how to prepare the database" in shown
    assert "-> repair the store first; without it the master accepts no jobs" in shown
    assert "with permission to publish" not in shown


def test_a_master_with_a_wrong_store_does_not_start(tmp_path):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\nstore: mysql://u:secret@db1/salt\n")

    refused = outcome_of([PROGRAM, "master", "-c", str(tmp_path)])

    assert refused.code != 0
    assert "store: mysql://u@db1/salt is not a URL of a PostgreSQL server" in refused.err
    assert "secret" not in refused.err


def test_the_password_is_masked_where_settings_are_shown(tmp_path):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\nstore: postgresql://u:secret@db1/salt\n")

    shown = outcome_of([PROGRAM, "config", "--role", "master", "-c", str(tmp_path), "store"])

    assert "postgresql://u:**********@db1/salt" in shown.out


def test_a_second_master_on_the_same_database_does_not_start(start_master, tmp_path, postgres_url):
    start_master(store=postgres_url)
    (tmp_path / "master").write_text(
        f"root_dir: {tmp_path}\nstore: {postgres_url}\npublish_port: 0\nret_port: 0\ninterface: 127.0.0.1\n"
    )

    refused = outcome_of([PROGRAM, "master", "-c", str(tmp_path)])

    assert refused.code not in (0, None)
    assert "is in use by a program on 127.0.0.1 since" in refused.err
