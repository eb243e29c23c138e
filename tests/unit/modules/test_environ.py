"""Environment variables of this process, and the state that sets them."""

import os

import pytest

from salt_g.modules import environ as plugin
from salt_g.states import environ as state


@pytest.fixture(autouse=True)
def context(call_context, monkeypatch):
    monkeypatch.setattr(os, "environ", dict(os.environ, KEPT="1"))
    return call_context(functions={"environ.setenv": plugin.setenv})


def test_values_are_text_or_false():
    assert plugin.setval("A", "x") == "x"
    assert plugin.setval("A", 1) is False
    assert plugin.setval("A", False) == ""
    assert plugin.setval("A", False, false_unsets=True) is None
    assert "A" not in os.environ


def test_setenv_answers_with_what_is_now():
    assert plugin.setenv({"A": "x", "KEPT": False}, false_unsets=True) == {"A": "x", "KEPT": None}
    assert plugin.setenv({"A": 1}) is False
    assert plugin.setenv("A") is False


def test_clear_all_empties_the_others():
    assert plugin.setenv({"A": "x"}, clear_all=True)["KEPT"] == ""


def test_values_are_read():
    assert plugin.get("KEPT") == "1"
    assert plugin.get("NOT_SET", "d") == "d"
    assert plugin.item(["KEPT", "NOT_SET"]) == {"KEPT": "1", "NOT_SET": ""}
    assert plugin.has_value("KEPT", "1") and not plugin.has_value("KEPT", "2")
    assert plugin.items()["KEPT"] == "1"


def test_the_state_sets_once():
    first = state.setenv("A", "x")
    second = state.setenv("A", "x")

    assert (first["changes"], first["comment"]) == ({"A": "x"}, "Environ values were set")
    assert (second["changes"], second["result"]) == ({}, True)


def test_the_state_unsets():
    made = state.setenv("KEPT", False, false_unsets=True)

    assert made["changes"] == {"KEPT": None}
    assert state.setenv("KEPT", False, false_unsets=True)["changes"] == {}


def test_the_state_plans_in_test_mode(call_context):
    call_context(opts={"test": True})

    made = state.setenv("several", {"A": "x", "KEPT": "1"})

    assert (made["changes"], made["result"]) == ({"A": "x"}, True)
    assert made["comment"] == "Environ values will be changed"


def test_the_state_refuses_other_values():
    assert state.setenv("A", [1])["comment"] == "Environ value must be string, dict or False"
