"""Permanently lost masters: how they are shown, and how they are removed from the cluster."""

import json
import signal

import psycopg
import pytest

from salt_g.cache.store_choice import store_at
from salt_g.cluster import tables
from tests.support.commands import PROGRAM, outcome_of
from tests.support.waiting import until

#: Tables with rows for a master, and the column of its id.
TRACES = {"masters": "id", "leases": "holder", "positions": "reader", "connected": "master"}


def command(master, *words):
    return outcome_of([PROGRAM, words[0], "-c", str(master.config_dir), *words[1:]])


def join(store, id):
    joined = store.write(tables.JOIN, tables.Join(id, "host", "1.0", "print", b"")).result()
    store.write(tables.NOTE_CONNECTED, (id, joined.member.epoch, {"m1": "10.0.0.1"}, [])).result()
    store.write(tables.NOTE_POSITIONS, (id, "other", 1)).result()
    return joined.member


def traces(url, id):
    """Return the tables that have rows for a master."""
    with psycopg.connect(url) as server:
        return {
            table
            for table, column in TRACES.items()
            if server.execute(f"SELECT 1 FROM salt_g.{table} WHERE {column} LIKE %s", (id + "%",)).fetchone()
        }


def grow_older(url, interval):
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"UPDATE salt_g.masters SET seen = seen - interval '{interval}'")


def test_nothing_is_left_of_a_master_that_is_forgotten(postgres_url):
    with store_at(postgres_url, member="a") as store:
        member = join(store, "a")
        store.write(tables.LEAD, ("a", 0, 0)).result()
        grow_older(postgres_url, "1 hour")
        assert traces(postgres_url, "a") == set(TRACES)

        assert store.write(tables.FORGET_MASTER, ("a", member.epoch, member.beat)).result()

    assert traces(postgres_url, "a") == set()


def test_a_master_that_was_not_seen_for_a_day_is_forgotten_like_that(postgres_url):
    with store_at(postgres_url, member="a") as store:
        join(store, "a")
        grow_older(postgres_url, "25 hours")

        store.write(tables.PRUNE, None).result()

    assert traces(postgres_url, "a") == set()


def end_by_forgetting(store, member):
    assert store.write(tables.FORGET_MASTER, (member.id, member.epoch, member.beat)).result()


def end_by_leaving(store, member):
    store.write(tables.LEAVE, (member.id, member.epoch)).result()


def keep_minions_of_all_kinds(store, member):
    """Make m1 an earlier minion, m2 a connected one, and m3 one that has left."""
    store.write(tables.SET_ASIDE, (member.id, member.epoch)).result()
    store.write(tables.NOTE_CONNECTED, (member.id, member.epoch, {"m2": "", "m3": ""}, [])).result()
    store.write(tables.NOTE_CONNECTED, (member.id, member.epoch, {}, ["m3"])).result()


def kept(url):
    """Return the (master, minion) pairs in the table."""
    with psycopg.connect(url) as server:
        return sorted(server.execute("SELECT master, id FROM salt_g.connected").fetchall())


def pass_time(url, interval):
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"UPDATE salt_g.log SET made = made - interval '{interval}'")


@pytest.mark.parametrize("end", [end_by_forgetting, end_by_leaving])
def test_minions_that_may_be_on_their_way_are_remembered_for_a_while(postgres_url, end):
    with store_at(postgres_url, member="b") as store:
        join(store, "b")
        member = join(store, "a")
        keep_minions_of_all_kinds(store, member)
        end(store, member)
        of_all = [("a", "m2"), ("a (before)", "m1"), ("a (left)", "m3"), ("b", "m1")]

        for interval in ("0 minutes", "14 minutes", "0 minutes"):
            pass_time(postgres_url, interval)
            store.write(tables.PRUNE, None).result()
            assert kept(postgres_url) == of_all

        pass_time(postgres_url, "2 minutes")
        store.write(tables.PRUNE, None).result()

    assert kept(postgres_url) == [("b", "m1")]


def test_minions_are_remembered_from_the_last_end_of_their_master(postgres_url):
    with store_at(postgres_url, member="b") as store:
        end_by_leaving(store, join(store, "a"))
        store.write(tables.PRUNE, None).result()
        pass_time(postgres_url, "14 minutes")
        end_by_leaving(store, join(store, "a"))
        pass_time(postgres_url, "2 minutes")

        store.write(tables.PRUNE, None).result()

    assert kept(postgres_url) == [("a", "m1"), ("a (before)", "m1")]


def test_no_start_of_a_master_has_the_number_of_another_one(postgres_url):
    with store_at(postgres_url, member="b") as store:
        join(store, "b")
        first = join(store, "a")
        assert store.write(tables.FORGET_MASTER, ("a", first.epoch, first.beat)).result()
        second = join(store, "a")

        assert second.epoch > first.epoch
        assert store.write(tables.CHECK_IN, ("a", first.epoch, 0)).result() is None


@pytest.mark.parametrize("end", [end_by_forgetting, end_by_leaving])
def test_no_lead_has_the_number_of_an_earlier_one(postgres_url, end):
    with store_at(postgres_url, member="a") as store:
        assert store.write(tables.LEAD, ("a", 0, 0)).result()
        end(store, join(store, "a"))

        [(holder, epoch, beat)] = store.read(tables.LEADER)
        assert (holder, epoch) == ("", 1)
        assert not store.write(tables.LEAD, ("a", 1, 0)).result()
        assert store.write(tables.LEAD, ("b", epoch, beat)).result()
        assert store.read(tables.LEADER)[0][:2] == ("b", 2)


def test_a_start_that_was_replaced_changes_nothing_of_its_successor(postgres_url):
    with store_at(postgres_url, member="a") as store:
        first = join(store, "a")
        join(store, "a")
        assert store.write(tables.LEAD, ("a", 0, 0)).result()

        store.write(tables.SET_ASIDE, ("a", first.epoch)).result()
        store.write(tables.NOTE_CONNECTED, ("a", first.epoch, {"m2": ""}, ["m1"])).result()
        store.write(tables.LEAVE, ("a", first.epoch)).result()

    assert kept(postgres_url) == [("a", "m1"), ("a (before)", "m1")]
    assert {"masters", "leases"} <= traces(postgres_url, "a")


def test_numbers_of_starts_go_on_behind_those_of_an_older_release(postgres_url):
    with store_at(postgres_url, member="a") as store:
        join(store, "a")
        with psycopg.connect(postgres_url, autocommit=True) as server:
            server.execute("UPDATE salt_g.masters SET epoch = 7")

        assert join(store, "b").epoch == 8


def test_a_master_that_was_forgotten_leaves_no_new_traces(postgres_url):
    with store_at(postgres_url, member="a") as store:
        member = join(store, "a")
        grow_older(postgres_url, "1 hour")
        store.write(tables.FORGET_MASTER, ("a", member.epoch, member.beat)).result()

        store.write(tables.NOTE_CONNECTED, ("a", member.epoch, {"m2": "10.0.0.2"}, ["m1"])).result()

    assert traces(postgres_url, "a") == set()


def test_a_master_that_beats_again_is_not_forgotten(postgres_url):
    with store_at(postgres_url, member="a") as store:
        member = join(store, "a")
        store.write(tables.CHECK_IN, ("a", member.epoch, 1)).result()

        assert not store.write(tables.FORGET_MASTER, ("a", member.epoch, member.beat)).result()

    assert "masters" in traces(postgres_url, "a")


def test_a_killed_master_is_away_without_minions_until_it_is_forgotten(start_masters, start_minion, reach):
    a, b = start_masters("a", "b")
    start_minion(b, "m1")
    reach([a], "m1")
    until(
        lambda: json.loads(command(a, "cluster", "status", "--out=json").out)["masters"]["b"]["minions"] == 1,
        "its minion",
    )
    b.kill()

    away = command(a, "cluster", "status", "--out=json")
    refused = command(a, "cluster", "forget", "a")
    unknown = command(a, "cluster", "forget", "c")
    forgotten = command(a, "cluster", "forget", "b")
    left = command(a, "cluster", "status")

    assert away.code == 1
    assert json.loads(away.out)["masters"]["b"]["minions"] == 0
    assert (refused.code, "'a' is live: stop it" in refused.err) == (1, True), refused.err
    assert (unknown.code, "no master 'c'; its masters are: a, b" in unknown.err) == (1, True), unknown.err
    assert (forgotten.code, "b is forgotten" in forgotten.out) == (0, True), forgotten.err
    assert left.code == 0
    assert left.out.count("\n") == 2

    b.start()
    until(lambda: command(a, "cluster", "status").out.count("\n") == 3, "both")
    b.stop()
    a.stop()
    empty = command(a, "cluster", "status", "--out=json")
    assert empty.code == 1
    assert json.loads(empty.out)["masters"] == {}
    assert "no master has joined, or all were stopped: start one" in empty.err


def test_a_master_that_hung_while_it_was_forgotten_logs_it_once_it_goes_on(start_masters):
    a, b = start_masters("a", "b")
    b.send_signal(signal.SIGSTOP)
    try:
        forgotten = command(a, "cluster", "forget", "b")
    finally:
        b.send_signal(signal.SIGCONT)
    assert forgotten.code == 0, forgotten.err

    until(lambda: "no place for this master any more: it was forgotten, or" in b.log(), "its log")
    assert command(a, "cluster", "status").out.count("\n") == 2

    b.stop()
    b.start()
    until(lambda: command(a, "cluster", "status").out.count("\n") == 3, "both")


@pytest.mark.parametrize("output", [(), ("--out=json",)])
def test_a_database_that_is_away_leaves_stdout_empty(tmp_path, output):
    (tmp_path / "master").write_text(
        f"root_dir: {tmp_path}\nid: a\ncluster: true\nstore: postgresql://salt@127.0.0.1:1/salt\n"
    )

    away = outcome_of([PROGRAM, "cluster", "-c", str(tmp_path), "status", *output])

    assert (away.code, away.out) == (1, "")
    assert "cannot be reached" in away.err
