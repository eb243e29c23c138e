"""Read-sets in the store: the last run of each call, equal sets once, found by name, bounded."""

import pytest

from salt_g.cache.read_sets import CALLS, GRACE, Ran, ReadSetLimits, ReadSets
from salt_g.report.recording.read_sets import SIZE, opened, packed, question

ANY = ReadSetLimits(0, 0)
WEB = {"web": {"salt://web.sls": "aa", "pillar:nginx:port": ""}}
ALL = {"": {"salt://top.sls": "bb"}, "db": {"pillar": ""}}


@pytest.fixture
def read_sets(store):
    return ReadSets(store)


def add(read_sets, minion, names, *, call="web", at=100.0, has_body=True):
    digest, body = opened(packed(names))
    read_sets.add(Ran(minion, call, at, f"jid {at}", digest, body if has_body else b"")).result(30)


def readers_of(read_sets, text):
    return sorted((one.minion, one.name) for one in read_sets.readers(question(text)))


def prune(read_sets, limits, now=100.0):
    while read_sets.prune(limits, now).result(30):
        pass


def test_minions_are_found_by_what_they_read(read_sets):
    add(read_sets, "m1", WEB)
    add(read_sets, "m2", ALL, call="highstate", at=200.0)

    assert readers_of(read_sets, "pillar:nginx:port") == [("m1", "pillar:nginx:port"), ("m2", "pillar")]
    assert readers_of(read_sets, "pillar:nginx") == [("m1", "pillar:nginx:port"), ("m2", "pillar")]
    assert readers_of(read_sets, "pillar:nginx:user") == [("m2", "pillar")]
    assert readers_of(read_sets, "salt://web.sls") == [("m1", "salt://web.sls")]
    assert readers_of(read_sets, "salt://") == [("m1", "salt://web.sls"), ("m2", "salt://top.sls")]
    assert readers_of(read_sets, "grain:os") == []
    assert (read_sets.minions(), read_sets.unknown()) == (2, [])


def test_a_removed_minion_reads_nothing(read_sets):
    add(read_sets, "m1", WEB)
    add(read_sets, "m1", ALL, call="highstate")
    add(read_sets, "m2", WEB, has_body=False)

    read_sets.forget("m1").result(30)

    assert readers_of(read_sets, "salt://") == [("m2", "salt://web.sls")]
    assert read_sets.minions() == 1


def test_equal_sets_are_there_once_and_need_no_second_body(read_sets):
    add(read_sets, "m1", WEB)
    held = read_sets.held_bytes()
    add(read_sets, "m2", WEB, has_body=False)

    assert readers_of(read_sets, "salt://web.sls") == [("m1", "salt://web.sls"), ("m2", "salt://web.sls")]
    assert read_sets.held_bytes() - held < 500
    (run,) = read_sets.runs_of("m2")
    assert (run.call, run.jid, read_sets.names(run.digest)) == ("web", "jid 100.0", WEB)


def test_the_last_run_of_a_call_replaces_the_one_before(read_sets):
    add(read_sets, "m1", WEB)
    add(read_sets, "m1", ALL, at=200.0)
    assert readers_of(read_sets, "salt://web.sls") == []

    add(read_sets, "m1", WEB, call="other", at=300.0)
    assert [run.call for run in read_sets.runs_of("m1")] == ["other", "web"]


def test_a_set_that_is_missing_is_reported(read_sets):
    add(read_sets, "m1", WEB, has_body=False)

    assert read_sets.unknown() == ["m1"] and readers_of(read_sets, "salt://web.sls") == []
    add(read_sets, "m2", WEB)
    assert read_sets.unknown() == [] and len(readers_of(read_sets, "salt://web.sls")) == 2


def test_of_a_run_without_a_call_only_the_set_is_kept(read_sets):
    add(read_sets, "m1", WEB, call="")
    assert read_sets.minions() == 0

    add(read_sets, "m1", WEB, has_body=False)
    assert read_sets.unknown() == [] and len(readers_of(read_sets, "salt://web.sls")) == 1


def test_a_damaged_set_stops_nothing(read_sets):
    damaged = read_sets.add(Ran("m1", "web", 1.0, "j", bytes(SIZE), b"no set"))
    add(read_sets, "m2", WEB)

    assert damaged.result(30) is None
    assert read_sets.unknown() == ["m1"]


def test_a_bounded_number_of_calls_is_kept_of_a_minion(read_sets):
    for number in range(CALLS + 3):
        add(read_sets, "m1", WEB, call=f"call {number}", at=float(number))

    assert [run.call for run in read_sets.runs_of("m1")][:: CALLS - 1] == [f"call {CALLS + 2}", "call 3"]


def test_old_runs_go_and_their_sets_later(read_sets):
    add(read_sets, "m1", WEB, at=100.0)
    add(read_sets, "m2", ALL, at=100.0 + GRACE)

    prune(read_sets, ReadSetLimits(GRACE - 1, 0), now=100.0 + GRACE)
    assert read_sets.minions() == 1 and readers_of(read_sets, "salt://web.sls") == []
    # The minion may still count on the master to know the set.
    add(read_sets, "m1", WEB, at=100.0 + GRACE, has_body=False)
    assert read_sets.unknown() == []

    prune(read_sets, ReadSetLimits(1, 0), now=200.0 + 3 * GRACE)
    assert (read_sets.minions(), read_sets.held_bytes()) == (0, 0)


def test_above_the_size_the_oldest_go(read_sets):
    for number in range(20):
        add(read_sets, f"m{number}", {"web": {f"salt://{number}": ""}}, at=float(number))
    held = read_sets.held_bytes()

    prune(read_sets, ReadSetLimits(0, held // 2))

    assert 0 < read_sets.held_bytes() <= held // 2 or read_sets.minions() == 0
    prune(read_sets, ANY)
