"""Splitting of a stream into messages."""

import pytest

from salt_g.language_server.framing import MAX_BODY, MAX_HEADERS, Malformed, RpcMessageReader, framed


def read(*chunks):
    reader = RpcMessageReader()
    return [found for chunk in chunks for found in reader.feed(chunk)]


def test_messages_may_come_in_any_pieces():
    stream = framed(b"{}") + framed(b"[1]")

    assert read(stream) == [b"{}", b"[1]"]
    assert read(*(stream[at : at + 1] for at in range(len(stream)))) == [b"{}", b"[1]"]


def test_other_headers_and_other_cases_are_fine():
    assert read(b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}") == [b"{}"]


@pytest.mark.parametrize(
    "headers",
    [b"Content-Length: -1", b"Content-Length: 1x", b"Content-Length: 1\r\nContent-Length: 2", b"X: 1", b""],
)
def test_a_message_without_a_length_is_malformed_and_the_next_one_is_read(headers):
    found = read(headers + b"\r\n\r\n" + framed(b"{}"))

    assert isinstance(found[0], Malformed)
    assert found[1:] == [b"{}"]


def test_endless_headers_are_dropped_up_to_the_next_message():
    found = read(b"x" * MAX_HEADERS, b"y" * 10 + framed(b"{}"))

    assert [type(one) for one in found[:1]] == [Malformed]
    assert found[-1] == b"{}" or isinstance(found[-1], Malformed)


def test_a_body_that_is_too_long_is_skipped_without_being_kept():
    reader = RpcMessageReader()
    (problem,) = reader.feed(b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 5))
    for _ in range(MAX_BODY // 65536):
        assert list(reader.feed(b"x" * 65536)) == []
        assert len(reader._buffer) < 100

    assert list(reader.feed(b"x" * 5 + framed(b"{}"))) == [b"{}"]
    assert "exceeds the limit" in problem.reason


@pytest.mark.parametrize("wrong", [-1, 1, 3, 10, 30, 60, 500, MAX_BODY - 1, 999_999_999_999])
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_a_wrong_length_costs_only_the_messages_that_it_covers(wrong, piece):
    body = b'{"a": "b"}'
    first = framed(body).replace(b": 10", b": %d" % (len(body) + wrong))
    stream = first + framed(body) * 3

    found = read(*(stream[at : at + piece] for at in range(0, len(stream), piece)))

    assert any(isinstance(one, Malformed) for one in found)
    assert found[-1] == body


def test_a_body_may_have_ends_of_lines_and_name_the_header():
    body = b'{\r\n\r\n"a": "Content-Length: 5\\r\\n\\r\\n"\r\n}'

    for piece in (1, 5, 1000):
        stream = framed(body) * 2
        assert read(*(stream[at : at + piece] for at in range(0, len(stream), piece))) == [body, body]
