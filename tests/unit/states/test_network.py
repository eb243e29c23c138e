import pytest

from salt_g.states import network


@pytest.fixture
def machine(call_context):
    """Return (function that enters a call, interfaces switched) with an interface `known`.

    `enter(test=True)` is test mode.
    """
    files = {"known": ["iface known inet dhcp\n"]}
    switched = []

    def build(name, kind, enabled, test=False, proto="dhcp", **settings):
        lines = [f"iface {name} inet {proto}\n"]
        if not test:
            files[name] = lines
        return lines

    def build_bond(name, test=False, mode="0", **settings):
        lines = [f"options {name} mode={mode}\n"]
        if not test:
            files[f"options of {name}"] = lines
        return lines

    functions = {
        "ip.get_interface": lambda name: files.get(name, []),
        "ip.build_interface": build,
        "ip.get_bond": lambda name: files.get(f"options of {name}", []),
        "ip.build_bond": build_bond,
        "ip.up": lambda name, kind: switched.append(f"up {name}"),
        "ip.down": lambda name, kind: switched.append(f"down {name}"),
        "network.interfaces": lambda: {"known": {"up": True}},
        "saltutil.refresh_grains": lambda: True,
    }
    return lambda **opts: call_context(functions=functions, opts=opts), switched


def test_a_new_interface_is_written_and_brought_up(machine):
    machine[0]()

    result = network.managed("new", type="eth")

    assert result["comment"] == "Interface new added."
    assert result["changes"] == {"interface": "Added network interface.", "status": "Interface new is up"}
    assert machine[1] == ["up new"]


def test_a_changed_interface_is_restarted(machine):
    machine[0]()

    result = network.managed("known", proto="manual")

    assert "-iface known inet dhcp\n+iface known inet manual" in result["changes"]["interface"]
    assert machine[1] == ["down known", "up known"]
    assert network.managed("known", proto="manual")["changes"] == {}


def test_nothing_is_switched_when_that_is_not_wanted(machine):
    machine[0]()

    result = network.managed("new", noifupdown=True, addr="00:16:3e:aa:bb:cc")

    assert machine[1] == []
    assert result["warnings"][0].startswith("'addr' is not a valid argument name")


def test_a_bond_has_options_of_the_kernels_module_too(machine):
    machine[0]()

    first = network.managed("bond0", type="bond", noifupdown=True)
    again = network.managed("bond0", type="bond", noifupdown=True)
    other = network.managed("bond0", type="bond", mode="1", noifupdown=True)

    assert first["comment"] == "Bond interface bond0 added."
    assert first["changes"] == {"interface": "Added network interface.", "bond": "Added bond bond0."}
    assert again["changes"] == {}
    assert list(other["changes"]) == ["bond"]
    assert other["comment"] == "Bond interface bond0 updated."


def test_a_planned_bond_is_reported_without_writing(machine):
    machine[0](test=True)

    result = network.managed("bond0", type="bond")

    assert (result["result"], result["comment"]) == (None, "Bond interface bond0 is set to be added.")


def test_test_mode_shows_the_difference(machine):
    machine[0](test=True)

    assert network.managed("new")["comment"] == "Interface new is set to be added."
    result = network.managed("known", proto="manual")
    assert result["result"] is None
    assert result["comment"].startswith("Interface known is set to be updated:\n---")
