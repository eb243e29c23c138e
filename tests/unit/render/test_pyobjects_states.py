"""Objects of `pyobjects`: declarations, requisites, and maps by grains."""

import pytest

from salt_g.render.pyobjects_states import (
    DuplicateState,
    InvalidFunction,
    Registry,
    StateFactory,
    map_class,
)

FUNCTIONS = ("file.managed", "pkg.installed", "service.running")


@pytest.fixture
def registry():
    return Registry(dict.fromkeys(FUNCTIONS))


@pytest.fixture
def factories(registry):
    """Return the factories of the state modules file, pkg, service."""
    return [StateFactory(module, registry) for module in ("file", "pkg", "service")]


def test_a_state_has_its_arguments_sorted(registry, factories):
    file, _, _ = factories

    file.managed("/etc/x", source="salt://x", mode="0644")

    assert registry.high_data() == {"/etc/x": {"file.managed": [{"mode": "0644"}, {"source": "salt://x"}]}}


def test_one_id_may_have_several_functions_and_each_once(registry, factories):
    file, pkg, _ = factories
    pkg.installed("web")
    file.managed("web")

    assert sorted(registry.high_data()["web"]) == ["file.managed", "pkg.installed"]
    with pytest.raises(DuplicateState, match="A state with id ''web'', type ''pkg.installed'' exists"):
        pkg.installed("web")


def test_states_in_a_block_require_those_around_it(registry, factories):
    file, pkg, service = factories

    with pkg.installed("web"), file("/etc/x", "watch"):
        service.running("web-service")
    service.running("after")

    high = registry.high_data()
    assert high["web-service"]["service.running"] == [
        {"require": [{"pkg": "web"}]},
        {"watch": [{"file": "/etc/x"}]},
    ]
    assert high["after"]["service.running"] == []


def test_requisites_are_lists_of_names_by_module(registry, factories):
    file, pkg, service = factories

    service.running("web", watch=[file("/etc/x"), {"cmd": "y"}], require_in=pkg("z"))

    assert registry.high_data()["web"]["service.running"] == [
        {"require_in": [{"pkg": "z"}]},
        {"watch": [{"file": "/etc/x"}, {"cmd": "y"}]},
    ]


def test_includes_and_extensions_are_apart(registry, factories):
    _, _, service = factories
    registry.include("one", "two")
    service.running(registry.extend("web"), enable=True)

    assert registry.high_data() == {
        "include": ["one", "two"],
        "extend": {"web": {"service.running": [{"enable": True}]}},
    }


def test_nothing_is_declared_during_an_import(registry, factories):
    _, pkg, service = factories
    registry.enabled = False

    with pkg.installed("web"):
        service.running("web")
    registry.include("one")

    assert registry.high_data() == {}


def test_a_function_that_does_not_exist_is_named(factories):
    with pytest.raises(InvalidFunction, match="'nosuch' does not exist in the StateFactory for 'pkg'"):
        factories[1].nosuch("web")
    with pytest.raises(AttributeError):
        _ = factories[1].__wrapped__


def test_a_map_has_the_values_of_the_grains_in_the_order_of_its_priority():
    grains = {"os_family": "Debian", "os": "Ubuntu"}
    functions = {
        "grains.item": lambda name: {name: grains[name]} if name in grains else {},
        "pillar.get": {"web": {"port": 8080}}.get,
    }
    Map = map_class(functions)

    class Web(Map):
        """Values of a web server."""

        priority = ("os_family", "os")
        merge = "web"

        class Ubuntu:
            """Takes precedence over the family."""

            __grain__ = "os"
            name = "apache-ubuntu"

        class Debian:
            """The family."""

            name = "apache2"
            conf = "/etc/apache2"
            port = 80

        class Other:
            """Another system."""

            __match__ = "RedHat"
            conf = "/etc/httpd"

    assert (Web.name, Web.conf, Web.port) == ("apache-ubuntu", "/etc/apache2", 8080)
