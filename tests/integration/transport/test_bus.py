"""The event bus over real UNIX sockets."""

import logging
import os
import socket
import stat
import subprocess as real_subprocess
import sys

import pytest
from gevent import subprocess

from salt_g.errors import NoReply, WireError
from salt_g.net.event_bus_addresses import EventBusAddresses, LoopbackPort
from salt_g.transport import bus_server
from salt_g.transport.bus_client import BusSubscriber, BusWriter
from salt_g.transport.bus_server import BusServer
from salt_g.transport.unix_socket import PeerCredentials, listen
from salt_g.wire.events import bare_frame, pack_event, prefixed_frame, unpack_event
from tests.support.free_ports import free_port
from tests.support.waiting import hub_until


@pytest.fixture
def bus(tmp_path, supervisor):
    """Yield a function that starts a bus; its `fired` collects the events."""
    made = []

    def start(**settings):
        fired = []
        server = BusServer(
            EventBusAddresses(str(tmp_path / "pub.ipc"), str(tmp_path / "pull.ipc")),
            supervisor=supervisor,
            on_event=settings.pop("on_event", lambda body, who: fired.append((body, who))),
            **settings,
        )
        server.fired = fired
        server.start()
        made.append(server)
        return server

    yield start
    for server in made:
        server.stop()


@pytest.fixture
def subscribe(tmp_path):
    """Yield a function that connects a subscriber and waits until the bus has noticed it."""
    made = []

    def start(server):
        made.append(BusSubscriber(str(tmp_path / "pub.ipc")))
        hub_until(lambda: len(server) == len(made))
        return made[-1]

    yield start
    for subscriber in made:
        subscriber.close()


def connected(path):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(path))
    return connection


def test_an_event_reaches_every_subscriber(bus, subscribe):
    server = bus()
    subscribers = [subscribe(server) for _ in range(3)]

    server.publish(pack_event("salt/auth", {"id": "m1"}))

    for subscriber in subscribers:
        assert unpack_event(subscriber.receive(timeout=5)) == ("salt/auth", {"id": "m1"})


def test_events_are_published_bare_or_with_a_length(bus, tmp_path):
    body = pack_event("a/b", {"x": 1})
    for prefixes, frame in ((False, bare_frame(body)), (True, prefixed_frame(body))):
        server = bus(prefixes_pub=prefixes)
        connection = connected(tmp_path / "pub.ipc")
        hub_until(lambda server=server: len(server) == 1)

        server.publish(body)
        hub_until(lambda server=server: not next(iter(server._subscribers))._frames)

        assert connection.recv(1000) == frame
        connection.close()
        server.stop()


def test_fired_events_arrive_with_the_credentials_of_their_writer(bus, tmp_path):
    server = bus()
    writer = BusWriter(str(tmp_path / "pull.ipc"))

    for number in range(100):
        writer.fire(pack_event("tag", {"number": number}))
    hub_until(lambda: len(server.fired) == 100)

    assert [unpack_event(body)[1]["number"] for body, _ in server.fired] == list(range(100))
    assert {(who.pid, who.uid) for _, who in server.fired} == {(os.getpid(), os.getuid())}
    writer.close()


def test_the_sockets_have_their_modes(bus, tmp_path):
    bus(pub_mode=0o660)

    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("pub.ipc", "pull.ipc")]

    assert modes == [0o660, 0o600]


def test_a_peer_without_the_right_is_sent_away(bus, tmp_path):
    server = bus(may_connect=lambda who: who.uid != os.getuid())
    subscriber = BusSubscriber(str(tmp_path / "pub.ipc"))

    with pytest.raises((WireError, OSError)):
        subscriber.receive(timeout=5)

    assert len(server) == 0
    subscriber.close()


def test_a_subscriber_that_does_not_read_loses_its_oldest_events_only(bus, subscribe, tmp_path):
    server = bus(ring=10)
    lazy = connected(tmp_path / "pub.ipc")
    hub_until(lambda: len(server) == 1)
    eager = BusSubscriber(str(tmp_path / "pub.ipc"))
    hub_until(lambda: len(server) == 2)

    for number in range(200):
        server.publish(pack_event("tag", {"number": number, "fill": "x" * 10_000}))
        assert unpack_event(eager.receive(timeout=5))[1]["number"] == number

    assert 0 < server.dropped < 200
    assert len(server) == 2
    eager.close()
    lazy.close()


def test_events_waiting_for_a_subscriber_are_bounded_in_bytes_and_drops_reported_once(
    bus, subscribe, tmp_path, caplog
):
    server = bus(ring_bytes=50_000)
    lazy = connected(tmp_path / "pub.ipc")
    hub_until(lambda: len(server) == 1)

    for number in range(200):
        server.publish(pack_event("tag", {"number": number, "fill": "x" * 10_000}))
    # More than the ring alone, so that an event larger than it arrives all the same.
    server.publish(pack_event("tag", {"number": 200, "fill": "x" * 60_000}))

    assert server.dropped >= 195
    assert caplog.text.count("reads too slowly and loses events") == 1
    lazy.close()


def test_a_subscriber_that_hangs_up_is_forgotten(bus, subscribe):
    server = bus()
    subscriber = subscribe(server)
    assert len(server) == 1

    subscriber.close()
    hub_until(lambda: len(server) == 0)


def test_bytes_that_are_not_a_frame_end_that_connection_only(bus, tmp_path):
    server = bus()
    bad, good = connected(tmp_path / "pull.ipc"), BusWriter(str(tmp_path / "pull.ipc"))

    bad.sendall(b"GET / HTTP/1.0\r\n\r\n")
    good.fire(pack_event("tag", {}))
    hub_until(lambda: server.fired)

    assert bad.recv(10) == b""
    assert unpack_event(server.fired[0][0]) == ("tag", {})
    bad.close()
    good.close()


def test_a_handler_that_fails_does_not_end_the_connection(bus, tmp_path):
    seen = []

    def on_event(body, who):
        seen.append(body)
        if len(seen) == 1:
            raise ValueError("a fault of ours")

    bus(on_event=on_event)
    writer = BusWriter(str(tmp_path / "pull.ipc"))

    writer.fire(pack_event("one", {}))
    writer.fire(pack_event("two", {}))

    hub_until(lambda: len(seen) == 2)
    assert [unpack_event(body)[0] for body in seen] == ["one", "two"]
    writer.close()


def test_receive_reports_that_nothing_arrived(bus, subscribe):
    with pytest.raises(NoReply):
        subscribe(bus()).receive(timeout=0.01)


def test_stop_removes_the_sockets_and_hangs_up(bus, subscribe, tmp_path):
    server = bus()
    subscriber = subscribe(server)

    server.stop()

    with pytest.raises((WireError, OSError)):
        subscriber.receive(timeout=5)
    assert not list(tmp_path.iterdir())


def test_a_left_over_socket_is_replaced(bus, subscribe, tmp_path):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "pub.ipc"))
    left.close()
    server = bus()

    subscriber = subscribe(server)
    server.publish(pack_event("tag", {}))

    assert subscriber.receive(timeout=5)


@pytest.fixture
def port_bus(supervisor):
    """Yield a function that starts a bus on two free loopback ports; its `fired` collects the events."""
    made = []

    def start(host="127.0.0.1", **settings):
        fired = []
        places = EventBusAddresses(LoopbackPort(host, free_port(host)), LoopbackPort(host, free_port(host)))
        server = BusServer(
            places, supervisor=supervisor, on_event=lambda body, who: fired.append((body, who)), **settings
        )
        server.fired, server.places = fired, places
        server.start()
        made.append(server)
        return server

    yield start
    for server in made:
        server.stop()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_bus_on_ports_knows_whose_its_peers_are(port_bus, host):
    server = port_bus(host)
    subscriber, writer = BusSubscriber(server.places.pub), BusWriter(server.places.pull)
    hub_until(lambda: len(server) == 1)

    writer.fire(pack_event("a/b", {"x": 1}))
    server.publish(pack_event("c", {}))

    assert unpack_event(subscriber.receive(timeout=30)) == ("c", {})
    hub_until(lambda: server.fired)
    assert [(unpack_event(body), who.uid) for body, who in server.fired] == [
        (("a/b", {"x": 1}), os.geteuid())
    ]
    subscriber.close()
    writer.close()


def test_a_bus_on_ports_listens_on_the_loopback_only(port_bus):
    server = port_bus()

    bound = [listener.getsockname() for listener in server._listeners.values()]

    assert sorted(bound) == sorted(tuple(place) for place in server.places)


STRANGER = """
import os, socket, sys
os.setuid(65534)
with socket.socket() as connection:
    connection.settimeout(30)
    connection.connect(("127.0.0.1", int(sys.argv[1])))
    try:
        connection.sendall(bytes.fromhex(sys.argv[2]))
        print(connection.recv(1000).hex() or "closed")
    except ConnectionError:
        print("closed")
"""


def as_nobody(place, data=b""):
    """Start a program as another user that sends to an address and prints the first response."""
    words = [sys.executable, "-c", STRANGER, str(place.number), data.hex()]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_neither_fires_nor_reads_events_on_a_port(port_bus, caplog):
    server = port_bus()
    writing = as_nobody(server.places.pull, prefixed_frame(pack_event("evil", {})))
    reading = as_nobody(server.places.pub)

    assert [writing.communicate()[0], reading.communicate()[0]] == ["closed\n", "closed\n"]
    assert server.fired == []
    assert "uid 65534 (pid -1) was refused" in caplog.text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_another_user_reads_events_on_a_port_where_a_socket_would_let_them(port_bus):
    server = port_bus(pub_mode=0o666)
    reading = as_nobody(server.places.pub)
    hub_until(lambda: len(server) == 1)

    server.publish(pack_event("c", {}))

    assert reading.communicate()[0] == bare_frame(pack_event("c", {})).hex() + "\n"


def test_a_taken_port_is_named(port_bus, supervisor):
    server = port_bus()
    twin = BusServer(server.places, supervisor=supervisor, on_event=lambda body, who: None)

    with pytest.raises(OSError, match=str(server.places.pub)):
        twin.start()


def test_a_subscriber_may_leave_while_the_log_is_written(bus, subscribe):
    server = bus(ring=1)
    gone, slow = subscribe(server), subscribe(server)

    class Waiting(logging.Handler):
        def emit(self, record):
            gone.close()
            hub_until(lambda: len(server) == 1)

    handler = Waiting()
    logging.getLogger("salt_g.transport.bus_server").addHandler(handler)
    try:
        for _ in range(50):
            server.publish(pack_event("a/b", {"x": "y" * 100_000}))
    finally:
        logging.getLogger("salt_g.transport.bus_server").removeHandler(handler)

    assert len(server) == 1
    slow.close()


def test_a_path_that_no_socket_can_have_is_reported_with_the_way_out(tmp_path):
    path = tmp_path / ("d" * 120)

    with pytest.raises(OSError, match="must not exceed 107 bytes.*shorter sock_dir") as caught:
        listen(str(path), 0o600)

    assert caught.value.filename == str(path)


GONE = """
import encodings.idna, os, socket, struct, sys
os.setuid(65534)
for is_reset in (False, True) * 20:
    with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection:
        if is_reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(bytes.fromhex(sys.argv[3]))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_connection_that_was_closed_at_once_has_no_user(port_bus, host):
    server = port_bus(host)
    evil = prefixed_frame(pack_event("evil", {})).hex()
    words = [sys.executable, "-c", GONE, host, str(server.places.pull.number)]

    for _ in range(3):
        # The peers are taken when they have gone: nothing else runs while this waits.
        real_subprocess.run([*words, evil], check=True)
        writer = BusWriter(server.places.pull)
        writer.fire(pack_event("good", {}))
        writer.close()
        hub_until(lambda: server.fired)

    assert {unpack_event(body)[0] for body, _ in server.fired} == {"good"}


def test_events_of_a_writer_that_leaves_at_once_arrive(port_bus):
    server = port_bus()
    for number in range(20):
        writer = BusWriter(server.places.pull)
        writer.fire(pack_event("tag", {"number": number, "much": "x" * 200_000}))
        writer.close()

    hub_until(lambda: len(server.fired) == 20)

    assert [unpack_event(body)[1]["number"] for body, _ in server.fired] == list(range(20))


def test_events_of_a_connection_that_has_changed_hands_are_not_taken(port_bus, monkeypatch):
    server = port_bus()
    owners = [PeerCredentials(-1, os.geteuid(), -1)]
    monkeypatch.setattr(bus_server, "other_end", lambda peer: owners[-1])
    writer, subscriber = BusWriter(server.places.pull), BusSubscriber(server.places.pub)
    writer.fire(pack_event("first", {}))
    hub_until(lambda: server.fired and len(server) == 1)

    owners.append(PeerCredentials(-1, 65534, -1))
    writer.fire(pack_event("second", {}))
    server.publish(pack_event("third", {}))

    with pytest.raises(WireError, match="was closed"):
        subscriber.receive(timeout=30)
    hub_until(lambda: not len(server._seats))
    assert [unpack_event(body)[0] for body, _ in server.fired] == ["first"]
    writer.close()
    subscriber.close()


MANY = """
import os, socket, sys
os.setuid(65534)
place = sys.argv[1]
connections = []
for _ in range(520):
    connection = socket.socket(socket.AF_UNIX if "/" in place else socket.AF_INET)
    try:
        connection.connect(place if "/" in place else ("127.0.0.1", int(place)))
    except OSError:
        continue
    connections.append(connection)
print(len(connections), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("kind", ["unix", "tcp"])
@pytest.mark.parametrize("end", ["pub", "pull"])
def test_connections_of_one_user_shut_out_nobody_else(bus, port_bus, tmp_path, kind, end):
    server = (bus if kind == "unix" else port_bus)(pub_mode=0o666)
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:2]:
        parent.chmod(0o755)
    place = getattr(server._places, end)
    words = [sys.executable, "-c", MANY, str(place if kind == "unix" else place.number)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flood:
        flood.stdout.readline()

        subscriber, writer = BusSubscriber(server._places.pub), BusWriter(server._places.pull)
        hub_until(lambda: any(one.uid == os.geteuid() for one in server._subscribers))
        writer.fire(pack_event("tag", {}))
        hub_until(lambda: server.fired)
        server.publish(pack_event("seen", {}))

        assert unpack_event(subscriber.receive(timeout=30))[0] == "seen"
        assert len(server) <= 256 // 8 + 1
        subscriber.close()
        writer.close()
        flood.stdin.close()
