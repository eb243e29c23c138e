"""Published form of a target for minions that match again by stock's rules."""

import pytest

from salt_g.errors import TargetError
from salt_g.master.resources.published_target import for_minions, form_of, unregistered
from salt_g.master.resources.registry import Record
from salt_g.resource_model.srn import Srn

D1, D2 = Record(Srn("dummy", "d-01"), "m1"), Record(Srn("dummy", "d-02"), "m1")
WEB = Record(Srn("ssh", "web"), "m1")
DUMMIES = {"d-01": D1, "d-02": D2}


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("*", "glob"),
        ("d-01", "glob"),
        ("d-01,d-02", "list"),
        (["d-01"], "list"),
        ("a:b", "grain"),
        ("T@dummy", "compound"),
        ("T@dummy:d-01 or T@dummy:d-02", "compound"),
        ("L@d-01,m1 or G@a:b", "compound"),
    ],
)
def test_a_target_with_one_interpretation_is_published_as_written(tgt, tgt_type):
    assert form_of(tgt, tgt_type, ["d-01", "d-02"], DUMMIES, has_stock=True) == (tgt, tgt_type)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [
        ("d-*", "glob"),
        ("dummy:d-01", "glob"),
        (["dummy:d-01"], "list"),
        ("d-0.", "pcre"),
        ("role:x", "pillar"),
        ("10.0.0.0/8", "ipcidr"),
        ("T@d*", "compound"),
        ("M@m1 and T@dummy", "compound"),
        ("T@dummy and not d-03", "compound"),
        ("T@dummy and G@a:b", "compound"),
    ],
)
def test_any_other_target_is_published_as_the_list_of_its_minions(tgt, tgt_type):
    names = ["d-01", "d-02"]

    assert form_of(tgt, tgt_type, names, DUMMIES, has_stock=False) == (names, "list")


def test_minions_alone_are_named_only_where_stocks_minions_manage_something():
    assert form_of("m*", "glob", ["m1"], {}, has_stock=True) == (["m1"], "list")
    assert form_of("m*", "glob", ["m1"], {}, has_stock=False) == ("m*", "glob")
    assert form_of("*", "glob", ["m1"], {}, has_stock=True, is_trimmed=True) == (["m1"], "list")


def test_very_many_are_named_for_stocks_minions_only():
    names = [f"d-{number}" for number in range(10_001)]

    assert form_of("d-*", "glob", names, DUMMIES, has_stock=False) == ("d-*", "glob")
    assert form_of("d-*", "glob", names, DUMMIES, has_stock=True)[1] == "list"


def test_an_id_of_several_types_goes_out_with_its_type():
    resources = {"ssh:web": WEB, "d-01": D1}

    tgt = form_of("ssh:web", "glob", list(resources), resources, has_stock=True)

    assert tgt == ("T@ssh:web or T@dummy:d-01", "compound")


def test_a_refusal_of_a_minion_only_function_names_the_minion():
    with pytest.raises(TargetError, match=r"mine.get is for minions; target the managing minion \(m1\)"):
        raise for_minions("mine.get", DUMMIES)


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "srn"),
    [
        ("T@dummy:x", "compound", "dummy:x"),
        ("dummy:x", "resource", "dummy:x"),
        ("T@dummy", "compound", ""),
        ("T@dummy:x or m1", "compound", ""),
        ("T@dummy:*", "compound", ""),
        ("dummy:x", "glob", ""),
    ],
)
def test_a_target_of_one_name_is_reported_as_that(tgt, tgt_type, srn):
    assert unregistered(tgt, tgt_type) == srn
