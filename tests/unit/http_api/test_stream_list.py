"""Open streams by session."""

from salt_g.http_api.stream_list import StreamList


class Stream:
    is_closed = False

    def close(self):
        self.is_closed = True


def test_the_end_of_a_session_ends_its_streams_alone():
    streams = StreamList()
    first, second = Stream(), Stream()

    with streams.holding("a", first), streams.holding("b", second):
        assert len(streams) == 2
        streams.end("a")
        assert (first.is_closed, second.is_closed) == (True, False)
        streams.end_all()

    assert second.is_closed
    assert len(streams) == 0
    streams.end("a")
