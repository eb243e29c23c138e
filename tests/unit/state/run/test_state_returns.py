"""Returns in stock's schema."""

import itertools

import pytest

from salt_g.state.run.state_returns import (
    MASK,
    completed,
    cut,
    masked,
    not_called,
    not_run,
    prereq_failed,
    sub_states,
)

LOW = {"state": "test", "fun": "nop", "__id__": "a", "name": "n", "__sls__": "web"}
RET = {"name": "n", "result": True, "changes": {"x": 1}, "comment": "c"}


def test_the_engine_adds_its_keys_with_the_duration_in_ms():
    ret = completed(LOW, RET, start=1000.0, end=1000.0123456, number=4)

    assert ret["duration"] == 12.346
    assert (ret["__run_num__"], ret["__sls__"], ret["__id__"]) == (4, "web", "a")
    assert ret["start_time"].count(":") == 2
    assert "__run_num__" not in RET


def test_a_chunk_that_did_not_run_is_marked_and_one_that_was_cut_is_not():
    skipped = not_run(LOW, True, "why", now=5.0, number=2)
    ended = cut(LOW, "ended", now=5.0, number=3)

    assert (skipped["result"], skipped["__state_ran__"], skipped["duration"]) == (True, False, 0.0)
    assert (ended["result"], ended["name"]) == (False, "n")
    assert "__state_ran__" not in ended


def test_every_problem_has_a_line_of_its_own():
    assert not_called(LOW, ["one", "two"], number=1)["comment"] == "one\ntwo\n"


def test_a_failed_prereq_has_no_changes():
    ret = prereq_failed(LOW, RET, number=6)

    assert (ret["changes"], ret["__run_num__"], ret["comment"]) == ({}, 6, "c")
    assert RET["changes"] == {"x": 1}


def test_sub_states_have_tags_and_numbers_of_their_own():
    sub = {
        "low": {"state": "x", "__id__": "s", "name": "sn", "fun": "f"},
        "changes": {},
        "result": True,
        "duration": 7.5,
    }
    made = sub_states(LOW, {"sub_state_run": [sub]}, now=1.0, numbers=itertools.count(3))

    (ret,) = made.values()
    assert list(made) == ["x_|-s_|-sn_|-f"]
    assert (ret["duration"], ret["__run_num__"], ret["comment"], ret["name"]) == (7.5, 3, "", "n")
    assert sub_states(LOW, RET, now=1.0, numbers=itertools.count()) == {}


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        ("secret", MASK),
        (b"secret", MASK.encode()),
        (42, MASK),
        (0.5, MASK),
        (True, MASK),
        (["a", {"k": "v"}], [MASK, {"k": MASK}]),
        ("", ""),
        (b"", b""),
        (0, 0),
        (None, None),
        (False, False),
    ],
)
def test_values_are_hidden_wherever_they_are_and_keys_stay(value, hidden):
    ret = masked({**RET, "comment": value, "changes": {"key": value}})

    assert ret["name"] == MASK
    assert ret["comment"] == hidden
    assert ret["changes"] == {"key": hidden}
    assert ret["result"] is True


def test_of_a_skipped_state_each_line_is_hidden():
    comment = "onlyif condition is false\n/ exists"

    assert masked({**RET, "comment": comment})["comment"] == "**********"
    assert masked({**RET, "comment": comment, "skip_watch": True})["comment"] == "**********\n**********"
