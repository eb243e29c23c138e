"""The Redis state and functions against real servers."""

import shutil

import pytest

from tests.support.free_ports import free_port
from tests.support.servers import running

PASSWORD = "se cret"


@pytest.fixture(scope="module")
def start_redis(tmp_path_factory, need):
    """Return a factory of running servers: `with start_redis("--port", "0"):`."""
    need("redis-server", libraries=["redis"])
    program, root = shutil.which("redis-server"), tmp_path_factory.mktemp("redis")
    return lambda *words: running([program, *words, "--dir", str(root)], "Ready to accept connections")


@pytest.fixture(scope="module")
def port(start_redis):
    """Yield the port of a server that requires a password."""
    found = free_port()
    with start_redis("--port", str(found), "--bind", "127.0.0.1", "--save", "", "--requirepass", PASSWORD):
        yield found


@pytest.fixture
def redis(salt_g, port):
    """Return the command on a machine with settings for the server."""
    settings = {"redis.host": "127.0.0.1", "redis.port": port, "redis.password": PASSWORD}
    return lambda *words, **further: salt_g(*words, **{**settings, **further})


def result(outcome):
    """Return the result, comment and changes of a run of one state."""
    (answer,) = outcome.value.values()
    return answer["result"], answer["comment"], answer["changes"]


def test_a_key_comes_stays_and_goes(redis):
    words = ["state.single", "redis.string", "greeting", "value=42"]

    foreseen = result(redis(*words, "test=True"))
    made = result(redis(*words))
    again = result(redis(*words))
    kept = redis("redis.get_key", "greeting").value
    ends = result(redis(*words, "expire=300"))
    gone_soon = result(redis("state.single", "redis.absent", "greeting", "test=True"))
    gone = result(redis("state.single", "redis.absent", "greeting"))
    still = result(redis("state.single", "redis.absent", "x", "keys=[greeting, other]"))

    assert foreseen == (None, "Key would be updated", {})
    assert made == (True, "Key updated to new value", {"greeting": "Value updated"})
    assert again == (True, "Key already set to defined value", {})
    assert kept == "42"
    assert ends == (True, "Key already set to defined value", {"expire": "TTL set to 300 seconds"})
    assert gone_soon[0] is None
    assert gone == (True, "Key deleted", {"deleted": ["greeting"]})
    assert still == (True, "Key(s) specified already absent", {})


def test_functions_answer_as_the_server_does(redis):
    redis("redis.hmset", "user", "name=Ada", "visits=3")

    assert redis("redis.hgetall", "user").value == {"name": "Ada", "visits": "3"}
    assert redis("redis.hincrby", "user", "visits", "2").value == 5
    assert redis("redis.hmget", "user", "name", "none").value == ["Ada", None]
    assert redis("redis.key_type", "user").value == "hash"
    assert redis("redis.keys", "us*").value == ["user"]
    assert redis("redis.ping").value is True
    assert redis("redis.get_master_ip").value == {"master_host": "", "master_port": ""}
    assert redis("redis.delete", "user").value == 1


def test_a_wrong_password_and_a_server_that_is_down_are_reported(redis):
    words = ["state.single", "redis.string", "greeting", "value=x"]
    nobody = free_port()

    wrong = result(redis(*words, **{"redis.password": "guessed"}))
    down = result(redis(*words, **{"redis.port": nobody}))

    assert wrong[0] is down[0] is False
    assert "invalid username-password pair" in wrong[1]
    assert "guessed" not in wrong[1]
    assert f"Redis at 127.0.0.1:{nobody}: " in down[1]
    assert "Connection refused" in down[1]
    assert redis("redis.ping", **{"redis.port": nobody}).value is False


def test_a_server_follows_the_master_that_a_sentinel_knows(start_redis, salt_g, tmp_path):
    # Another address than that of this machine, which would be the master itself.
    master, follower, watcher = free_port(), free_port(), free_port()
    config = tmp_path / "sentinel.conf"
    config.write_text(f"port {watcher}\nsentinel monitor shop 127.0.0.2 {master} 1\n")
    words = ["state.single", "redis.slaveof", "shop", "sentinel_host=127.0.0.1", f"sentinel_port={watcher}"]
    settings = {"redis.host": "127.0.0.1", "redis.port": follower}

    with (
        start_redis("--port", str(master), "--bind", "127.0.0.2", "--save", ""),
        start_redis("--port", str(follower), "--bind", "127.0.0.1", "--save", ""),
        running([shutil.which("redis-server"), str(config), "--sentinel"], "+monitor master shop"),
    ):
        foreseen = result(salt_g(*words, "test=True", **settings))
        made = result(salt_g(*words, **settings))
        again = result(salt_g(*words, **settings))

    assert foreseen == (None, "Minion will be made a slave of shop: 127.0.0.2", {})
    assert made[1] == "Minion successfully connected to master: shop"
    assert made[2]["new"] == {"master_host": "127.0.0.2", "master_port": master}
    assert again == (True, "Minion already slave of master: shop", {})
