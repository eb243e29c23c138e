"""Open event streams by session, so that the end of a session ends them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from salt_g.http_api.event_streams import EventStream


class StreamList:
    """Streams of all sessions."""

    def __init__(self) -> None:
        self._open: dict[str, set[EventStream]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def holding(self, session: str, stream: EventStream) -> Iterator[None]:
        """Keep a stream in the list during the block."""
        self._open.setdefault(session, set()).add(stream)
        try:
            yield
        finally:
            self._open[session].discard(stream)
            if not self._open[session]:
                del self._open[session]

    def end(self, session: str) -> None:
        """End the streams of a session."""
        for stream in self._open.get(session, ()):
            stream.close()

    def end_all(self) -> None:
        """End all streams."""
        for session in list(self._open):
            self.end(session)
