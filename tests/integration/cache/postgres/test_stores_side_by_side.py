"""Stores of several masters in one database: a write does not wait for what another has not committed."""

import psycopg
import pytest

from salt_g.cache import job_writes
from salt_g.cache.jobs import Jobs
from salt_g.cache.postgres import schema
from salt_g.cache.postgres.store import PostgresStore

JID = "20260102030405678901"
#: Time limit for a write that waits for nobody (s).
SOON = 5


@pytest.fixture
def open_store(postgres_url):
    """Factory: start the store of a master; all of them are stopped at the end."""
    stores = []

    def start(member):
        store = PostgresStore(postgres_url, member=member)
        store.start()
        stores.append(store)
        return store

    yield start
    for store in stores:
        store.stop()


def _return(id, value="x"):
    return {"jid": JID, "id": id, "fun": "test.echo", "return": value, "retcode": 0}


def test_returns_of_one_master_do_not_wait_for_the_commit_of_another(open_store, postgres_url):
    jobs = Jobs(open_store("a"))

    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT set_config('salt_g.master', 'b', false)")
        other.execute("INSERT INTO salt_g.returns (jid, id, data) VALUES (%s, 'm1', %s)", (JID, b"\x80"))

        jobs.save_return(_return("m2")).result(SOON)

    assert sorted(jobs.get_returned(JID)) == ["m1", "m2"]


def test_the_size_of_all_jobs_counts_what_every_master_wrote_and_removed(open_store):
    one, other = open_store("a"), open_store("b")
    Jobs(one).save_load(JID, {"fun": "test.echo", "arg": []}, ["m1", "m2"]).result()
    Jobs(one).save_return(_return("m1")).result()
    Jobs(other).save_return(_return("m2", "y" * 1000)).result()

    jobs = Jobs(other)
    assert jobs.held_bytes() > 1300
    other.write(job_writes.PRUNE, ("3", 0)).result()

    assert jobs.held_bytes() == 0


def test_tables_of_before_keep_the_size_of_all_jobs(open_store, postgres_url, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(schema, "STEPS", schema.STEPS[:6])
        older.setattr(schema, "VERSION", 6)
        with PostgresStore(postgres_url) as store:
            Jobs(store).save_return(_return("m1")).result()
            held = Jobs(store).held_bytes()

    jobs = Jobs(open_store("a"))
    assert jobs.held_bytes() == held > 100
    jobs.save_return(_return("m2")).result()
    assert jobs.held_bytes() == 2 * held
