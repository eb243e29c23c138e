"""Answers to peers whose requests fail."""

import gevent
import pytest

from salt_g.errors import WireError
from salt_g.transport.protocols import Arrival, Postponed, Unanswered
from salt_g.transport.request_guard import FAULT, answer
from salt_g.wire.packing import unpack

ARRIVAL = Arrival(b"payload", "192.0.2.1")


def failing(error):
    def handler(arrival):
        raise error

    return handler


def test_an_answer_passes_unchanged():
    assert answer(lambda arrival: arrival.payload + b"!", ARRIVAL) == b"payload!"


def test_a_wire_error_says_what_the_peer_may_know(caplog):
    reply = answer(failing(WireError("secret detail", answer={"msg": "bad load"})), ARRIVAL)

    assert unpack(reply) == {"msg": "bad load"}
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("error", [Unanswered("later"), Postponed("the disk is full")])
def test_an_error_without_an_answer_is_not_answered(error):
    assert answer(failing(error), ARRIVAL) is None


@pytest.mark.parametrize("error", [ValueError("secret"), SystemExit(1), gevent.Timeout(5), RecursionError()])
def test_any_other_error_ends_this_request_only_and_is_logged(error, caplog):
    assert unpack(answer(failing(error), ARRIVAL)) == FAULT
    assert "192.0.2.1: a message of 7 bytes was not served" in caplog.text


@pytest.mark.parametrize("error", [KeyboardInterrupt(), gevent.GreenletExit()])
def test_the_end_of_the_process_and_of_a_greenlet_pass(error):
    with pytest.raises(type(error)):
        answer(failing(error), ARRIVAL)
