"""Nodegroups of a minion as pillar."""

import pytest

from salt_g.pillar.sources.nodegroups import nodegroups

GROUPS = {"webs": "web*", "none": "db*", "ids": ["web1"], "nested": "N@webs and G@os:linux", "loop": "N@loop"}


@pytest.fixture
def call(call_context):
    return call_context(opts={"id": "web1", "nodegroups": GROUPS}, grains={"os": "Linux"})


def test_groups_come_in_the_order_of_the_settings(call):
    assert nodegroups("web1", {}) == {"nodegroups": ["webs", "ids", "nested"]}


def test_the_key_may_have_another_name(call):
    assert list(nodegroups("web1", {}, pillar_name="groups")) == ["groups"]


def test_without_groups_the_list_is_empty(call_context):
    call_context(opts={"nodegroups": None})

    assert nodegroups("web1", {}) == {"nodegroups": []}
