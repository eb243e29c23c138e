"""Settings of resources in pillar, and the secrets that must not leave it."""

import pytest

from salt_g.resource_model import pillar_settings as pillar


def test_the_tree_is_below_the_key_of_the_settings_and_anything_but_a_mapping_counts_as_empty():
    assert pillar.declared({"resources": {"ssh": {}}}, {}) == {"ssh": {}}
    assert pillar.declared({"things": {"ssh": {}}}, {"resource_pillar_key": "things"}) == {"ssh": {}}
    assert pillar.declared({"resources": ["ssh"]}, {}) == {}
    assert pillar.declared({}, {}) == {}


def test_an_empty_key_is_reported_and_the_default_counts(caplog):
    assert pillar.key_of({"resource_pillar_key": ""}) == "resources"
    assert "resource_pillar_key is ''" in caplog.text


@pytest.mark.parametrize(
    ("below", "ids"),
    [
        ({"resource_ids": ["a", 1]}, ["a", 1]),
        ({"hosts": {"a": {}, "b": None}}, ["a", "b"]),
        ({"resource_ids": ["a"], "hosts": {"b": {}}}, ["a", "b"]),
        (["a", "b"], ["a", "b"]),
        ({"driver": "napalm"}, []),
        (None, []),
    ],
)
def test_ids_are_listed_or_have_settings(below, ids):
    assert pillar.listed_ids(below) == ids


def test_settings_are_those_of_the_id_which_yaml_may_have_read_as_a_number():
    below = {"hosts": {"web": {"user": "root"}, 42: {"user": "admin"}, "bare": None}}

    assert pillar.settings_of(below, "web") == {"user": "root"}
    assert pillar.settings_of(below, "42") == {"user": "admin"}
    assert pillar.settings_of(below, "bare") == {}
    assert pillar.settings_of({"resource_ids": ["web"]}, "web") == {}


def test_a_message_says_where_an_id_is():
    assert pillar.path_of("ssh", {"hosts": {"a b": {}}}, "a b", "resources") == "resources:ssh:hosts:a b"
    assert pillar.path_of("x", {"resource_ids": ["a", "b"]}, "b", "r") == "r:x:resource_ids[1]"
    assert pillar.path_of("x", {}, "found by itself", "r") == "r:x"


def test_secrets_of_settings_leave_no_message():
    settings = {"host": "sw1", "passwd": "hunter2", "auth": {"api_token": "t0ken", "pin": 12}, "key": "abc"}

    result = pillar.without_secrets("no way to sw1 with hunter2 and t0ken, abc", settings)

    assert result == "no way to sw1 with ********** and **********, abc"


def test_settings_beside_the_hosts_are_shared_and_defaults_win():
    below = {"user": "a", "port": 22, "hosts": {"h": {"user": "c"}}, "defaults": {"user": "b"}, "other": 1}

    assert pillar.shared_settings(below, ("user", "port", "tty")) == {"user": "b", "port": 22}
    assert pillar.shared_settings(["h"], ("user",)) == {}
