"""The `test` states."""

import pytest

from salt_g import api
from salt_g.errors import InvocationError
from salt_g.states import test as states


def ending(ret):
    return ret["result"], ret["comment"], bool(ret["changes"])


@pytest.mark.parametrize(
    ("function", "in_test", "expected"),
    [
        (states.nop, False, (True, "Success!", False)),
        (states.nop, True, (True, "Success!", False)),
        (states.succeed_without_changes, True, (True, "Success!", False)),
        (states.succeed_with_changes, False, (True, "Success!", True)),
        (
            states.succeed_with_changes,
            True,
            (None, "If we weren't testing, this would be successful with changes", True),
        ),
        (states.fail_without_changes, False, (False, "Failure!", False)),
        (
            states.fail_without_changes,
            True,
            (False, "If we weren't testing, this would be a failure!", False),
        ),
        (states.fail_with_changes, False, (False, "Failure!", True)),
        (
            states.fail_with_changes,
            True,
            (None, "If we weren't testing, this would be failed with changes", True),
        ),
    ],
)
def test_each_ends_as_its_name_says(call_context, function, in_test, expected):
    call_context(opts={"test": in_test})

    assert ending(function("x", any=1)) == expected


@pytest.mark.parametrize(
    ("options", "in_test", "expected"),
    [
        ({}, False, (True, "", True)),
        ({"changes": False, "result": False}, False, (False, "", False)),
        ({"changes": False}, True, (True, "This is a test", False)),
        ({"changes": True, "comment": "c"}, True, (None, "c", True)),
        ({"result": False, "allow_test_mode_failure": True}, True, (False, "This is a test", True)),
    ],
)
def test_a_configurable_state_ends_as_asked(call_context, options, in_test, expected):
    call_context(opts={"test": in_test})

    assert ending(states.configurable_test_state("x", **options)) == expected


def test_a_configurable_state_refuses_other_values(call_context):
    call_context()

    with pytest.raises(InvocationError, match="'changes' with invalid arguments"):
        states.configurable_test_state("x", changes="maybe")


def test_warnings_are_a_list(call_context):
    call_context()

    assert states.configurable_test_state("x", warnings="w")["warnings"] == ["w"]


def test_a_notification_needs_a_text(call_context):
    call_context()

    with pytest.raises(InvocationError, match=r"Missing required argument text\."):
        states.show_notification("x")


def test_mod_watch_names_what_changed(call_context):
    low = {"state": "test", "__id__": "c", "name": "c", "fun": "nop"}
    context = call_context().replace(
        low={"__reqs__": {"watch": [low]}}, running={"test_|-c_|-c_|-nop": {"changes": {"x": 1}}}
    )

    with api.use(context):
        ret = states.mod_watch("x", sfun="nop")

    assert ret["changes"] == {"Requisites with changes": ["test: c"]}


def test_pillar_keys_are_checked_by_type(call_context):
    pillar = {"a": 1, "b": "text"}
    call_context(functions={"pillar.get": lambda key, default: pillar.get(key, default)})

    ret = states.check_pillar("x", present=["a", "gone"], integer="b", verbose=True)

    assert ret["result"] is False
    assert ret["comment"] == (
        'Pillar key "gone" is missing.\nPillar key "b" is not <class \'int\'>.\n'
        "Those keys passed the check:\n- a (None)\n"
    )


def test_mod_watch_returns_changes_as_given(call_context):
    call_context(opts={"test": False})

    assert states.mod_watch("x", sfun="configurable_test_state", changes=False)["changes"] is False
