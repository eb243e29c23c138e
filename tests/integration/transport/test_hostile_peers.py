"""A server that reads sign-ins, and peers that send arbitrary other data."""

import random

import pytest
import zmq.green as zmq

from salt_g.transport.request_server import RequestServer
from salt_g.transport.zeromq import endpoint
from salt_g.wire.auth_server import read_sign_in
from salt_g.wire.envelope import read_envelope, seal_clear
from salt_g.wire.packing import pack, unpack

SIGN_IN = seal_clear(
    {"cmd": "_auth", "id": "m1", "nonce": "a" * 32, "pub": "x", "autosign_grains": {"a": ["b"]}}
)


def truncated(draw):
    return SIGN_IN[: draw.randrange(len(SIGN_IN))]


def damaged(draw):
    changed = bytearray(SIGN_IN)
    changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def noise(draw):
    return draw.randbytes(draw.randrange(300))


def nested(draw):
    return bytes([draw.choice((0xDD, 0xDF, 0xDC, 0xDE, 0x91, 0x81, 0xC9))]) * draw.randrange(1, 60_000)


def sealed(draw):
    return pack(
        {
            "enc": draw.choice(["aes", "pub", 5]),
            "load": draw.randbytes(draw.randrange(200)),
            "version": draw.choice([3, 2, "x", None, 2**40]),
            "id": draw.choice(["m1", "../x", "a\0b", "a\nb", "x" * 300, 5, None]),
        }
    )


def large(draw):
    return draw.choice(
        [b"\xdd\x00\x1f\xff\xff" + b"\x80" * 0x1FFFFF, pack({"enc": "aes", "load": b"x" * 2**21})]
    )


@pytest.fixture
def ask(context, supervisor):
    """Yield a function that sends one message to a server and returns its answer."""
    server = RequestServer(
        lambda arrival: pack(read_sign_in(read_envelope(arrival.payload)).id),
        [endpoint("127.0.0.1", "*")],
        context=context,
        supervisor=supervisor,
    )
    server.start()
    peer = context.socket(zmq.REQ)
    peer.connect(server.addresses[0])

    def exchange(message):
        peer.send(message)
        return unpack(peer.recv())

    yield exchange
    peer.close(0)
    server.stop(timeout=1)


@pytest.mark.parametrize("kind", [truncated, damaged, noise, nested, sealed, large])
def test_every_message_has_an_answer_and_the_next_peer_is_served(ask, kind):
    draw = random.Random(1)

    answers = [ask(kind(draw)) for _ in range(10 if kind is large else 150)]

    known = {"m1", "bad load", "payload and load must be a dict", "Some exception handling minion payload"}
    refused = [answer for answer in answers if not isinstance(answer, str) or answer not in known]
    assert all(answer == {"msg": "bad load"} or is_algorithm(answer) or is_id(answer) for answer in refused)
    assert ask(SIGN_IN) == "m1"


def is_algorithm(answer):
    return isinstance(answer, dict) and answer.get("enc") == "clear"


def is_id(answer):
    """Return whether a response may be that to a sign-in of another id, which damage can produce."""
    return isinstance(answer, (str, bytes)) and len(answer) <= 60
