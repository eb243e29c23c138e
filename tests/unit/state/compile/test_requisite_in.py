"""Mirrored requisites, converted to requisites of the other state."""

import pytest

from salt_g.shapes.high_data import HighData
from salt_g.state.compile.requisite_in import apply_mirrored


def high(**ids):
    return HighData(
        {
            state_id: {"__sls__": "web", "__env__": "base", "test": ["nop", *arguments]}
            for state_id, arguments in ids.items()
        }
    )


def added(data, state_id, module="test"):
    """Return the mappings among the arguments of a state."""
    return [item for item in data.declarations[state_id][module] if isinstance(item, dict)]


@pytest.mark.parametrize("kind", ["require", "watch", "onfail", "onchanges", "prereq"])
def test_each_kind_is_put_on_the_other_state(kind):
    data = high(a=[{f"{kind}_in": [{"test": "b"}]}], b=[])

    assert apply_mirrored(data) == []
    assert {kind: [{"test": "a"}]} in added(data, "b")


@pytest.mark.parametrize("items", [[{"test": "b"}], ["b"], {"test": "b"}, [{"sls": "web"}], ["by-name"]])
def test_the_other_state_has_many_names(items):
    data = high(a=[{"require_in": items}], b=[{"name": "by-name"}])

    assert apply_mirrored(data) == []
    assert {"require": [{"test": "a"}]} in added(data, "b")


def test_requisites_of_several_states_are_joined():
    data = high(a=[{"require_in": [{"test": "c"}]}], b=[{"require_in": [{"test": "c"}]}], c=[])

    apply_mirrored(data)

    assert added(data, "c") == [{"require": [{"test": "a"}, {"test": "b"}]}]


def test_a_disabled_kind_is_ignored():
    data = high(a=[{"require_in": [{"test": "b"}]}], b=[])

    assert apply_mirrored(data, disabled=["require_in"]) == []
    assert added(data, "b") == []


def test_use_copies_what_the_state_does_not_set_itself():
    data = high(
        a=[{"name": "n"}, {"mode": 1}, {"user": "u"}, {"require": [{"test": "z"}]}],
        b=[{"mode": 2}, {"use": [{"test": "a"}]}],
    )

    assert apply_mirrored(data) == []
    assert {"user": "u"} in added(data, "b")
    assert {"mode": 2} in added(data, "b")
    assert not any("name" in item or "require" in item or item == {"mode": 1} for item in added(data, "b"))


def test_use_in_copies_the_other_way():
    data = high(a=[{"user": "u"}, {"use_in": [{"test": "b"}]}], b=[])

    assert apply_mirrored(data) == []
    assert added(data, "b") == [{"user": "u"}]


def test_a_dot_in_a_requisite_is_reported_with_its_place():
    data = high(a=[{"require_in": [{"test.nop": "b"}]}], b=[])

    problem = apply_mirrored(data)[0]

    assert problem.message == (
        "Invalid requisite in require: test.nop for b, in SLS 'web'. "
        "Requisites must not contain dots, did you mean 'test'?"
    )
    assert (problem.sls, problem.state_id) == ("web", "a")


def test_a_target_that_is_not_a_name_is_refused():
    (problem,) = apply_mirrored(high(a=[{"watch_in": [{"test": ["b"]}]}], b=[]))

    assert problem.message == 'Illegal requisite "[\'b\']" in SLS "web", please check your syntax.\n'


def test_a_target_that_does_not_exist_is_a_finding():
    (problem,) = apply_mirrored(high(a=[{"require_in": [{"test": "nosuch"}]}]))

    assert "nosuch" in problem.message
