"""Return of a minion with its resources, split into one for each."""

import pytest

from salt_g.master.resources.split_returns import unfold

GOOD = {"result": True, "__run_num__": 0}
BAD = {"result": False, "__run_num__": 1}


def load(block, fun="state.apply", **more):
    return {"id": "gw1", "jid": "1", "fun": fun, "return": block, "retcode": 2, "success": False, **more}


def unfolded(block, **more):
    return list(unfold(load(block, **more), lambda id: id in ("d-1", "d-2")))


def test_each_part_has_a_verdict_of_its_own():
    block = {
        "test_|-x_|-x_|-nop": GOOD,
        "test_|-d-1 x_|-d-1 x_|-nop": BAD,
        "test_|-d-2 x_|-d-2 x_|-nop": GOOD,
    }

    own, *parts = unfolded(block)
    one, two = sorted(parts, key=lambda part: part["resource_id"])

    assert ("resource_id" not in own, own["retcode"], list(own["return"])) == (
        True,
        0,
        ["test_|-x_|-x_|-nop"],
    )
    assert (one["resource_id"], one["retcode"], one["success"]) == ("d-1", 2, False)
    assert (two["resource_id"], two["retcode"], two["success"], two["out"]) == ("d-2", 0, True, "highstate")
    assert list(two["return"]) == ["test_|-x_|-x_|-nop"]


def test_a_minion_without_states_of_its_own_has_no_return():
    [only] = unfolded({"test_|-d-1 x_|-d-1 x_|-nop": GOOD})

    assert only["resource_id"] == "d-1"


def test_a_resource_that_failed_as_a_whole_returns_its_text():
    [failed] = unfolded({"no_|-d-1_|-d-1_|-None": {**BAD, "comment": "no way in"}})

    assert (failed["return"], failed["retcode"], failed["out"]) == ("no way in", 1, "nested")


@pytest.mark.parametrize(
    ("block", "more"),
    [
        ({"test_|-other x_|-other x_|-nop": GOOD}, {}),
        ({"test_|-d-1 x_|-d-1 x_|-nop": GOOD}, {"fun": "test.ping"}),
        ({"test_|-d-1 x_|-d-1 x_|-nop": GOOD}, {"resource_id": "d-1"}),
        (["an error"], {}),
        ({}, {}),
    ],
)
def test_everything_else_stays_as_it_is(block, more):
    assert unfolded(block, **more) == [load(block, **more)]
