"""Options of a connection to a Redis server, its time limits, and the names of its errors."""

import sys

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.net import redis
from tests.support.free_ports import free_port

library = pytest.importorskip("redis")


class ServerError(Exception):
    """The error of a caller."""


def given_to_the_library(settings, **options):
    """Return the arguments with which the library would connect; no connection is made here."""
    return redis.connect(settings, **options).get_connection_kwargs()


def test_settings_that_are_left_out_have_their_defaults():
    given = given_to_the_library({"host": "r1"})

    assert [given[name] for name in ("host", "port", "db")] == ["r1", 6379, 0]
    assert (given["username"], given["password"]) == (None, None)


def test_settings_may_be_texts_or_numbers_as_yaml_has_them():
    given = given_to_the_library({"port": "7000", "db": "3", "username": "ann", "password": 4711})

    assert [given[name] for name in ("port", "db", "username", "password")] == [7000, 3, "ann", "4711"]


def test_an_empty_password_is_none():
    given = given_to_the_library({"username": "", "password": ""})

    assert (given["username"], given["password"]) == (None, None)


def test_a_socket_replaces_host_and_port():
    given = given_to_the_library({"host": "r1", "port": "", "unix_socket_path": "/run/redis.sock"})

    assert given["path"] == "/run/redis.sock"
    assert "host" not in given


def test_each_wait_has_the_same_limit_unless_the_caller_gives_another():
    usual, longer = given_to_the_library({}), given_to_the_library({}, socket_timeout=600)

    assert (usual["socket_connect_timeout"], usual["socket_timeout"]) == (10, 10)
    assert (longer["socket_connect_timeout"], longer["socket_timeout"]) == (10, 600)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({**redis.DEFAULTS, "password": "secret"}, "localhost port 6379"),
        ({**redis.DEFAULTS, "unix_socket_path": "/run/redis.sock"}, "/run/redis.sock"),
    ],
)
def test_a_server_is_named_without_its_login(settings, place):
    assert redis.address(settings) == place


def test_a_server_that_is_down_is_named_at_once_in_the_error_of_the_caller():
    server = redis.connect({"host": "127.0.0.1", "port": free_port()}, retry=redis.no_retries())

    with (
        pytest.raises(ServerError, match=r"^r1: Error 111 connecting to 127\.0\.0\.1:"),
        redis.errors_as(ServerError, "r1"),
    ):
        server.ping()


def test_errors_that_are_not_of_the_library_pass():
    with pytest.raises(KeyError), redis.errors_as(ServerError, "r1"):
        raise KeyError("key")


def test_a_missing_library_is_an_error_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)

    assert not redis.is_available()
    with pytest.raises(CommandExecutionError, match=r"install salt-g\[redis\]$"):
        redis.connect({})
    with pytest.raises(CommandExecutionError), redis.errors_as(ServerError, "r1"):
        pass
