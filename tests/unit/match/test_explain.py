import pytest

from salt_g.errors import TargetError
from salt_g.match.explain import Term, TermFinding, check_target, finding_of, finding_of_resource, terms_of
from salt_g.match.minion_view import MinionView
from salt_g.match.resource import Resource

WEB = MinionView(
    "web1",
    {"os": "Debian", "ipv4": ["192.0.2.1"], "ipv6": ["2001:db8::1"], "a:b": "c"},
    {"role": {"name": ["web"]}},
)


def test_terms_come_in_the_order_in_which_they_are_written():
    terms = terms_of("( G|@os|Debian or E@web.* ) and not L@a,b", "compound", nodegroups={})

    assert terms == [
        Term("G|@os|Debian", "grain", "os|Debian", "|"),
        Term("E@web.*", "pcre", "web.*"),
        Term("L@a,b", "list", "a,b"),
    ]


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "finding"),
    [
        ("web*", "glob", TermFinding(True, "id", "web1")),
        ("db.", "pcre", TermFinding(False, "id", "web1")),
        (["web1"], "list", TermFinding(True, "id", "web1")),
        ("os:Deb*", "grain", TermFinding(True, "grains os", "Debian")),
        ("a:b:c", "grain", TermFinding(True, "grains a:b", "c")),
        ("os:^R", "grain_pcre", TermFinding(False, "grains os", "Debian")),
        ("role:name:web", "pillar", TermFinding(True, "pillar role:name", ["web"])),
        ("role:none:web", "pillar", TermFinding(False, "pillar role", {"name": ["web"]})),
        ("none:web", "pillar_exact", TermFinding(False, "pillar none", None, is_there=False)),
        ("192.0.2.0/24", "ipcidr", TermFinding(True, "grains ipv4, ipv6", ["192.0.2.1", "2001:db8::1"])),
        ("vm", "resource", TermFinding(False, "resources: a minion is not one")),
    ],
)
def test_a_finding_has_the_value_that_was_compared(tgt, tgt_type, finding):
    (term,) = terms_of(tgt, tgt_type, nodegroups={})

    assert finding_of(term, WEB) == finding


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "text"),
    [
        ("a or", "compound", "a target is missing at the end"),
        ("( a", "compound", "a closing parenthesis is missing"),
        ("os", "grain", "target 'os' has no ':' in it; write key:value"),
        ("G@os", "compound", "target 'G@os' has no ':' in it; write key:value"),
        ("[", "pcre", "regular expression '\\['"),
        ("300.1.1.1", "ipcidr", "is neither an address nor a network"),
        ("none", "nodegroup", "nodegroup 'none' does not exist"),
        ("x", "colour", "target type 'colour' does not exist"),
        ("m1 and (G@os:Debian", "compound", "parentheses need spaces"),
        ("m1 and G@os:Debian)", "compound", "parentheses need spaces"),
        ("m1 or X@foo", "compound", r"'X@foo' looks like a criterion but is not one; .* G, P \(grains"),
        ("g@os:Debian", "compound", "'g@os:Debian' looks like a criterion but is not one"),
        ("L:@a,b", "compound", "'L:@a,b' looks like a criterion but is not one"),
        ("G@", "compound", "'G@' has no pattern after the @"),
    ],
)
def test_a_malformed_target_says_what_is_wrong(tgt, tgt_type, text):
    with pytest.raises(TargetError, match=text):
        terms_of(tgt, tgt_type, nodegroups={})


@pytest.mark.parametrize(
    ("tgt", "text"),
    [("( a", "target '( a': a closing parenthesis is missing"), ("E@(", "target 'E@(': regular expression")],
)
def test_the_error_about_a_malformed_target_names_it(tgt, text):
    with pytest.raises(TargetError) as raised:
        check_target(tgt, "compound", nodegroups={})
    assert str(raised.value).startswith(text)


LAMP = Resource("lamp", "desk", WEB, {"os": "none"}, {"host": "h1", "password": "hunter2-secret"})


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "finding"),
    [
        ("lamp", "resource", TermFinding(True, "name", "lamp:desk")),
        ("desk", "list", TermFinding(True, "name", "lamp:desk")),
        ("web*", "glob", TermFinding(True, "name and minion", ["lamp:desk", "web1"])),
        ("os:Debian", "grain", TermFinding(False, "grains os", "none")),
        ("host:h1", "pillar", TermFinding(True, "settings host", "h1")),
        ("password:x", "pillar", TermFinding(False, "settings password", "**********")),
        (
            "role:name:web",
            "pillar",
            TermFinding(True, "settings role:name, then pillar of web1", is_there=False),
        ),
        ("web1", "managing_minion", TermFinding(True, "minion", "web1")),
        ("192.0.2.0/24", "ipcidr", TermFinding(True, "minion", "web1")),
    ],
)
def test_a_finding_at_a_resource_is_its_own_or_its_minions(tgt, tgt_type, finding):
    (term,) = terms_of(tgt, tgt_type, nodegroups={})

    assert finding_of_resource(term, LAMP, managed=True) == finding
