"""Bodies of requests as data."""

import json

import pytest

from salt_g.http_api.bodies import decode
from salt_g.http_api.messages import Refusal

FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("kind", "body", "data"),
    [
        (FORM, b"a=1&b=2&b=3", {"a": "1", "b": ["2", "3"]}),
        (FORM, b"arg=1&kwarg=%7Ba%3A+2%7D", {"arg": [1], "kwarg": {"a": 2}}),
        ("", b"fun=test.ping", {"fun": "test.ping"}),
        ("application/json", b'[{"a": 1}]', [{"a": 1}]),
        ("Application/JSON; charset=utf-8", b'"x"', "x"),
        ("application/json", b"", None),
        ("application/x-yaml", b"a: [1, 2]", {"a": [1, 2]}),
        ("text/yaml", b"- a", ["a"]),
        ("text/plain", b'{"a": 1}', {"a": 1}),
        ("text/plain", b"words", "words"),
        ("text/plain; charset=ISO-8859-1", b"\xe4", "ä"),
        ("application/json", b"[" * 100 + b"]" * 100, json.loads("[" * 100 + "]" * 100)),
    ],
)
def test_a_body_is_read_by_its_type(kind, body, data):
    assert decode(kind, body) == data


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/xml", b"<a/>", 406),
        ("application/json", b"{bad", 400),
        ("application/json", b"[" * 100_000, 400),
        ("application/x-yaml", b"a: [", 400),
        ("text/plain", b"\xff\xfe", 400),
        ("application/json; charset=nope", b"1", 415),
        ("application/json; charset=punycode", b"1", 415),
        ("application/json", b"[" * 101 + b"]" * 101, 400),
        ("application/x-yaml", b"a: &a [*a]", 400),
        (FORM, b"&".join(b"a=%d" % n for n in range(1001)), 400),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(kind, body, status):
    with pytest.raises(Refusal) as refusal:
        decode(kind, body)

    assert refusal.value.status == status
