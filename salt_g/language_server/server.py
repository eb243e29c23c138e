"""Main loop of the server: it handles messages, and lints in steps while there are none.

One thread is enough: a step takes milliseconds, so no answer is delayed by more than that.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

from salt_g.language_server.framing import Malformed, RpcMessageReader, framed
from salt_g.language_server.session import EditorSession, MakeProject

#: Maximum number of bytes per read.
_CHUNK = 64 * 1024
#: Exit code if the input ended without an `exit` message.
_CUT_OFF = 1


def serve(make_project: MakeProject, source: int, sink: int) -> int:
    """Serve an editor on two file descriptors until `exit` or the end of input; return the exit code."""
    session = EditorSession(make_project, lambda body: _write(sink, framed(body)))
    reader = RpcMessageReader()
    while session.exit_code is None:
        readable, _, _ = select.select([source], [], [], session.wait())
        if not readable:
            session.work()
            continue
        data = os.read(source, _CHUNK)
        if not data:
            return _CUT_OFF
        for message in _until_exit(session, reader.feed(data)):
            if isinstance(message, Malformed):
                session.refuse(message.reason)
            else:
                session.receive(message)
    return session.exit_code


def _until_exit(session: EditorSession, messages: Iterator[bytes | Malformed]) -> Iterator[bytes | Malformed]:
    for message in messages:
        if session.exit_code is not None:
            return
        yield message


def _write(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]
