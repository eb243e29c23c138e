"""Functions available to a call for a resource."""

import pytest

from salt_g import api
from salt_g.errors import NotOffered
from salt_g.resource_model.srn import Srn

D1 = Srn("dummy", "d-1")


@pytest.fixture
def dummy(managed, context_of):
    """Return the call context of a dummy."""
    return context_of(managed({"dummy": {"resource_ids": ["d-1", "d-2"]}}), D1)


def test_the_types_functions_are_there_and_no_others(dummy):
    with api.use(dummy):
        assert api.call("test.ping") is True
        assert api.has("cmd.run") is False
        with pytest.raises(NotOffered) as caught:
            api.call("test.pong")

    assert str(caught.value).startswith(
        "Function 'test.pong' is not supported for resource type 'dummy'. It offers: test.ping, pkg.install"
    )


def test_a_dummy_keeps_its_state_apart_from_others(managed, context_of):
    made = managed({"dummy": {"resource_ids": ["d-1", "d-2"]}})
    with api.use(context_of(made, D1)):
        changes = api.call("pkg.install", "vim")
    with api.use(context_of(made, D1)):
        again, mine = api.call("pkg.install", "vim"), api.call("pkg.version", "vim")
    with api.use(context_of(made, Srn("dummy", "d-2"))):
        others = api.call("pkg.version", "vim")

    assert (changes, again) == ({"vim": {"old": "", "new": "1.0"}}, {})
    assert (mine, others) == ("1.0", "")


def test_a_dummy_outlives_the_minion(managed, context_of):
    with api.use(context_of(managed({"dummy": {"resource_ids": ["d-1"]}}), D1)):
        api.call("service.stop", "ntp")

    with api.use(context_of(managed({"dummy": {"resource_ids": ["d-1"]}}), D1)):
        assert api.call("service.status", "ntp") is False
        assert api.call("service.status", "apache") is True


def test_slots_that_the_type_names_fall_through_and_see_the_resource(managed, context_of):
    made = managed(
        {"t": {"resource_ids": ["a"]}},
        {
            "t/__init__.py": "__fall_through__ = ['grains', 'test']\n",
            "t/modules/test.py": "def ping():\n    return 'own'\n",
        },
    )

    with api.use(context_of(made, Srn("t", "a"))):
        assert api.call("grains.get", "id") == "a"
        assert api.call("test.ping") == "own"
        # A slot is one file: what the type's own does not have is not taken from elsewhere.
        assert not api.has("test.echo")


def test_functions_that_only_read_are_available_to_state_runs(dummy):
    with api.use(dummy.replace(job={"fun": "state.apply"})):
        assert api.call("grains.get", "resource_id") == "d-1"
        assert api.call("config.get", "id") == "d-1"
        assert not api.has("grains.setval")
        assert not api.has("cmd.run")
    with api.use(dummy):
        assert not api.has("config.get")


def test_the_minions_functions_work_on_the_minion(dummy):
    with api.use(dummy):
        assert api.minion_functions["grains.get"]("id") == "m1"
        assert api.opts["id"] == "d-1"
        assert api.opts["resource_minion"] == "m1"


def test_a_retcode_is_one_calls_own_and_the_types_context_is_seen(managed, context_of):
    made = managed(
        {"t": {"resource_ids": ["a"]}},
        {"t/__init__.py": "def init(opts):\n    __context__['line'] = 'open'\n", "t/modules/x.py": ""},
    )
    first, second = context_of(made, Srn("t", "a")), context_of(made, Srn("t", "a"))

    first.scratch["retcode"] = 2

    assert second.scratch.get("retcode") is None
    assert second.scratch["line"] == "open"
