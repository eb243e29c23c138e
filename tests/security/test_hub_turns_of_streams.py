"""Peers without a key that send simultaneously: they share the hub with everyone, on each transport."""

import contextlib
import pathlib
import signal
import socket
import ssl
import struct
import tempfile

import pytest

from salt_g.client.unix_link import UnixLink
from tests.support.certificates import tls_settings
from tests.support.cpu_speed import slowness
from tests.support.hub_turns import HubTurns
from tests.support.raw_zmtp import DEADLINE, GREETING, ready

#: Longest permitted turn of the hub (s of processor time of a usual machine).
LONGEST = 0.05
#: Connections that send at the same moment, and attempts of which one must be within the bound: a signal or
#: a commit may fall into one.
PEERS, ATTEMPTS = 40, 3
#: Bytes of small frames that a connection reads at once.
ONE_READ = 16 * 1024
MIB = 1024 * 1024
#: Size of a message that is nearly too large.
GIANT = 60 * MIB

UPGRADE = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\r\n"
#: Packed message of `transport: tcp` without head and body.
NOTHING = b"\x82\xa4head\x80\xa4body\xc0"
#: By transport: what a peer says first, small frames, and the beginning of a giant one.
STREAMS = {
    "zeromq": (
        GREETING + ready(b"SUB"),
        {"commands": b"\4\1\0", "subscriptions": b"\0\2\1x", "pings": b"\4\7\4PING\0\0"},
        b"\2" + struct.pack(">Q", GIANT),
    ),
    "tcp": (
        NOTHING,
        {"messages": NOTHING, "numbers": b"\x82\xa4head\xdc\x3f\x00" + b"\1" * 0x3F00},
        b"\x82\xa4head\x80\xa4body\xc6" + struct.pack(">I", GIANT),
    ),
    "ws": (
        UPGRADE,
        {"messages": b"\x82\x80abcd", "pings": b"\x89\x80abcd"},
        b"\x82\xff" + struct.pack(">Q", GIANT) + b"abcd",
    ),
}
FLOODS = [(transport, name) for transport, (_, floods, _) in STREAMS.items() for name in floods]


@pytest.fixture(scope="module")
def watched(fleet):
    """Return a function that returns (master of a transport, its long turns, the client's TLS or None)."""
    known = {}

    def of(transport):
        if transport not in known:
            place = pathlib.Path(tempfile.mkdtemp(prefix="sg-turns-"))
            turns, more, client = HubTurns(place), {}, None
            if transport != "zeromq":
                more["ssl"] = tls_settings(place, cert_reqs="CERT_NONE")
                client = ssl.create_default_context(cafile=more["ssl"]["ca_certs"])
            master = fleet[0](transport=transport, log_level="warning", **more, **turns.settings)
            turns.begin()
            known[transport] = master, turns, client
        return known[transport]

    return of


def dial(port, client):
    peer = socket.create_connection(("127.0.0.1", port), DEADLINE)
    return peer if client is None else client.wrap_socket(peer, server_hostname="127.0.0.1")


def tell(peer, data):
    """Send, unless the master has closed the connection."""
    with contextlib.suppress(OSError):
        peer.sendall(data)


@contextlib.contextmanager
def standing_still(master):
    """Stop a master temporarily, so that it receives everything at the same moment."""
    master.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        master.send_signal(signal.SIGCONT)


def assert_others_have_their_turn(watched, transport, attack):
    """Attack a master; fail if every attempt blocks its hub for too long."""
    master, turns, client = watched(transport)
    longest = []
    for _ in range(ATTEMPTS):
        before = len(turns.noted())
        attack(master, client)
        # A later reader of the port, and then a greenlet: the turn before them has been noted.
        with contextlib.closing(dial(master.ret_port, client)) as last:
            tell(last, b"no protocol at all\r\n\r\n")
            with contextlib.suppress(OSError):
                while last.recv(4096):
                    pass
        for _ in range(2):
            with contextlib.closing(UnixLink(str(master.sock_dir))) as link:
                assert link.ask({"cmd": "presence"}, timeout=DEADLINE)
        longest.append(max(turns.noted()[before:], default=(0.0, "")))
        if longest[-1][0] <= LONGEST * slowness():
            return
    seconds, where = min(longest)
    pytest.fail(f"{seconds:.3f} s each time, then in\n{where}")


@pytest.mark.parametrize(("transport", "name"), FLOODS)
def test_small_frames_of_many_peers_are_read_in_turns(watched, transport, name):
    first, floods, _ = STREAMS[transport]
    flood = floods[name] * (ONE_READ // len(floods[name]))

    def attack(master, client):
        with contextlib.ExitStack() as peers:
            dialled = [
                peers.enter_context(contextlib.closing(dial(master.publish_port, client)))
                for _ in range(PEERS)
            ]
            for peer in dialled:
                tell(peer, first)
            with standing_still(master):
                for peer in dialled:
                    tell(peer, flood)

    assert_others_have_their_turn(watched, transport, attack)


@pytest.mark.parametrize("transport", STREAMS)
def test_a_giant_message_is_not_handled_at_once(watched, transport):
    first, _, giant = STREAMS[transport]

    def attack(master, client):
        with contextlib.closing(dial(master.ret_port, client)) as peer:
            tell(peer, first.replace(b"SUB", b"REQ"))
            tell(peer, giant)
            for _ in range(GIANT // MIB):
                tell(peer, b"x" * MIB)

    assert_others_have_their_turn(watched, transport, attack)


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_handshakes_of_tls_are_made_in_turns(watched, transport):
    def attack(master, client):
        hellos = []
        with contextlib.ExitStack() as peers:
            for _ in range(PEERS):
                peer = socket.create_connection(("127.0.0.1", master.ret_port), DEADLINE)
                peers.enter_context(contextlib.closing(peer))
                received, output = ssl.MemoryBIO(), ssl.MemoryBIO()
                tls = client.wrap_bio(received, output, server_hostname="127.0.0.1")
                with contextlib.suppress(ssl.SSLWantReadError):
                    tls.do_handshake()
                hellos.append((peer, output.read()))
            with standing_still(master):
                for peer, hello in hellos:
                    tell(peer, hello)
            for peer, _ in hellos:
                assert peer.recv(1)

    assert_others_have_their_turn(watched, transport, attack)
