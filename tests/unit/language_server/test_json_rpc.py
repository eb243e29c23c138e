"""JSON-RPC."""

import json

import pytest

from salt_g.language_server import json_rpc
from salt_g.language_server.json_rpc import RpcCall, RpcError, parsed


def body(**message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def test_requests_and_notifications():
    assert parsed(body(id=1, method="a", params={"b": 1})) == RpcCall("a", {"b": 1}, 1)
    assert parsed(body(method="a")) == RpcCall("a", {}, None)
    assert parsed(body(id="x", method="a", params=None)).id == "x"


def test_a_response_is_no_call():
    assert parsed(body(id=1, result=None)) is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", json_rpc.PARSE_ERROR),
        (b"\xff", json_rpc.PARSE_ERROR),
        (b"[" * 100_000, json_rpc.PARSE_ERROR),
        (b"[]", json_rpc.INVALID_REQUEST),
        (b'{"method": "a"}', json_rpc.INVALID_REQUEST),
        (body(method=1), json_rpc.INVALID_REQUEST),
        (body(id=True, method="a"), json_rpc.INVALID_REQUEST),
        (body(id=[], method="a"), json_rpc.INVALID_REQUEST),
        (body(id=1, method="a", params=[1]), json_rpc.INVALID_PARAMS),
        (b'{"a":' * 65 + b"1" + b"}" * 65, json_rpc.INVALID_REQUEST),
    ],
)
def test_errors_have_their_codes(data, code):
    with pytest.raises(RpcError) as failed:
        parsed(data)

    assert failed.value.code == code


def test_a_message_of_the_deepest_allowed_nesting_is_read():
    deep = {}
    for _ in range(json_rpc.MAX_DEPTH - 2):
        deep = {"a": deep}

    assert parsed(body(method="a", params=deep)).method == "a"


def test_answers_are_ascii_also_with_bytes_that_are_no_text():
    assert json.loads(json_rpc.result(1, "é\udce4")) == {"jsonrpc": "2.0", "id": 1, "result": "é\udce4"}
    assert parsed(json_rpc.request("x", "a", {})) == RpcCall("a", {}, "x")
    assert json.loads(json_rpc.error(None, -32700, "x"))["error"] == {"code": -32700, "message": "x"}
    assert json.loads(json_rpc.notification("a", {"b": 1})) == {
        "jsonrpc": "2.0",
        "method": "a",
        "params": {"b": 1},
    }
