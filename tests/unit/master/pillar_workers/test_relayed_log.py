"""Log records of a pillar worker in its master's log."""

import logging
import socket

import pytest

from salt_g.master.pillar_workers.relayed_log import LONGEST, Relay, write_here


def test_a_record_arrives_with_its_text_place_and_traceback(caplog):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    relay = Relay(theirs.fileno())
    with ours, theirs:
        try:
            raise KeyError("missing")
        except KeyError as exc:
            info = (type(exc), exc, exc.__traceback__)
        relay.handle(logging.LogRecord("a.b", logging.ERROR, __file__, 7, "%s %%", ("x",), info))
        relay.handle(logging.LogRecord("a.b", logging.ERROR, __file__, 8, "y" * 10 * LONGEST, (), None))
        for _ in range(2):
            write_here(ours.recv(1 << 20))

    first, second = caplog.records
    assert (first.name, first.levelname, first.lineno, first.getMessage()) == ("a.b", "ERROR", 7, "x %")
    assert "KeyError: 'missing'" in first.exc_text
    assert len(second.getMessage()) == LONGEST


@pytest.mark.parametrize("message", [b"", b"[]", b"{}", b'{"name": 1}'])
def test_anything_else_is_refused(message):
    with pytest.raises(ValueError, match=r"."):
        write_here(message)
