"""`salt.utils.pyobjects`, with which users' renderers and plugins build high data; results as in stock."""

import pytest

from salt_g.compat.utils.calls import pyobjects
from salt_g.compat.utils.calls.pyobjects import Map, Registry, SaltObject, State, StateFactory

File, Pkg = StateFactory("file"), StateFactory("pkg", ["installed"])


@pytest.fixture(autouse=True)
def empty():
    """Clear the declarations before and after a test."""
    Registry.empty()
    yield
    Registry.empty()


def test_declarations_are_high_data_once():
    Registry.include("base", "web")
    with Pkg.installed("nginx"):
        state = File.managed("/x", mode="0644", watch=Pkg("y"))
    File.absent(Registry.make_extend("/y"))

    assert state() == {
        "file.managed": [{"mode": "0644"}, {"require": [{"pkg": "nginx"}]}, {"watch": [{"pkg": "y"}]}]
    }
    high = Registry.salt_data()
    assert (high["include"], high["extend"]) == (["base", "web"], {"/y": {"file.absent": []}})
    assert list(high) == ["nginx", "/x", "include", "extend"]
    assert Registry.salt_data() == {}


def test_the_errors_are_stocks():
    State("/x", "file", "managed")

    with pytest.raises(pyobjects.DuplicateState):
        File.managed("/x")
    with pytest.raises(pyobjects.StateException, match="'removed' does not exist"):
        Pkg.removed("x")


def test_nothing_is_added_while_the_registry_is_off():
    Registry.enabled = False
    File.managed("/x")
    Registry.enabled = True

    assert Registry.salt_data() == {}


def test_functions_are_attributes():
    salt = SaltObject({"cmd.run": lambda command: f"ran {command}"})

    assert salt.cmd.run("id") == "ran id"
    with pytest.raises(AttributeError):
        salt.cmd.nosuch  # noqa: B018 - the access raises


def test_a_map_takes_the_values_of_its_grains(monkeypatch):
    functions = {"grains.item": lambda grain: {grain: "Debian"}, "pillar.get": lambda key: {"port": 81}}
    monkeypatch.setattr(Map, "__salt__", functions)

    class Web(Map):
        merge = "web:lookup"

        class Debian:
            server, port = "apache2", 80

        class RedHat:
            server = "httpd"

    assert (Web.server, Web.port) == ("apache2", 81)
