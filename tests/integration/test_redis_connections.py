"""Connections to a real Redis server by port and by socket, with a login."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.net import redis
from tests.support.servers import running_redis

pytest.importorskip("redis")


def test_a_server_serves_a_user_by_port_and_by_socket(tmp_path):
    path = str(tmp_path / "redis.sock")
    # Names and numbers as YAML may read them.
    login = {"username": "ann", "password": 4711}
    with running_redis(tmp_path, words=["--unixsocket", path]) as port:
        by_port = {"host": "127.0.0.1", "port": str(port)}
        with redis.connect(by_port) as server:
            server.acl_setuser("ann", enabled=True, passwords="+4711", keys="*", commands=["+@all"])

        with redis.connect({**by_port, **login, "db": "2"}) as server:
            server.set("greeting", "hello")
        with redis.connect({"unix_socket_path": path, **login, "db": 2}, decode_responses=True) as server:
            assert server.get("greeting") == "hello"
        with (
            redis.connect({**by_port, **login, "password": "guessed"}) as server,
            pytest.raises(CommandExecutionError, match="^r1: .*invalid username-password pair"),
            redis.errors_as(CommandExecutionError, "r1"),
        ):
            server.ping()
