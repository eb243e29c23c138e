"""Address of the server of the module `redis`, and the time limit for its answers."""

import pytest

from salt_g.modules.redismod import _server

pytest.importorskip("redis")


@pytest.fixture
def settings(call_context):
    """Return settings of the minion, for the test to fill."""
    found = {}
    call_context(functions={"config.option": lambda name, default=None: found.get(name, default)})
    return found


def given_to_the_library(connection):
    """Return the arguments with which the library would connect; no connection is made here."""
    with connection as server:
        return server.get_connection_kwargs()


def test_an_answer_may_take_minutes_with_each_version_of_the_library(settings):
    given = given_to_the_library(_server.connected())

    assert (given["socket_connect_timeout"], given["socket_timeout"]) == (10, 600)


def test_arguments_come_before_settings_and_those_before_defaults(settings):
    settings.update({"redis.host": "r1", "redis.password": 4711, "redis_sentinel.host": "s1"})

    of_settings = given_to_the_library(_server.connected(port="7000"))
    of_arguments = given_to_the_library(_server.connected("r2", db="3", password="se cret"))
    of_sentinel = given_to_the_library(_server.sentinel())

    names = ("host", "port", "db", "password")
    assert [of_settings[name] for name in names] == ["r1", 7000, 0, "4711"]
    assert [of_arguments[name] for name in names] == ["r2", 6379, 3, "se cret"]
    assert [of_sentinel[name] for name in names] == ["s1", 26379, 0, None]


def test_a_host_that_is_a_path_is_a_socket(settings):
    given = given_to_the_library(_server.connected("/run/redis.sock"))

    assert given["path"] == "/run/redis.sock"
    assert "host" not in given
