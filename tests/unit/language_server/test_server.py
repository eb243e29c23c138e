"""The server loop, on pipes."""

import os
import threading

import pytest

from salt_g.language_server.framing import framed
from salt_g.language_server.server import serve


@pytest.fixture
def run():
    """Return a function that sends these bytes and EOF to a server, and returns (exit code, responses)."""

    def call(*chunks):
        source, to_source = os.pipe()
        from_sink, sink = os.pipe()
        ended = []
        thread = threading.Thread(
            target=lambda: ended.append(serve(lambda options, folder: None, source, sink))
        )
        thread.start()
        for chunk in chunks:
            os.write(to_source, chunk)
        os.close(to_source)
        thread.join(60)
        os.close(sink)
        with open(from_sink, "rb") as answers:
            text = answers.read()
        os.close(source)
        return ended[0], text

    return call


def test_the_end_of_the_input_is_a_failure(run):
    assert run() == (1, b"")


def test_exit_ends_it_and_nothing_behind_it_is_read(run):
    code, text = run(framed(b'{"jsonrpc": "2.0", "method": "exit"}') + framed(b"{"))

    assert (code, text) == (1, b"")


def test_a_malformed_message_is_answered(run):
    code, text = run(b"Content-Length: x\r\n\r\n", framed(b"{"))

    assert code == 1
    assert text.count(b'"code":-32700') == 2
