"""Verdicts about the entries of a registration."""

import pytest

from salt_g.master.resources.claim_checks import MAX_NAMED, OTHERS, ClaimRules, check_claims, patterns_for
from salt_g.resource_model.srn import Srn


def rules(**changes):
    first = {
        "minions": {"m1", "gw1"},
        "names": {"boss", "webs"},
        "given": {"dummy": ["d-1", "m1", "boss"]},
        "allowed": ("thing:t-*",),
        "limit": 100,
    }
    return ClaimRules(**{**first, **changes})


def test_pillar_and_resource_acl_give_resources():
    checked = check_claims({"dummy": ["d-1"], "thing": ["t-1", "x"], "other": ["d-1"]}, rules())

    assert checked.granted == [Srn("dummy", "d-1"), Srn("thing", "t-1")]
    assert checked.refused.keys() == {"thing:x", "other:d-1"}


@pytest.mark.parametrize(
    ("id", "reason"),
    [("m1", "it is the id of a minion"), ("boss", "it is the name of the master or of a nodegroup")],
)
def test_names_of_others_are_refused_even_where_pillar_gives_them(id, reason):
    assert check_claims({"dummy": [id]}, rules()) == ([], {f"dummy:{id}": reason})


def test_an_entry_that_occurs_twice_is_granted_once():
    assert check_claims({"dummy": ["d-1", "d-1"]}, rules()).granted == [Srn("dummy", "d-1")]


@pytest.mark.parametrize("ids", ["d-1", 5, None, [None], [["d-1"]], ["a\nb"], ["x" * 500]])
def test_a_malformed_list_of_ids_grants_nothing(ids):
    assert check_claims({"dummy": ids}, rules(allowed=("*",))).granted == []


def test_a_type_of_any_kind_is_refused_in_plain_text():
    checked = check_claims({("a", "\x1b[31m"): ["d-1"], "Big": ["d-1"]}, rules(allowed=("*",)))

    assert checked.granted == []
    assert len(checked.refused) == 2
    assert all(name.isprintable() and name.isascii() for name in checked.refused)


def test_entries_beyond_the_limit_are_counted_and_not_looked_at():
    checked = check_claims({"thing": [f"t-{n}" for n in range(7)]}, rules(limit=5))

    assert len(checked.granted) == 5
    assert checked.refused == {OTHERS: "2 more than resources_max_per_minion (5)"}


def test_an_answer_names_no_more_refusals_than_it_may():
    checked = check_claims({"dummy": [f"x-{n}" for n in range(MAX_NAMED + 10)]}, rules(limit=1000))

    assert len(checked.refused) == MAX_NAMED + 1
    assert OTHERS in checked.refused


def test_the_acl_is_by_globs_of_minions():
    acl = {"gw*": ["thing:*", 5], "gw1": "dummy:d", "m*": None, "*1": []}

    assert patterns_for(acl, "gw1") == ("thing:*", "5", "dummy:d")
    assert patterns_for(acl, "m1") == patterns_for(None, "gw1") == patterns_for("*", "gw1") == ()
