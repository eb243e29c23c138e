"""The local socket: replies in order, subscribed events, malformed peers."""

import os
import stat
import struct

import gevent.socket
import pytest

from salt_g.client.frames import FrameCutter, frame
from salt_g.errors import TargetError
from salt_g.event.bus import Bus
from salt_g.master.calls.ipc_server import IpcServer
from salt_g.process.supervisor import Supervisor
from salt_g.wire.events import unpack_event
from tests.support.waiting import hub_until


class Peer:
    """Connection of a local program."""

    def __init__(self, path):
        self.socket = gevent.socket.socket(gevent.socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.cutter = FrameCutter()
        self.messages = []

    def send(self, *messages):
        self.socket.sendall(b"".join(map(frame, messages)))

    def next(self):
        """Return the next message, None at the end."""
        while not self.messages:
            data = self.socket.recv(1 << 16)
            if not data:
                return None
            self.messages += self.cutter.feed(data)
        return self.messages.pop(0)

    def ask(self, **message):
        self.send({"n": 1, **message})
        return self.next()


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def serve(tmp_path, bus):
    """Yield a function that starts a server on a socket, which echoes requests."""
    supervisor = Supervisor("test")
    servers = []

    def answer(load, caller):
        if load["cmd"] == "target":
            raise TargetError("no such target")
        if load["cmd"] == "fail":
            raise SystemExit(1)
        if load["cmd"] == "object":
            return object()
        if load["cmd"] == "publish":
            bus.fire("salt/job/7/new", {"jid": "7"})
            return {"load": {"jid": "7", "minions": ["m1"]}}
        return [load["cmd"], caller.uid]

    def start(**options):
        path = str(tmp_path / "s.ipc")
        servers.append(IpcServer(path, answer=answer, bus=bus, supervisor=supervisor, **options))
        servers[-1].start()
        return path, servers[-1]

    yield start
    for server in servers:
        server.stop()
    supervisor.stop()


@pytest.fixture
def connect():
    """Yield a function that connects a peer to the server at a path."""
    peers = []

    def make(path):
        peers.append(Peer(path))
        return peers[-1]

    yield make
    for peer in peers:
        peer.socket.close()


@pytest.fixture
def peer(serve, connect):
    path, _ = serve()
    return connect(path)


def test_requests_are_answered_in_order_with_their_numbers_and_the_peers_user(peer):
    peer.send(*({"n": number, "load": {"cmd": f"c{number}"}} for number in range(3)))

    assert [peer.next() for _ in range(3)] == [
        {"n": number, "reply": [f"c{number}", os.geteuid()]} for number in range(3)
    ]


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"load": {"cmd": "target"}}, "no such target"),
        ({"load": {"cmd": "fail"}}, "the master failed to serve this"),
        ({"load": {"cmd": "object"}}, "the answer of the master cannot be sent"),
        ({"load": {}}, "the master failed to serve this"),
        ({"load": "text"}, "no known request"),
        ({}, "no known request"),
        ({"follow": "x"}, "a subscription must be a list of at most 100 pairs"),
        ({"follow": [["x", "startswith"]] * 101}, "a subscription must be a list of at most 100 pairs"),
        ({"follow": [["x"]]}, "must be [tag, way]"),
        ({"follow": [["x", 5]]}, "must be [tag, way]"),
        ({"fire": ["x"]}, "an event must be"),
        ({"fire": ["x", "y"]}, "an event must be"),
    ],
)
def test_a_malformed_message_is_an_error_and_the_next_is_served(peer, message, error):
    assert error in str(peer.ask(**message).get("error", ""))
    assert peer.ask(load={"cmd": "next"})["reply"] == ["next", os.geteuid()]


def test_events_come_while_they_are_followed(peer, bus):
    assert peer.ask(follow=[["x/", "startswith"]]) == {"n": 1, "reply": True}
    bus.fire("y/1", {})
    bus.fire("x/1", {"a": 1})
    tag, data = unpack_event(peer.next()["event"])
    assert (tag, data["a"]) == ("x/1", 1)

    assert peer.ask(leave=[["x/", "startswith"]]) == {"n": 1, "reply": True}
    bus.fire("x/2", {})
    assert peer.ask(load={"cmd": "next"})["reply"][0] == "next"


def test_a_job_that_is_followed_loses_not_even_its_first_event(peer):
    result = [peer.ask(load={"cmd": "publish"}, following=True), peer.next()]

    events = [unpack_event(one["event"])[0] for one in result if "event" in one]
    assert events == ["salt/job/7/new"]


def test_an_event_of_a_peer_is_fired_on_the_bus(peer, bus):
    events = bus.subscribe("x", name="test")

    assert peer.ask(fire=["x/1", {"a": 1}]) == {"n": 1, "reply": True}
    event = events.get(timeout=30)
    assert (event.tag, event.data["a"]) == ("x/1", 1)


@pytest.mark.parametrize("data", [struct.pack(">I", 1 << 31), struct.pack(">I", 1) + b"\x05"])
def test_a_peer_that_sends_no_frames_is_disconnected_and_no_other(serve, connect, data, bus):
    path, server = serve()
    bad, good = connect(path), connect(path)
    bad.socket.sendall(data)

    assert bad.next() is None
    assert good.ask(load={"cmd": "x"})["reply"][0] == "x"
    hub_until(lambda: len(server) == 1)
    assert len(bus.subscriptions) == 1


def test_a_peer_beyond_the_limit_is_refused_until_another_leaves(serve, connect):
    path, server = serve(connections=1)
    first = connect(path)
    assert first.ask(load={"cmd": "x"})["reply"][0] == "x"
    assert connect(path).next() is None

    first.socket.close()
    hub_until(lambda: len(server) == 0)
    assert connect(path).ask(load={"cmd": "y"})["reply"][0] == "y"


@pytest.mark.parametrize(("is_open", "mode"), [(False, 0o600), (True, 0o666)])
def test_the_socket_is_private_unless_others_may_connect_and_goes_at_the_end(serve, connect, is_open, mode):
    path, server = serve(is_open=is_open)
    assert stat.S_IMODE(os.stat(path).st_mode) == mode
    peer = connect(path)
    assert peer.ask(load={"cmd": "x"})["reply"][0] == "x"

    server.stop()

    assert peer.next() is None
    assert not os.path.exists(path)
