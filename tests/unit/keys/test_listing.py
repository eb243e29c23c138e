"""Selection of keys in a listing by a word, a glob or a list."""

import pytest

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.listing import choose, choose_exact, in_order, of_status

LISTING = {ACCEPTED: ["db1", "web1", "web2"], PENDING: ["web3"], REJECTED: [], DENIED: ["Web1"]}


def test_ids_are_in_order_without_regard_to_case():
    assert in_order({"b", "A", "a", "C", "B"}) == ["A", "a", "B", "b", "C"]


@pytest.mark.parametrize(
    ("match", "chosen"),
    [
        ("web*", {ACCEPTED: ["web1", "web2"], PENDING: ["web3"]}),
        ("web1,db?", {ACCEPTED: ["db1", "web1"]}),
        (["web[23]", "nobody"], {ACCEPTED: ["web2"], PENDING: ["web3"]}),
        (["web1,db1"], {}),
        ("", {}),
        ([], {}),
    ],
)
def test_globs_choose_by_case_and_leave_empty_states_out(match, chosen):
    assert choose(LISTING, match) == chosen


def test_exact_names_are_not_globs_and_keep_their_order():
    assert choose_exact(LISTING, "web2,db1,web3") == {ACCEPTED: ["web2", "db1"], PENDING: ["web3"]}
    assert choose_exact(LISTING, ["web*", "Web1"]) == {DENIED: ["Web1"]}
    assert choose_exact({ACCEPTED: ["web*", "web1"]}, "web*") == {ACCEPTED: ["web*"]}


@pytest.mark.parametrize(
    ("status", "states"),
    [
        ("acc", [ACCEPTED]),
        ("accepted", [ACCEPTED]),
        ("pre", [PENDING]),
        ("un", [PENDING]),
        ("unaccepted", [PENDING]),
        ("rej", [REJECTED]),
        ("den", [DENIED]),
        ("all", [ACCEPTED, PENDING, REJECTED, DENIED]),
        ("ac", []),
        ("", []),
        ("nonsense", []),
    ],
)
def test_a_word_selects_its_state_even_if_it_is_empty(status, states):
    assert of_status(LISTING, status) == {state: LISTING[state] for state in states}


def test_a_state_that_is_not_listed_counts_as_empty():
    assert of_status({}, "acc") == {ACCEPTED: []}


def test_a_selection_is_no_part_of_the_listing():
    of_status(LISTING, "all")[ACCEPTED].clear()
    of_status(LISTING, "acc")[ACCEPTED].clear()

    assert LISTING[ACCEPTED] == ["db1", "web1", "web2"]
