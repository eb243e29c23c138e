"""Stores of several masters in one database: a write does not wait for another's open transaction."""

import gevent
import psycopg
import pytest

from salt_g.cache import job_writes, return_commit
from salt_g.cache.jobs import Jobs
from salt_g.cache.postgres import schema
from salt_g.cache.postgres.connection import connect
from salt_g.cache.postgres.store import PostgresStore
from salt_g.cache.return_commit import Saved
from salt_g.cluster import tables
from salt_g.cluster.log import Log, LogHandlers
from salt_g.cluster.membership import Membership
from salt_g.cluster.observed_beats import Member
from salt_g.cluster.sealing import Sealing
from salt_g.wire.packing import pack_bus, unpack
from salt_g.wire.rsa import PrivateKey
from tests.support.waiting import until

JID = "20260102030405678901"
#: Time limit for a write that waits for no other (s).
SOON = 5
FIRST, REPEATED, DIFFERENT = Saved


@pytest.fixture
def open_store(postgres_url):
    """Yield a function that starts the store of a master; all of them are stopped at the end."""
    stores = []

    def start(member, kind=PostgresStore):
        store = kind(postgres_url, member=member)
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


def test_ids_that_two_masters_add_to_a_job_are_all_expected(open_store):
    stores = [Jobs(open_store("a")), Jobs(open_store("b"))]

    writes = [
        jobs.save_minions(JID, [f"{name}{number}"])
        for number in range(50)
        for name, jobs in zip("ab", stores, strict=True)
    ]
    for write in writes:
        write.result(SOON)

    assert len(stores[0].get_expected(JID)) == 100


def test_ids_are_added_to_those_of_a_commit_that_is_waited_for(open_store, postgres_url):
    jobs = Jobs(open_store("a"))
    jobs.save_minions(JID, ["m1"]).result(SOON)

    with psycopg.connect(postgres_url) as other:
        packed = other.execute("SELECT ids FROM salt_g.expected WHERE jid = %s", (JID,)).fetchone()[0]
        more = pack_bus([*unpack(packed), "m2"])
        other.execute("UPDATE salt_g.expected SET ids = %s WHERE jid = %s", (more, JID))
        write = jobs.save_minions(JID, ["m3"])
        until(lambda: _waits_for_a_lock(postgres_url), "the write waits")

    write.result(SOON)
    assert jobs.get_expected(JID) == ["m1", "m2", "m3"]


def _waits_for_a_lock(url):
    with psycopg.connect(url) as server:
        sql = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        return server.execute(sql).fetchone()[0]


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


def test_a_batch_of_returns_is_one_statement_whatever_its_size(postgres_url, open_store):
    open_store("a")
    connection = connect(postgres_url, limit=SOON, of_thread=True)
    schema.use_schema(connection)
    statements = []

    class Counted:
        def execute(self, sql, values=()):
            statements.append(sql)
            return connection.execute(sql, values)

    returns = [(JID, f"m{number}", b"\x80") for number in range(299)]
    assert return_commit.RETURN.apply(Counted(), [*returns, returns[0]]) == [FIRST] * 299 + [REPEATED]
    assert len(statements) == 1
    assert return_commit.RETURN.apply(connection, [(JID, "m1", b"\x81\xa6return\x01"), returns[2]]) == [
        DIFFERENT,
        REPEATED,
    ]
    connection.close()


def test_a_return_that_another_master_is_storing_is_stored_once(open_store, postgres_url):
    jobs = Jobs(open_store("a"))
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT set_config('salt_g.master', 'b', false)")
        other.execute("INSERT INTO salt_g.returns (jid, id, data) VALUES (%s, 'm1', %s)", (JID, b"\x80"))
        both = [jobs.save_return(_return("m1")), jobs.save_return(_return("m2"))]

    assert [one.result(SOON) for one in both] == [DIFFERENT, FIRST]


class Noting(PostgresStore):
    """Store that records the statements of its reads."""

    def __init__(self, *words, **options):
        super().__init__(*words, **options)
        self.statements = []

    def read(self, sql, values=()):
        self.statements.append(sql)
        return super().read(sql, values)


@pytest.fixture
def follow(open_store, postgres_url):
    """Return a function that starts master b's log; it returns log, store, record and the log's turn."""

    def start(is_return_wanted=lambda jid, id: True):
        store = open_store("b", Noting)
        log = Log(store, postgres_url, Membership(store, "b", Sealing(PrivateKey.generate())))
        store.write(tables.JOIN, tables.Join("b", "host", "1", "print", b"key")).result()
        log.start(0)
        seen = []
        handlers = LogHandlers(
            lambda *publication: None,
            lambda jid, id, data: seen.append((jid, id, unpack(data)["return"])),
            is_return_wanted,
            {"key": lambda name, body: seen.append(name)},
        )

        def turn(others=("a",)):
            log._membership.others = {id: Member(id, 1, 1, 1) for id in others}
            store.statements.clear()
            log.take_turn(handlers)

        return log, store, seen, turn

    return start


def test_returns_that_nobody_waits_for_are_not_fetched_by_other_masters(open_store, follow):
    wanted = set()
    author, (_, store, seen, turn) = Jobs(open_store("a")), follow(lambda jid, id: jid in wanted)

    author.save_return(_return("m1")).result()
    turn()
    assert (seen, tables.RETURNS in store.statements) == ([], False)

    wanted.add(JID)
    author.save_return(_return("m2", "y")).result()
    turn()
    assert seen == [(JID, "m2", "y")]


def test_a_turn_without_anything_new_is_one_question(open_store, follow):
    author, (_, store, seen, turn) = Jobs(open_store("a")), follow()
    author.save_return(_return("m1")).result()
    turn()
    assert len(seen) == 1

    turn()

    assert store.statements == [tables.ENDS]


def test_a_masters_entries_are_read_at_once_before_its_first_beat_is_seen(open_store, follow):
    _, _, seen, turn = follow()
    author = open_store("a")
    author.write(tables.JOIN, tables.Join("a", "host", "1", "print", b"key")).result()
    author.write(tables.ANNOUNCE, ("key", "m1", b"")).result()

    turn(others=())

    assert seen == ["m1"]


def test_a_rejoining_master_does_not_announce_earlier_returns_again(open_store, follow):
    author = Jobs(open_store("a"))
    author.save_return(_return("m1")).result()
    _, _, seen, turn = follow()

    turn()
    assert seen == []

    author.save_return(_return("m2")).result()
    turn()
    assert seen == [(JID, "m2", "x")]


def test_writes_committed_during_a_start_are_read_at_once(follow):
    log, _, _, _ = follow()

    gevent.with_timeout(SOON, log._hints.wait, 1000)
