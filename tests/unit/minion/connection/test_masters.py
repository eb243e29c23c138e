"""List, order and addresses of a minion's masters."""

import socket

import pytest

from salt_g.errors import ConfigError
from salt_g.minion.connection.masters import configured, place_of, resolve, takes_turns
from salt_g.minion.settings import MasterListSettings, ResolverSettings


def settings(**changes):
    return MasterListSettings.of({"id": "m1", "master": "salt", "master_port": 4506, **changes})


def resolver(**changes):
    return ResolverSettings.of({"retry_dns": 30, **changes})


@pytest.mark.parametrize(
    ("name", "host", "port"),
    [
        ("salt", "salt", 4506),
        ("salt:5506", "salt", 5506),
        ("10.0.0.1", "10.0.0.1", 4506),
        ("::1", "::1", 4506),
        ("[::1]:5506", "::1", 5506),
        ("[::1]", "::1", 4506),
    ],
)
def test_a_name_may_carry_a_port(name, host, port):
    place = place_of(name, settings())

    assert (place.host, place.port) == (host, port)


@pytest.mark.parametrize("name", ["", "salt:x", "salt:²", ":4506", "salt..example", "a" * 64])
def test_an_invalid_address_is_reported(name):
    with pytest.raises(ConfigError, match="is neither a host nor host:port"):
        place_of(name, settings())


def test_a_list_is_taken_in_its_order_without_repeats():
    assert configured(settings(master=["b", "a", "b"])) == ["b", "a"]


def test_a_list_may_be_shuffled():
    assert configured(settings(master=["a", "b"], random_master=True), shuffle=list.reverse) == ["b", "a"]


def test_distributed_minions_begin_with_different_masters():
    names = ["a", "b", "c"]
    first = {
        configured(settings(id=f"m{number}", master=names, master_type="distributed"))[0]
        for number in range(20)
    }

    assert first == set(names)


def test_a_function_may_name_the_masters():
    opts = settings(master="mod.fun", master_type="func")

    assert configured(opts, call={"mod.fun": ["x", "y"]}.get) == ["x", "y"]


@pytest.mark.parametrize(("way", "expected"), [("str", False), ("failover", True), ("distributed", True)])
def test_some_ways_use_one_master_of_many_at_a_time(way, expected):
    assert takes_turns(settings(master=["a", "b"], master_type=way)) is expected


def answer(*addresses):
    return [(0, 0, 0, "", (address, 4506)) for address in addresses]


def test_ipv4_comes_first_unless_ipv6_is_asked_for():
    place = place_of("salt", settings())

    assert resolve(place, resolver(), look_up=lambda *args: answer("::1", "127.0.0.1")) == "127.0.0.1"
    assert resolve(place, resolver(ipv6=True), look_up=lambda *args: answer("::1")) == "::1"


def test_a_name_is_asked_for_again_until_it_is_known():
    answers = iter([socket.gaierror(-2, "unknown"), socket.gaierror(-2, "unknown"), answer("10.0.0.1")])
    pauses = []

    def look_up(*args):
        found = next(answers)
        if isinstance(found, Exception):
            raise found
        return found

    address = resolve(place_of("salt", settings()), resolver(), look_up=look_up, sleep=pauses.append)

    assert address == "10.0.0.1"
    assert pauses == [30, 30]


@pytest.mark.parametrize(("changes", "lookups"), [({"retry_dns": 0}, 1), ({"retry_dns_count": 3}, 3)])
def test_the_settings_say_how_often_a_name_is_asked_for(changes, lookups):
    questions = []

    def look_up(*args):
        questions.append(args)
        raise socket.gaierror(-2, "unknown")

    with pytest.raises(OSError, match="master 'salt'"):
        resolve(
            place_of("salt", settings()), resolver(**changes), look_up=look_up, sleep=lambda seconds: None
        )
    assert len(questions) == lookups


def test_an_unresolved_name_is_skipped_while_others_can_be_tried():
    def look_up(*args):
        raise socket.gaierror(-2, "unknown")

    with pytest.raises(OSError, match="master 'salt'"):
        resolve(
            place_of("salt", settings(), is_one_of_many=True), resolver(), look_up=look_up, sleep=pytest.fail
        )
