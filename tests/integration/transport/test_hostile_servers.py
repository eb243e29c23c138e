"""A hostile peer that we connect to: whatever it sends and whenever it hangs up, the process survives."""

import contextlib
import pathlib
import socket
import subprocess
import sys
import time

import pytest

from tests.support.raw_zmtp import GREETING, message, ping, ready

#: Connects as a part of the minion does, reads late, and ends after `beats` with exit code 0.
PROGRAM = """
import sys
import gevent.monkey
gevent.monkey.patch_all()
import gevent
from salt_g.errors import SaltGError
from salt_g.transport import zeromq
zeromq.HEARTBEAT_INTERVAL_MS = 300
from salt_g.transport.request_client import RequestClient
from salt_g.transport.subscriber import Subscriber

kind, address = sys.argv[1:]
context = zeromq.GreenContext()
end = gevent.spawn(gevent.get_hub().threadpool.apply, sys.stdin.read)
if kind == "subscriber":
    ear = Subscriber(address, context=context, reconnect=(10, 10))
    while not end.ready():
        # Nothing is read meanwhile, so that queues fill.
        end.join(0.2)
        while ear.receive(timeout=0.02) is not None:
            pass
else:
    client = RequestClient(address, context=context)
    while not end.ready():
        try:
            client.request(b"x", timeout=0.2)
        except SaltGError:
            pass
print("alive")
"""
#: Connections that are made to the hostile server, at most, and how long it waits for them (s).
CONNECTIONS = 20
PATIENCE = 12.0


def reset(connection):
    if connection.fileno() < 0:
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def hostile(connection, kind, number):
    """Fill the peer's queue, send pings, and reset every other connection."""
    is_publisher = kind == "subscriber"
    connection.sendall(GREETING + ready(b"PUB" if is_publisher else b"ROUTER"))
    connection.settimeout(1)
    small = message(b"") if is_publisher else message(b"", b"")
    with contextlib.suppress(OSError):
        connection.sendall(ping(0, b"first") + small * (995 + number) + ping() + small)
        received = b""
        # Its answer says that it has read, for a reset takes back what lies unread in its buffer.
        while b"first" not in received and (part := connection.recv(100)):
            received += part
    if number % 2:
        reset(connection)
    return connection


@pytest.mark.parametrize("kind", ["subscriber", "client"])
def test_a_server_that_floods_pings_and_resets_ends_no_client(tmp_path, kind):
    program = pathlib.Path(tmp_path / "program.py")
    program.write_text(PROGRAM)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        words = [sys.executable, str(program), kind, f"tcp://127.0.0.1:{server.getsockname()[1]}"]
        with subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            deadline, held = time.monotonic() + PATIENCE, []
            while time.monotonic() < deadline and len(held) < CONNECTIONS and child.poll() is None:
                try:
                    held.append(hostile(server.accept()[0], kind, len(held)))
                except TimeoutError:
                    continue
            for connection in held:
                reset(connection)
            server.close()
            out, err = child.communicate(timeout=60)
    assert (child.returncode, out.strip()) == (0, "alive"), err
