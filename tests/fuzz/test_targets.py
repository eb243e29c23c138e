"""Targets, nodegroups and tags: malformed ones select no minion, or raise TargetError."""

import logging

import pytest
from hypothesis import example
from hypothesis import strategies as st

from salt_g.data.minion_tags import may_fire
from salt_g.errors import TargetError
from salt_g.event.matching import WAYS, accepts
from salt_g.event.minion_policy import events_of
from salt_g.match.explain import finding_of, finding_of_resource, terms_of
from salt_g.match.matchers import TYPES, MinionView, Resource, matches, parse_target
from salt_g.resource_model.pillar_settings import declared, listed_ids, path_of, settings_of, without_secrets
from tests.support.fuzzing import damaged, fuzz, mutated_text, values

EXPRESSIONS = [
    "web*",
    "G@os:Debian and not ( web* or L@a,b )",
    "not E@web\\d+ and I@role:web or J|@a|b|^x$",
    "T@ssh:web* and M@web1",
    "N@group and S@10.0.0.0/8",
    "G@n:k:v or P@os:(Deb|Ub).*",
    "( ( a and b ) or not ( c and not d ) )",
    "10.0.0.1",
    "web1,web2",
    "os:Debian",
]
WORDS = [
    *(
        " ",
        " and ",
        " or ",
        " not ",
        " ( ",
        " ) ",
        "(",
        ")",
        "@",
        "G@",
        "N@",
        "N@group",
        "E@",
        "E@(a|a)*$",
        "S@::/0",
    ),
    *(
        "R@%x",
        "I@a:b",
        "*:",
        "J@a:[",
        "L@",
        "T@",
        "M@*",
        "P|@",
        "*",
        "[",
        "[!",
        "]",
        ":",
        "\\",
        "(?",
        "{",
        "a{1,9999}",
        ",",
    ),
    *(
        "(?P<",
        "\0",
        "\u0660",
        "10.0.0.0/33",
        "::1",
        "D@x:y",
        "X@y",
        "(a+)+$",
        ".*" * 30,
        "[[:alpha:]",
    ),
]
GROUPS = {
    "group": "web* or N@other",
    "other": ["G@os:*", "and", "N@group"],
    "odd": 5,
    "self": "N@self",
}
GRAINS = {
    "os": "Debian",
    "ipv4": ["10.0.0.1", "127.0.0.1"],
    "ipv6": ["::1"],
    "n": {"k": "v", "l": [{"a": 1}, ["x"], None]},
    "resources": {
        "ssh": {"hosts": {"web-01": {"host": "h", "password": "secret"}}, "resource_ids": [1, "a"]}
    },
}
TARGETS = mutated_text(EXPRESSIONS, WORDS)


# Python warns of expressions that it may read otherwise one day.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def _quiet():
    """Silence the log: targets that select no minion are logged, here by the thousand."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def members(minion):
    """Return the possible targets: a minion, an unknown minion, and a resource of the first."""
    return [
        minion,
        minion._replace(is_unknown=True),
        minion._replace(exact_pillar=True),
        Resource("ssh", "web-01", minion, grains=minion.grains, settings={"host": "h"}),
    ]


def ask_all(tgt, tgt_type, minion, delimiter):
    """Match each member in each way; every target gives a verdict or a TargetError."""
    for member in members(minion):
        try:
            assert matches(tgt, tgt_type, member, delimiter=delimiter) in (True, False)
        except TargetError as exc:
            assert str(exc)
    try:
        part = parse_target(tgt, tgt_type, nodegroups=minion.nodegroups, delimiter=delimiter)
        for member in members(minion):
            assert part.matches(member, True) in (True, False)
        for term in terms_of(tgt, tgt_type, delimiter=delimiter, nodegroups=minion.nodegroups):
            finding_of(term, minion)
            finding_of_resource(term, members(minion)[-1], managed=True)
    except TargetError as exc:
        assert str(exc)


MINION = MinionView("web1", GRAINS, GRAINS, GROUPS, data=lambda key: {"a": [1, "x"]}.get(key))


@fuzz(TARGETS, st.sampled_from(sorted(TYPES)), st.sampled_from([":", "|", "", "a"]))
@example("web*", "grain", "")
def test_texts_of_every_type(tgt, tgt_type, delimiter):
    ask_all(tgt, tgt_type, MINION, delimiter)


@fuzz(TARGETS)
def test_compound_expressions(tgt):
    ask_all(tgt, "compound", MINION, ":")


@fuzz(
    values(("web1", "and", "not", "(", ")", "G@os:Debian")),
    st.sampled_from([*sorted(TYPES), "", "odd"]),
)
@example([[]], "list")
@example([1], "ipcidr")
def test_targets_that_are_not_text(tgt, tgt_type):
    ask_all(tgt, tgt_type, MINION, ":")


@fuzz(damaged([GROUPS], ("group", "other", "N@group", "not")), TARGETS)
def test_nodegroups_of_any_shape(groups, tgt):
    if isinstance(groups, dict):
        minion = MINION._replace(nodegroups=groups)
        ask_all(tgt, "compound", minion, ":")
        for name in [str(name) for name in groups] + ["group"]:
            ask_all(name, "nodegroup", minion, ":")


@fuzz(
    damaged([GRAINS], ("os", "n", "ipv4", "ipv6")),
    st.sampled_from(
        [
            "os:*",
            "n:k:v",
            "n:l:a:1",
            "10.0.0.0/8",
            "::/0",
            "G@n:*:* and S@::1",
            "P@n:l:x or I@os:D*",
        ]
    ),
    st.sampled_from(sorted(TYPES)),
)
@example({"ipv4": ["odd", None]}, "10.0.0.0/8", "ipcidr")
@example({"ipv4": 5}, "10.0.0.0/8", "ipcidr")
def test_grains_and_pillar_of_any_shape(grains, tgt, tgt_type):
    if isinstance(grains, dict):
        ask_all(tgt, tgt_type, MINION._replace(grains=grains, pillar=grains), ":")


@fuzz(
    damaged([{"resources": GRAINS["resources"]}], ("ssh", "hosts", "resource_ids", "password")),
    values(),
)
@example({"resources": {"ssh": {"hosts": {}, "resource_ids": [[1]]}}}, "a")
def test_resources_in_pillar_of_any_shape(pillar, id):
    if not isinstance(pillar, dict):
        return
    for kind, below in declared(pillar, {}).items():
        for listed in [*listed_ids(below), id]:
            path_of(kind, below, listed, "resources")
        settings_of(below, str(id))
        without_secrets("a secret", below)


@fuzz(
    mutated_text(
        ["salt/job/20261121040726000001/ret/m1", "minion_start", "a/b", "salt/beacon/m1/x/y"],
        ["/", "*", "["],
    ),
    st.sampled_from(sorted(WAYS)),
    mutated_text(["salt/job/*", "^salt/", "a"], WORDS),
)
def test_tags(tag, way, wanted):
    try:
        accepts(wanted, way)(tag)
    except TargetError as exc:
        assert str(exc)
    assert may_fire(tag, "m1") in (True, False)


EVENT_LOADS = [
    {
        "cmd": "_minion_event",
        "tag": "a/b",
        "data": {"x": 1},
        "pretag": "p",
        "jid": "20261121040726000001",
        "id": "m1",
    },
    {
        "cmd": "_minion_event",
        "events": [{"tag": "a", "data": {"x": 1}}, {"tag": "salt/x", "data": {}}],
    },
]


@fuzz(damaged(EVENT_LOADS, ("tag", "data", "events", "salt/auth")))
def test_events_of_minions(load):
    if isinstance(load, dict):
        events, refused = events_of(load, "m1")
        assert not [event for event in events if event.tag.startswith("salt/auth")]
        assert all(isinstance(tag, str) for tag in refused)
