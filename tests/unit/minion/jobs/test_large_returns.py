"""Returns too large for a message: what is kept, and the note in place of the rest."""

import pytest

from salt_g.errors import WireError
from salt_g.event.size_limit import TRIMMED
from salt_g.minion.jobs.large_returns import MAX_RETURN, check_sendable, shortened

TOO_LARGE = WireError("too large")


def load(value, **fields):
    return {"jid": "1", "id": "m1", "fun": "f", "return": value, "retcode": 0, "success": True, **fields}


def test_a_return_below_the_limit_is_sendable_and_one_above_is_not():
    check_sendable(load("x" * (MAX_RETURN - 1000)))

    with pytest.raises(WireError, match=f"exceed {MAX_RETURN} bytes"):
        check_sendable(load("x" * (MAX_RETURN + 1)))


def test_a_text_whose_bytes_are_too_many_is_not_sendable_either():
    with pytest.raises(WireError):
        check_sendable(load("ä" * (MAX_RETURN // 2 + 1000)))


def test_the_largest_values_of_a_map_go_and_the_others_stay():
    value = {"small": {"comment": "kept"}, "large": {"comment": "kept too", "changes": "x" * MAX_RETURN}}

    short = shortened(load(value, places=["a.sls:1"]), TOO_LARGE)

    assert short["return"] == {
        "small": {"comment": "kept"},
        "large": {"comment": "kept too", "changes": TRIMMED},
    }
    assert (short["retcode"], short["success"]) == (1, False)
    assert short["places"][0] == "a.sls:1" and TRIMMED in short["places"][1]
    assert len(value["large"]["changes"]) == MAX_RETURN
    check_sendable(short)


@pytest.mark.parametrize(
    ("value", "described"),
    [
        ("x" * 7, "a text of 7 characters"),
        (b"x" * 7, "a text of 7 bytes"),
        ([1, 2], "a list with 2 entries"),
        ((1,), "a list with 1 entries"),
        ({}, "a map with 0 entries"),
        (None, "a value of type NoneType"),
    ],
)
def test_anything_else_is_left_out_and_described(value, described):
    short = shortened(load(value, retcode=3), TOO_LARGE)

    text = f"ERROR: the return of the function cannot be sent: too large; left out: {described}"
    assert (short["return"], short["retcode"], short["success"], short["out"]) == (text, 3, False, "nested")


def test_a_map_whose_keys_alone_are_too_large_is_left_out():
    short = shortened(load({"k" * MAX_RETURN: 1}), TOO_LARGE)

    assert short["return"].endswith("left out: a map with 1 entries")
    check_sendable(short)
