"""States of grains."""

import pytest

from salt_g.modules import grains as functions
from salt_g.states import grains


@pytest.fixture
def minion(call_context, tmp_path):
    """Return a function that enters a call on a minion with these grains, and with its grain functions."""

    def enter(test=False, **facts):
        (tmp_path / "minion").touch()
        settings = {"conf_file": str(tmp_path / "minion"), "cachedir": str(tmp_path), "local": True}
        names = ("get", "append", "remove", "setval")
        table = {f"grains.{name}": getattr(functions, name) for name in names}
        table["grains.set"] = functions.set_
        return call_context(functions=table, grains=facts, opts={**settings, "test": test})

    return enter


def test_present_sets_and_then_leaves_alone(minion):
    minion()

    first = grains.present("role", "web")
    second = grains.present("role", "web")

    assert (first["result"], first["comment"], first["changes"]) == (
        True,
        "Set grain role to web",
        {"role": "web"},
    )
    assert (second["comment"], second["changes"]) == ("Grain is already set", {})


@pytest.mark.parametrize(
    ("facts", "comment", "changes"),
    [
        ({}, "Grain role is set to be added", {"new": "role"}),
        ({"role": "db"}, "Grain role is set to be changed", {"changed": {"role": "web"}}),
    ],
)
def test_present_only_says_what_it_would_do(minion, facts, comment, changes):
    context = minion(test=True, **facts)

    found = grains.present("role", "web")

    assert (found["result"], found["comment"], found["changes"]) == (None, comment, changes)
    assert context.grains == facts


def test_present_reports_why_it_refuses(minion):
    minion(apps={"x": 1})

    found = grains.present("apps", "flat")

    assert found["result"] is False
    assert "Use 'force=True' to overwrite." in found["comment"]


def test_another_delimiter_makes_a_path(minion):
    minion()

    assert grains.present("a,b", 1, delimiter=",")["changes"] == {"a": {"b": 1}}


def test_list_present_adds_what_is_missing(minion):
    minion(roles=["a"])

    found = grains.list_present("roles", ["a", "b"])

    assert found["changes"] == {"new": {"roles": ["a", "b"]}}
    assert found["comment"] == (
        "Removed value ['a'] from update due to value found in \"roles\" (or pending).\n"
        "Append value ['b'] to grain roles"
    )


def test_list_present_leaves_a_complete_list_alone(minion):
    minion(roles=["a", "b"])

    assert grains.list_present("roles", ["a"])["comment"] == (
        "Value ['a'] is already in grain roles (or pending)"
    )
    assert grains.list_present("roles", "b")["changes"] == {}


def test_list_present_refuses_what_is_not_a_list(minion):
    minion(roles="a")

    assert grains.list_present("roles", "b")["result"] is False


def test_list_absent_deletes_and_reports_what_was_not_there(minion):
    context = minion(roles=["a", "b"])

    found = grains.list_absent("roles", ["a", "z"])

    assert found["comment"] == "Value a was deleted from grain roles\nValue z is absent from grain roles"
    assert found["changes"] == {"deleted": ["a"]}
    assert context.grains["roles"] == ["b"]


def test_list_absent_only_says_what_it_would_do(minion):
    context = minion(test=True, roles=["a"])

    found = grains.list_absent("roles", "a")

    assert (found["result"], found["comment"]) == (None, "Value a in grain roles is set to be deleted")
    assert context.grains["roles"] == ["a"]


def test_absent_sets_none_or_deletes(minion):
    context = minion(a=1, b=2)

    assert grains.absent("a")["changes"] == {"grain": "a", "value": None}
    assert grains.absent("b", destructive=True)["changes"] == {"deleted": "b"}
    assert context.grains == {"a": None}


def test_absent_of_nothing_is_as_wanted(minion):
    minion()

    found = grains.absent("a")

    assert (found["result"], found["comment"]) == (True, "Grain a does not exist")


def test_absent_deletes_what_is_none_already(minion):
    context = minion(a=None)

    assert grains.absent("a", destructive=True)["changes"] == {"deleted": "a"}
    assert context.grains == {}


def test_append_wants_a_grain_that_is_a_list(minion):
    minion(roles=["a"], name="x")

    assert grains.append("roles", "b")["changes"] == {"added": "b"}
    assert grains.append("roles", "b")["comment"] == "Value b is already in the list for grain roles"
    assert grains.append("name", "b")["comment"] == "Grain name is not a valid list"
    assert grains.append("nope", "b")["comment"] == "Grain nope does not exist"


def test_append_converts_when_asked(minion):
    context = minion(name="x")

    assert grains.append("name", "b", convert=True)["changes"] == {"added": "b"}
    assert context.grains["name"] == ["x", "b"]


def test_exists_only_looks(minion):
    minion(a=0)

    assert grains.exists("a")["result"] is True
    assert grains.exists("b")["comment"] == "Grain does not exist"
