"""The call of a resource: the data visible to its functions, states and templates."""

import pytest

from salt_g import api
from salt_g.minion.resources.contexts import member, this_minion
from salt_g.resource_model.srn import Srn

SOURCE = """
def grains():
    return {"os": "Y", "minion_os": __opts__["grains"]["os"], "rid": __resource__["id"]}
def ping():
    return True
"""
SRN = Srn("t", "a")


@pytest.fixture
def made(managed):
    return managed(
        {"t": {"resource_ids": ["a"], "hosts": {"a": {"port": 22}}}},
        {"t/__init__.py": SOURCE, "t/modules/net.py": "def up():\n    return __grains__['os']\n"},
        module_executors=["sudo"],
        sudo_user="root",
    )


@pytest.fixture
def context(made, context_of):
    return context_of(made, SRN)


def test_the_call_has_the_name_of_the_resource_and_knows_its_minion(context, tmp_path):
    opts = context.opts

    assert (opts["id"], opts["resource_type"], opts["resource_minion"]) == ("a", "t", "m1")
    assert opts["state_cachedir"] == str(tmp_path / "cache" / "resources" / "t" / "a")
    assert context.resource == {"type": "t", "id": "a"}


def test_nothing_is_run_as_another_user_of_this_machine(context):
    assert (context.opts["module_executors"], context.opts["sudo_user"]) == (["direct_call"], "")


def test_grains_are_those_of_the_device_and_gathered_in_its_own_call(context):
    assert context.grains == {"id": "a", "os": "Y", "minion_os": "X", "rid": "a"}


def test_functions_are_those_of_the_type(context):
    with api.use(context):
        assert api.call("net.up") == "Y"
        assert not api.has("disk.usage")


def test_values_that_a_call_stores_are_its_own_and_those_of_the_type_are_shared(made, context_of):
    first, second = (context_of(made, SRN) for _ in range(2))

    first.scratch["retcode"] = 1
    made.of(SRN).type.scratch["session"] = "s"

    assert ("retcode" in second.scratch, second.scratch["session"]) == (False, "s")


def test_tables_of_the_minion_are_reached_by_name_only(context):
    plugins = context.services.plugins

    assert "disk.usage" in plugins.table("minion.modules")
    assert "disk.usage" not in plugins.table("modules")
    assert plugins.with_providers({"pkg": "aptpkg"}) is plugins


def test_targets_are_matched_with_the_data_of_the_resource(context):
    matches = context.services.match.matches

    assert matches("a")
    assert matches("T@t:a", "compound")
    assert matches("os:Y", "grain")
    assert not matches("os:X", "grain")
    assert matches("b*", minion_id="b1")
    assert not matches("m1")


def test_a_connection_module_sees_its_type_and_the_minions_facts(made):
    known = made.of(SRN)
    contexts = made.contexts(made._minion())

    of_type, of_one = contexts.of_type(known.type), contexts.of_connection(known)

    assert (of_type.resource, of_one.resource) == ({}, {"type": "t", "id": "a"})
    assert (of_one.opts["id"], of_one.opts["grains"]["os"], of_one.opts["resource_type"]) == ("m1", "X", "t")
    assert of_one.scratch is known.type.scratch


def test_matchers_get_what_identifies_a_resource_and_its_minion(made):
    known, minion = made.of(SRN), this_minion(made._minion())

    assert (minion.id, minion.grains["os"], minion.nodegroups) == ("m1", "X", {})
    assert member(known, minion).id == "a"
    assert member(known, minion, Srn("t", "b")).id == "b"
