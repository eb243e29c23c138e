"""The table of target forms: two minions, m1 with three kinds of resources, m2 with one."""

import pytest

from salt_g.match.matchers import MinionView, Resource, matches, parse_target

GROUPS = {"first": "L@d-01,m2", "named": "T@dummy and d-0*"}
M1 = MinionView("m1", {"os": "Debian", "ipv4": ["10.0.0.1"]}, {"role": "x"}, GROUPS)
M2 = MinionView("m2", {"os": "Debian", "ipv4": ["10.0.0.2"]}, {"role": "y"}, GROUPS)
DUMMY = {"dummy_grain_1": "one"}
MEMBERS = [
    M1,
    M2,
    *(Resource("dummy", f"d-0{n}", M1, {**DUMMY, "resource_id": f"d-0{n}"}) for n in (1, 2, 3)),
    Resource("ssh", "web-01", M1, {"os": "Debian", "ipv4": ["192.0.2.1"]}, {"host": "192.0.2.1"}),
    Resource("ssh", "web-02", M1, {"os": "Fedora", "tags": ["a", "b"]}),
    Resource("dummy", "e-01", M2, {**DUMMY, "resource_id": "e-01"}),
    Resource("dummy", "a:b", M2),
]
OF_M1 = "d-01 d-02 d-03 web-01 web-02"
OF_M2 = "e-01 a:b"
DUMMIES = "d-01 d-02 d-03 e-01 a:b"


def meant(tgt, tgt_type):
    return " ".join(member.id for member in MEMBERS if matches(tgt, tgt_type, member))


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "ids"),
    [
        ("m1", "glob", "m1"),
        ("d-01", "glob", "d-01"),
        ("dummy:d-01", "glob", "d-01"),
        ("*", "glob", f"m1 m2 {OF_M1} {OF_M2}"),
        ("m2*", "glob", f"m2 {OF_M2}"),
        ("d-*", "glob", "d-01 d-02 d-03"),
        ("ssh:*", "glob", "web-01 web-02"),
        ("m2", "pcre", "m2"),
        ("d-0.", "pcre", "d-01 d-02 d-03"),
        ("d-01,m1,nope", "list", "m1 d-01"),
        (["ssh:web-01"], "list", "web-01"),
        ("role:x", "pillar", "m1"),
        ("host:192.0.2.*", "pillar", "web-01"),
        ("host:192.0.2.1", "pillar_exact", "web-01"),
        ("10.0.0.0/8", "ipcidr", "m1 m2"),
        ("192.0.2.0/24", "ipcidr", "web-01"),
        ("resource_id:d-0*", "grain", "d-01 d-02 d-03"),
        ("resource_id:d-0[12]", "grain_pcre", "d-01 d-02"),
        ("os:Debian", "grain", "m1 m2 web-01"),
        ("tags:b", "grain", "web-02"),
        ("first", "nodegroup", "m2 d-01"),
        ("named", "nodegroup", "d-01 d-02 d-03"),
    ],
)
def test_a_single_criterion_means(tgt, tgt_type, ids):
    assert meant(tgt, tgt_type) == ids


@pytest.mark.parametrize(
    ("expression", "ids"),
    [
        ("T@dummy", DUMMIES),
        ("T@dummy:d-02", "d-02"),
        ("T@dummy:a:b", "a:b"),
        ("T@dummy:d-*", "d-01 d-02 d-03"),
        ("T@du*", DUMMIES),
        ("T@nosuch", ""),
        ("M@m1", "m1"),
        ("M@m*", "m1 m2"),
        ("M@m1 and T@dummy", "d-01 d-02 d-03"),
        ("m1 and T@dummy", "d-01 d-02 d-03"),
        ("T@dummy and not m1", OF_M2),
        ("I@role:x and T@dummy", "d-01 d-02 d-03"),
        ("S@10.0.0.2 and T@dummy", OF_M2),
        ("T@dummy or m1", f"m1 {DUMMIES}"),
        ("m1 or T@dummy", f"m1 {DUMMIES}"),
        ("M@m1 or T@dummy", f"m1 {DUMMIES}"),
        ("T@dummy and G@resource_id:d-02", "d-02"),
        ("T@dummy and ( G@resource_id:d-02 or G@resource_id:e-01 )", "d-02 e-01"),
        ("T@dummy and not T@dummy:d-01", "d-02 d-03 e-01 a:b"),
        ("T@dummy and not L@d-01", "d-02 d-03 e-01 a:b"),
        ("not T@dummy", "m1 m2 web-01 web-02"),
        ("T@dummy and E@d-0[12]", "d-01 d-02"),
        ("L@d-01,m2", "m2 d-01"),
        ("d-01 or d-02", "d-01 d-02"),
        ("T@dummy and d-01", "d-01"),
        ("not M@m1", f"m2 {OF_M2}"),
        ("M@m1 and G@os:Debian", "m1 web-01"),
        ("( M@m1 or M@m2 ) and T@ssh", "web-01 web-02"),
        ("T@dummy and ( m1 or m2 )", DUMMIES),
        ("N@first and T@dummy", "d-01"),
        ("G@os:Debian and m1", "m1"),
    ],
)
def test_an_expression_is_boolean_over_minions_and_resources(expression, ids):
    assert meant(expression, "compound") == ids


def test_an_expression_names_the_types_that_it_can_match():
    def types(expression):
        return parse_target(expression, "compound", nodegroups={}).types

    assert types("T@dummy and G@a:b") == {"dummy"}
    assert types("T@dummy or T@ssh:x") == {"dummy", "ssh"}
    assert types("T@dummy or G@a:b") is None
    assert types("not T@dummy") is None
    assert types("T@d*") is None


def test_a_malformed_expression_means_no_resource():
    assert meant("T@dummy and (", "compound") == ""
