"""State functions in a call for a resource: those of the type, those that are possible, refusals."""

import pytest

from salt_g.errors import NoSuchFunction, NotOffered
from salt_g.minion.resources.functions import TypeFunctions
from salt_g.minion.resources.state_needs import StateNeeds
from salt_g.minion.resources.states import TypeStates
from salt_g.resource_model.srn import Srn

PACKAGES = "def install(name):\n    return {}\ndef list_pkgs():\n    return {}\n"
OWN = "def up(name):\n    return {'name': name, 'result': True, 'changes': {}, 'comment': 'own'}\n"


@pytest.fixture
def states(managed):
    """Return a function that returns the states of a type `t` with these files below its folder."""

    def build(**files):
        named = {f"t/{path.replace('__', '/')}.py": text for path, text in files.items()}
        made = managed({"t": {"resource_ids": ["a"]}}, {"t/__init__.py": "", **named})
        type = made.of(Srn("t", "a")).type
        return TypeStates(type, TypeFunctions(type, {}), StateNeeds())

    return build


def refusal(states, name):
    """Return the error text of a call of a state."""
    with pytest.raises(NotOffered) as caught:
        states[name]("x")
    return str(caught.value)


def test_a_state_of_the_type_runs_unchecked(states):
    assert states(states__port=OWN)["port.up"]("eth0")["comment"] == "own"


def test_a_state_whose_functions_the_type_lacks_names_them(states):
    assert refusal(states(modules__net=PACKAGES), "sysctl.present") == (
        "State 'sysctl.present' cannot run on resource type 't': it needs sysctl.persist,"
        " sysctl.default_config, sysctl.show, sysctl.get; the type offers net."
    )


def test_a_state_that_works_on_this_machine_is_refused(states):
    text = refusal(states(), "mount.mounted")

    assert text.startswith("State 'mount.mounted' cannot run on resource type 't': it ")
    assert text.endswith("the type offers nothing.")


def test_a_state_without_needs_runs(states):
    assert states()["test.nop"]("x")["result"] is True


def test_a_function_missing_on_the_way_is_reported_with_the_state(states):
    text = "from salt_g.errors import NotOffered\ndef up(name):\n    raise NotOffered('net.up', 'none')\n"
    made = states(states__port=text)

    # The type's own state is not guarded: it knows its type.
    assert refusal(made, "port.up") == "none"


def test_hooks_of_the_engine_are_there_only_if_they_are_defined(states):
    made = states(states__port=OWN + "def mod_init(low):\n    return True\n")

    assert "port.mod_init" in made
    assert "port.mod_aggregate" not in made
    assert made.get("port.mod_aggregate") is None


def test_other_names_are_not_states(states):
    made = states()

    assert "nothing.there" not in made
    assert 7 not in made
    assert made.get("nothing.there", "default") == "default"
    with pytest.raises(NoSuchFunction):
        made["nothing.there"]


def test_all_names_are_listed(states):
    made = states(states__port=OWN)

    assert {"port.up", "test.nop"} <= set(made)
    assert len(made) == len(set(made))
