"""Resources of a minion selected by a job."""

import pytest

from salt_g.match.minion_view import MinionView
from salt_g.minion.resources.targets import selected

RESOURCES = {
    "dummy": {"resource_ids": ["d-1", "d-2", "both"]},
    "t": {"hosts": {"web": {"site": "attic"}, "both": {}}},
}


@pytest.fixture
def ask(managed):
    """Return a function that returns the names of the resources selected by a target."""
    made = managed(
        RESOURCES, {"t/__init__.py": "", "t/modules/saltutil.py": "def running():\n    return 1\n"}
    )

    def names(tgt, tgt_type="glob", fun="test.ping"):
        load = {"tgt": tgt, "tgt_type": tgt_type, "fun": fun}
        return [str(srn) for srn in selected(load, made, MinionView("m1"))]

    return names


ALL = ["dummy:d-1", "dummy:d-2", "dummy:both", "t:web", "t:both"]


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "expected"),
    [
        ("*", "glob", ALL),
        ("m1", "glob", []),
        ("m*", "glob", ALL),
        ("x*", "glob", []),
        ("d-*", "glob", ALL[:2]),
        ("d-1", "glob", ["dummy:d-1"]),
        ("t:both", "glob", ["t:both"]),
        ("both", "glob", ["dummy:both", "t:both"]),
        (["d-1", "t:web", "nope"], "list", ["dummy:d-1", "t:web"]),
        ("d-.", "pcre", ALL[:2]),
        ("m1", "pcre", []),
        ("T@dummy and not T@dummy:d-1", "compound", ["dummy:d-2", "dummy:both"]),
        ("M@m1 and T@t", "compound", ["t:web", "t:both"]),
        ("T@t or m1", "compound", ["t:web", "t:both"]),
        ("resource_id:d-2", "grain", ["dummy:d-2"]),
        ("site:attic", "pillar", ["t:web"]),
    ],
)
def test_resources_are_meant_by_the_rule_of_the_fleet(ask, tgt, tgt_type, expected):
    assert ask(tgt, tgt_type) == expected


def test_a_minion_only_function_is_the_minions_unless_a_type_provides_it(ask):
    assert ask("*", fun="saltutil.find_job") == []
    assert ask("*", fun="mine.update") == []
    assert ask("*", fun="saltutil.running") == ["t:web", "t:both"]
    assert ask("*", fun=["saltutil.find_job", "test.ping"]) == ALL
