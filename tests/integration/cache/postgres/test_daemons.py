"""A master with its data on a PostgreSQL server: jobs, minion data, restarts, command line."""

import psycopg
import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until


@pytest.fixture
def master(start_master, postgres_url):
    return start_master(store=postgres_url)


def command(master, name, *words):
    return outcome_of([PROGRAM, name, "-c", str(master.config_dir), *words])


def rows(url, sql):
    with psycopg.connect(url) as server:
        return server.execute(sql).fetchall()


def test_jobs_returns_and_minions_data_are_on_the_server(master, start_minion, salt, postgres_url):
    start_minion(master)

    assert salt(master, "*", "test.ping").minions == {"m1": True}

    returned = rows(postgres_url, "SELECT id FROM salt_g.returns r JOIN salt_g.jobs USING (jid)")
    assert ("m1",) in returned
    assert ("m1",) in rows(postgres_url, "SELECT key FROM salt_g.entries WHERE bank = 'grains'")
    assert not (master.cachedir / "store.sqlite").exists()


def test_jobs_are_there_after_a_restart_and_without_a_master(master, start_minion, salt, postgres_url):
    start_minion(master)
    salt(master, "*", "test.echo", "kept")
    ((jid,),) = rows(postgres_url, "SELECT jid FROM salt_g.jobs WHERE fun = 'test.echo'")

    master.stop()
    alone = command(master, "run", "jobs.lookup_jid", jid)
    master.start()
    again = command(master, "run", "jobs.lookup_jid", jid)

    assert "kept" in alone.out
    assert "kept" in again.out
    assert salt(master, "m1", "test.ping").minions == {"m1": True}


def test_grains_choose_minions_and_the_mine_is_read(master, start_minion, salt):
    start_minion(master, "m1", grains={"role": "web"}, mine_functions={"test.echo": ["mined"]})
    start_minion(master, "m2")

    assert list(salt(master, "-G", "role:web", "test.ping").minions) == ["m1"]
    salt(master, "m1", "mine.update")
    assert salt(master, "m2", "mine.get", "m1", "test.echo").minions == {"m2": {"m1": "mined"}}


def test_a_connection_that_the_server_ends_is_made_again(master, start_minion, salt, postgres_url):
    start_minion(master)
    salt(master, "*", "test.ping")

    ended = rows(
        postgres_url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'salt-g'",
    )

    assert ended
    assert salt(master, "*", "test.ping").minions == {"m1": True}


def test_a_deleted_key_takes_its_data_along(master, start_minion, postgres_url):
    start_minion(master).stop()
    until(lambda: rows(postgres_url, "SELECT key FROM salt_g.entries WHERE bank = 'grains'"), "grains")

    assert command(master, "key", "-y", "-d", "m1").code == 0

    until(lambda: not rows(postgres_url, "SELECT key FROM salt_g.entries WHERE bank = 'grains'"), "no grains")
