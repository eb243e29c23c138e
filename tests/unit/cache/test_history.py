"""The history in the store: its location, uniqueness and limits."""

import pytest

from salt_g.cache.history import CHANGE, TEXT, FleetHistory, HistoryLimits, Indexed
from salt_g.report.state_changes import Cause, StateChange

ANY = HistoryLimits(0, 0)


@pytest.fixture
def history(store):
    return FleetHistory(store)


def change(number=0, *, at=100.0, minion="m1", name="/etc/motd", id="motd", cause=Cause.INTENDED, text=b"t"):
    return StateChange(
        f"jid {at}", minion, number, at, id, name, "file.managed", int(cause), 0, "ann", 1, 1, text
    )


def add(history, *rows, place=(1, "j", "m"), tested=None):
    texts = {row.text: "+a\n-b\n" for row in rows}
    history.add(Indexed(list(place), list(rows), texts, tested or {})).result(30)


def test_changes_are_found_by_name_and_by_id_newest_first(history):
    rows = [change(at=100.0), change(at=200.0, minion="m2"), change(at=150.0, name="/etc/x", id="/etc/motd")]
    add(history, *rows, change(name="/other", id="other", at=300.0))

    assert history.changes("/etc/motd", since=0.0) == [rows[1], rows[2], rows[0]]
    assert history.changes("motd", since=150.0) == [rows[1]]
    assert history.text(b"t") == "+a\n-b\n" and history.text(b"none") == ""


def test_a_change_added_twice_is_stored_once(history):
    add(history, change(), place=[5, "j", "m"])
    held = history.held_bytes()
    add(history, change(), place=[6, "j", "m"])

    assert len(history.changes("motd", since=0.0)) == 1
    assert history.place() == [6, "j", "m"]
    assert held == history.held_bytes() == CHANGE + TEXT + 6


def test_the_place_is_that_of_the_last_commit(history):
    assert history.place() == []
    add(history, place=[7, "jid", "ü"])
    assert history.place() == [7, "jid", "ü"]


def test_drift_is_what_was_corrective(history):
    add(history, change(), change(1, cause=Cause.CORRECTIVE), change(2, cause=Cause.CORRECTIVE, at=50.0))

    assert [one.number for one in history.drift(since=0.0)] == [1, 2]
    assert [one.number for one in history.drift(since=60.0)] == [1]


def test_minions_without_a_run_for_long_are_named(history):
    add(history, tested={"m2": (100.0, {}), "m1": (99.0, {b"\xff" * 8: b"\x00" * 8}), "m3": (200.0, {})})

    assert history.untested(150.0) == ["m1", "m2"]


def test_a_removed_minion_is_not_named_and_its_changes_stay(history):
    add(history, change(), tested={"m1": (99.0, {b"c": b"d"}), "m2": (99.0, {})})

    history.forget("m1").result(30)

    assert history.untested(150.0) == ["m2"]
    assert history.changes("motd", since=0.0) == [change()]


def test_old_changes_are_removed_with_their_texts(history):
    add(history, change(at=100.0, text=b"old"), change(1, at=100.0), change(2, at=200.0))

    assert history.prune(HistoryLimits(50, 0), 200.0).result(30) == 2
    assert history.prune(HistoryLimits(50, 0), 200.0).result(30) == 0

    assert [one.number for one in history.changes("motd", since=0.0)] == [2]
    assert (history.text(b"old"), history.text(b"t")) == ("", "+a\n-b\n")
    assert history.held_bytes() == CHANGE + TEXT + 6


def test_the_oldest_go_when_the_history_is_too_large(history):
    add(history, *(change(number, at=100.0 + number) for number in range(10)))

    while history.prune(HistoryLimits(0, CHANGE * 5), 0.0).result(30):
        pass

    assert history.held_bytes() <= CHANGE * 5


def test_without_limits_everything_stays(history):
    add(history, change())

    assert history.prune(ANY, 1e10).result(30) == 0


def job(jid, minion, number=0, **more):
    return change(number, minion=minion, at=2e9, **more)._replace(jid=jid)


def test_pages_go_backwards_by_job_minion_and_number(history):
    rows = [job("20330518033320000000", "m1"), job("20330518033320000000", "m1", 1)]
    rows += [job("20330518033320000000", "m2"), job("20330518033321000000", "m1")]
    add(history, *rows)
    whole = history.page(since=0.0)

    assert whole == rows[::-1]
    found, after = [], None
    while page := history.page(since=0.0, after=after, most=1):
        found += page
        after = (page[-1].jid, page[-1].minion, page[-1].number)
    assert found == whole


def test_pages_have_one_name_or_cause_and_a_beginning(history):
    old = change(at=100.0)._replace(jid="19700101000140000000")
    new = job("20330518033320000000", "m1", name="/etc/x", id="x", cause=Cause.CORRECTIVE)
    add(history, old, new)

    assert history.page(since=0.0, name="motd") == history.page(since=0.0, name="/etc/motd") == [old]
    assert history.page(since=0.0, cause=int(Cause.CORRECTIVE)) == [new]
    assert history.page(since=101.0) == [new]
    assert history.page(since=0.0, name="/etc/x", cause=int(Cause.INTENDED)) == []
