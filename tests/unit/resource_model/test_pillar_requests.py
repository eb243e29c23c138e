"""Requests for the pillar of single resources: the load, and replies of masters that do not support it."""

import pytest

from salt_g.resource_model.pillar_requests import COMMAND, no_pillars, own_pillars_in, request


def test_a_request_names_resources_and_environments():
    assert request(("ssh:a",), "dev", None) == {
        "cmd": COMMAND,
        "resources": ["ssh:a"],
        "saltenv": "dev",
        "pillarenv": None,
        "secrets": True,
    }


@pytest.mark.parametrize("answer", [None, "", False, ["ssh:a"]])
def test_a_refusal_has_no_pillars(answer):
    assert own_pillars_in(answer) == {}


def test_only_mappings_are_pillars():
    assert own_pillars_in({"ssh:a": {"port": 1}, "ssh:b": None, "ssh:c": "x"}) == {"ssh:a": {"port": 1}}


def test_a_minion_without_such_a_master_has_none():
    assert no_pillars(["ssh:a"], "base", None) == {}
