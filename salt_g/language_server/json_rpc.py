"""JSON-RPC 2.0: parser of requests and notifications, writer of responses, requests and notifications.

Errors: RpcError, whose code and text are sent to the other side.
Source: JSON-RPC 2.0, sections 4 and 5; Language Server Protocol 3.17, "Error codes".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import SaltGError

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803

#: Maximum nesting of a message; the protocol itself needs fewer than ten levels.
MAX_DEPTH = 64


class RpcError(SaltGError):
    """Error that is reported to the other side, with its code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class RpcCall(NamedTuple):
    """A request, or a notification (`id` is None)."""

    method: str
    params: Mapping[str, Any]
    id: int | str | None


def parsed(body: bytes) -> RpcCall | None:
    """Parse a message; return None for a response, raise RpcError for an invalid message."""
    message = _decoded(body)
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a message must be one JSON object")
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a message needs "jsonrpc": "2.0"')
    if "method" not in message and ("result" in message or "error" in message):
        return None
    method, id = message.get("method"), message.get("id")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "the method of a message must be a string")
    if isinstance(id, bool) or not isinstance(id, (int, str, type(None))):
        raise RpcError(INVALID_REQUEST, "the id of a request must be a number or a string")
    params = message.get("params")
    if params is not None and not isinstance(params, dict):
        raise AnswerableError(id, INVALID_PARAMS, "params must be an object")
    return RpcCall(method, params or {}, id)


class AnswerableError(RpcError):
    """Error in a request whose id is known, so that it can be answered."""

    def __init__(self, id: int | str | None, code: int, message: str) -> None:
        super().__init__(code, message)
        self.id = id


def result(id: int | str | None, value: Any) -> bytes:
    """Return the body of a response."""
    return _encoded({"jsonrpc": "2.0", "id": id, "result": value})


def error(id: int | str | None, code: int, message: str) -> bytes:
    """Return the body of an error response."""
    return _encoded({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def notification(method: str, params: Mapping[str, Any]) -> bytes:
    """Return the body of a notification."""
    return _encoded({"jsonrpc": "2.0", "method": method, "params": params})


def request(id: str, method: str, params: Mapping[str, Any]) -> bytes:
    """Return the body of a request."""
    return _encoded({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def _encoded(message: Mapping[str, Any]) -> bytes:
    # ASCII JSON can also represent lone surrogates, which come from files in other encodings.
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def _decoded(body: bytes) -> Any:
    try:
        message = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        reason = "it is nested too deeply" if isinstance(exc, RecursionError) else str(exc)
        raise RpcError(PARSE_ERROR, f"a message is not JSON: {reason}") from exc
    if _is_deeper(message, MAX_DEPTH):
        raise RpcError(INVALID_REQUEST, f"a message is nested deeper than {MAX_DEPTH} levels")
    return message


def _is_deeper(value: Any, depth: int) -> bool:
    """Return whether lists and objects are nested deeper than `depth` levels."""
    level = _containers([value])
    for _ in range(depth):
        level = [item for container in level for item in _containers(container)]
    return bool(level)


def _containers(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, (dict, list))]
