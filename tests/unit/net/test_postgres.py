"""Connection parameters of a PostgreSQL server, and its address in messages."""

import contextlib
import socket
import struct
import threading

import pytest

from salt_g.net import postgres

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def server():
    """Yield a server that refuses all clients.

    `startup` is the startup message of the first, as a mapping.
    """

    class Server:
        startup = None

        def serve(self):
            with contextlib.closing(self.listener.accept()[0]) as connection:
                length, code = struct.unpack("!II", connection.recv(8, socket.MSG_WAITALL))
                assert code == 3 << 16, "protocol 3.0 without TLS"
                words = connection.recv(length - 8, socket.MSG_WAITALL).split(b"\0")
                self.startup = dict(zip(words[::2], words[1::2], strict=False))
                fields = b"SFATAL\0VFATAL\0C28000\0Mnot today\0\0"
                connection.sendall(b"E" + struct.pack("!I", len(fields) + 4) + fields)

    made = Server()
    with socket.create_server(("127.0.0.1", 0)) as made.listener:
        made.listener.settimeout(30)
        thread = threading.Thread(target=made.serve)
        thread.start()
        yield made
        thread.join()


def test_the_settings_reach_the_server_and_unused_tls_options_do_not(server):
    settings = {
        **postgres.DEFAULTS,
        "host": "127.0.0.1",
        "port": str(server.listener.getsockname()[1]),
        "db": "jobs",
        "user": "me",
        "sslmode": "disable",
        "sslcert": None,
        "sslcrl": "None",
    }

    with pytest.raises(psycopg.OperationalError, match="not today"):
        postgres.connect(settings, options="-c a=b", gssencmode="disable")

    assert server.startup[b"user"] == b"me"
    assert server.startup[b"database"] == b"jobs"
    assert server.startup[b"options"] == b"-c a=b"


def test_a_tls_option_that_is_set_reaches_the_library():
    settings = {**postgres.DEFAULTS, "host": "127.0.0.1", "sslmode": "nonsense"}

    # Its words differ by version: "invalid sslmode value", "connection is bad".
    with pytest.raises(psycopg.OperationalError, match='"nonsense"'):
        postgres.connect(settings)


def test_a_place_is_named_without_its_login():
    settings = {**postgres.DEFAULTS, "host": "db1", "pass": "secret"}

    assert postgres.address(settings) == "db1 port 5432, database 'salt'"
