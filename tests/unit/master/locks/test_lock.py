"""Refusals by locks and their messages; freezes of the settings."""

import datetime

import pytest

from salt_g.errors import ConfigError, TargetError
from salt_g.master.locks.lock import Lock, check_freezes, freezes_of, in_force, is_change

EXEMPT = ["test.*", "grains.get"]
LOCK = Lock("1f0c3a9b", "db*", "glob", "ann", "moving the disks", 100.0, 200.0)
FREEZE = {"name": "xmas", "reason": "holidays", "from": "2026-12-20", "until": "2027-01-04 08:00"}


def test_a_lock_holds_from_its_beginning_to_its_end():
    assert [LOCK.holds(now) for now in (99.9, 100.0, 199.9, 200.0)] == [False, True, True, False]
    assert in_force([LOCK], 150.0) == [LOCK]
    assert in_force([LOCK], 150.0, ["1f0c3a9b"]) == []


@pytest.mark.parametrize(
    ("locked", "number", "words"),
    [
        (["db1"], 1, "db1 is locked by ann until "),
        (["db1", "db2"], 5, "db1, db2 (2 of 5 minions) are locked by ann until "),
        (["a", "b", "c", "d", "e"], 5, "a, b, c and 2 more are locked by ann until "),
    ],
)
def test_a_refusal_names_minions_owner_end_reason_and_the_lock(locked, number, words):
    sentence = LOCK.refusal(locked, number)

    assert sentence.startswith(words)
    assert sentence.endswith(": moving the disks (lock 1f0c3a9b)")


@pytest.mark.parametrize(
    ("fun", "arg", "changes"),
    [
        ("test.ping", [], False),
        ("grains.get", ["os"], False),
        ("grains.setval", ["os", 1], True),
        ("state.apply", ["web"], True),
        ("state.apply", ["web", {"__kwarg__": True, "test": True}], False),
        ("state.apply", ["web", {"__kwarg__": True, "test": "False"}], True),
        ("state.apply", ["web", "test=True"], False),
        ("state.apply", ["web", "test=1"], True),
        ("state.apply", ["web", "test=True", "test=False"], True),
        ("state.test", ["web"], False),
        ("state.undo", ["last", "test=True"], False),
        ("state.undo", ["last"], True),
        ("cmd.run", ["x", {"__kwarg__": True, "test": True}], True),
        (["test.ping", "cmd.run"], [[], ["x"]], True),
        (["test.ping", "grains.get"], [[], ["os"]], False),
        (["test.ping"], [], True),
        ("test.ping", None, False),
    ],
)
def test_functions_that_only_read_or_test_are_no_change(fun, arg, changes):
    assert is_change(fun, arg, EXEMPT) is changes


def test_moments_of_freezes_may_name_their_zone():
    moments = {"from": "2026-12-20 18:00:00+02:00", "until": "2026-12-20T18:00:00Z"}

    (freeze,) = freezes_of([{**FREEZE, **moments}])

    assert freeze.until - freeze.since == 2 * 3600


@pytest.mark.parametrize(
    ("begin", "end", "hours"),
    [
        ("2026-10-25 01:00", "2026-10-25 02:30", 2.5),
        ("2026-10-25 02:30", "2026-10-25 04:00", 2.5),
        ("2026-03-29 01:00", "2026-03-29 02:30", 1.5),
        ("2026-03-28", "2026-03-30", 47),
    ],
)
def test_a_freeze_holds_in_hours_that_a_night_has_twice(begin, end, hours, zone):
    zone("Europe/Berlin")

    (freeze,) = freezes_of([{**FREEZE, "from": begin, "until": end}])

    assert freeze.until - freeze.since == hours * 3600


def test_freezes_are_locks_of_the_settings():
    (freeze,) = freezes_of([FREEZE])

    assert (freeze.id, freeze.target, freeze.tgt_type, freeze.is_freeze) == ("freeze:xmas", "*", "glob", True)
    assert freeze.since == datetime.datetime(2026, 12, 20).timestamp()
    assert freeze.until == datetime.datetime(2027, 1, 4, 8).timestamp()
    assert "is frozen by the setting change_freezes until 2027-01-04 08:00: holidays" in freeze.refusal(
        ["m"], 1
    )


def test_dates_may_be_dates_of_yaml():
    row = {**FREEZE, "from": datetime.date(2026, 12, 20), "until": datetime.datetime(2027, 1, 4, 8)}

    assert freezes_of([row]) == freezes_of([FREEZE])
    assert freezes_of(None) == []


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["x"], "number 1 needs name, reason, from, until"),
        ([{**FREEZE, "reason": ""}], "number 1 needs"),
        ([{**FREEZE, "from": "soon"}], "number 1, from: 'soon' is not a date"),
        ([{**FREEZE, "until": "2026-12-19"}], "ends before it begins"),
        ([FREEZE, FREEZE], "two freezes have the name 'xmas'"),
        ([{**FREEZE, "tgt": "x"}], "unknown fields: tgt"),
    ],
)
def test_a_malformed_freeze_is_an_error_that_names_it(rows, words):
    with pytest.raises(ConfigError) as refused:
        freezes_of(rows)

    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("fun", "arg", "is_refused"),
    [
        ("test.try", ["cmd.run", "cmd=true"], True),
        ("test.try", ["module=cmd.run"], True),
        ("test.cross_test", ["test.try", ["cmd.run"]], True),
        (["test.ping", "test.cross_test"], [[], ["file.remove", ["/x"]]], True),
        ("test.try", ["test.ping"], False),
        ("test.try", ["state.apply", {"__kwarg__": True, "test": True}], False),
        ("test.try", [], False),
    ],
)
def test_a_function_that_calls_others_changes_what_they_change(fun, arg, is_refused):
    assert is_change(fun, arg, ["test.*"]) is is_refused


def no_matcher(target, tgt_type, delimiter):
    raise TargetError(f"target type {tgt_type!r} does not exist")


@pytest.mark.parametrize(
    ("target", "tgt_type", "expected"),
    [
        ("web*", "glbo", "'glbo' does not exist"),
        ("G@os:x and (", "compound", "xmas: "),
        ("(web1 or web2)", "compound", "parentheses"),
        ("nosuch", "nodegroup", "nosuch"),
        ("web[", "pcre", "xmas: "),
        ("web1 or X@foo", "compound", "looks like a criterion but is not one"),
        ("os", "grain", "has no ':' in it"),
        ("300.1.1.1", "ipcidr", "neither an address nor a network"),
        (["web1"], "glob", "target ['web1'] must be text"),
        (None, "glob", "target None must be text"),
        ("", "glob", "target '' is empty"),
        (7, "list", "target 7 must be text or a list"),
    ],
)
def test_a_freeze_whose_target_can_match_nothing_is_refused(target, tgt_type, expected):
    freezes = freezes_of([{**FREEZE, "name": "xmas", "target": target, "tgt_type": tgt_type}])

    with pytest.raises(ConfigError) as error:
        check_freezes(freezes, {"web": ["web1"]}, no_matcher)

    assert "change_freezes: xmas" in str(error.value) and expected in str(error.value)


@pytest.mark.parametrize(
    ("target", "tgt_type"),
    [("*", "glob"), ("web", "nodegroup"), ("G@os:x and not web1", "compound"), ("a.*", "pcre")],
)
def test_a_freeze_whose_target_can_match_is_taken(target, tgt_type):
    check_freezes(
        freezes_of([{**FREEZE, "target": target, "tgt_type": tgt_type}]), {"web": ["web1"]}, no_matcher
    )
