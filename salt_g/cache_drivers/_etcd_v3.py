"""Banks and keys in etcd's API version 3, through its HTTP gateway.

Shapes: `PREFIX/<bank>/<key>` has a value in MessagePack, `PREFIX.tstamp/<bank>/<key>` the time of its storage
(s since 1970), a decimal number. `etcd.path_prefix` (default: `/salt_cache`) and `etcd.timestamp_suffix`
change these names. Stock has no layout for this API version.
Errors: SaltCacheError with the server's message.
Source: etcd's documentation, "gRPC gateway".
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.cache_drivers._etcd_server import Server
from salt_g.shapes import Opts
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import AFTER_SIGN_IN

#: Maximum number of keys in one answer.
_PAGE = 1000
#: Status of an answer to a token that the server no longer knows.
_UNKNOWN_TOKEN = 401


class Ranges:
    """Values on one server by bank and key."""

    def __init__(self, server: Server, opts: Opts) -> None:
        self._server = server
        prefix = "/" + str(opts.get("etcd.path_prefix") or "/salt_cache").strip("/")
        self._values = prefix
        self._stamps = prefix + str(opts.get("etcd.timestamp_suffix") or ".tstamp")
        self._user = opts.get("etcd.username")
        self._password = opts.get("etcd.password")
        self._token = ""

    def store(self, bank: str, key: str, value: bytes, stamp: int) -> None:
        """Store a value and its time in one transaction."""
        pairs = ((self._values, value), (self._stamps, str(stamp).encode()))
        puts = [
            {"request_put": {"key": _coded(_path(top, bank, key)), "value": _coded(content)}}
            for top, content in pairs
        ]
        self._ask("kv/txn", {"success": puts})

    def fetch(self, bank: str, key: str) -> bytes | None:
        """Return a value, None if there is none."""
        return self._get(_path(self._values, bank, key))

    def stamp(self, bank: str, key: str) -> bytes | None:
        """Return the stored time of a value, unparsed; None if there is none."""
        return self._get(_path(self._stamps, bank, key))

    def stamps(self, bank: str) -> dict[str, bytes]:
        """Return the stored times of all values of a bank, unparsed; sub-banks are not included."""
        below = self._below(_path(self._stamps, bank, ""), keys_only=False)
        return {name: value for name, value in below if "/" not in name}

    def names(self, bank: str) -> set[str]:
        """Return the keys of a bank and the names of its direct sub-banks."""
        return {name.partition("/")[0] for name, _ in self._below(_path(self._values, bank, ""))}

    def has(self, bank: str, key: str | None) -> bool:
        """Return whether a value exists, or whether a bank is not empty."""
        path = _path(self._values, bank, key or "")
        span = {"range_end": _coded(_behind(path))} if key is None else {}
        found = self._ask("kv/range", {"key": _coded(path), **span, "limit": 1, "keys_only": True})
        return bool(found.get("kvs"))

    def remove(self, bank: str, key: str | None) -> None:
        """Remove a value and its time, or a bank with all banks below it."""
        paths = [_path(top, bank, key or "") for top in (self._values, self._stamps)]
        spans = [{"range_end": _coded(_behind(path))} if key is None else {} for path in paths]
        removals = [
            {"request_delete_range": {"key": _coded(path), **span}}
            for path, span in zip(paths, spans, strict=True)
        ]
        self._ask("kv/txn", {"success": removals})

    def _get(self, path: bytes) -> bytes | None:
        found = self._ask("kv/range", {"key": _coded(path)}).get("kvs")
        return _plain(found[0].get("value")) if found else None

    def _below(self, prefix: bytes, *, keys_only: bool = True) -> Iterator[tuple[str, bytes]]:
        """Yield (rest of the path, value) of all keys with a prefix, read in pages."""
        start, count = prefix, 0
        while True:
            span = {"key": _coded(start), "range_end": _coded(_behind(prefix))}
            found = self._ask("kv/range", {**span, "limit": _PAGE, "keys_only": keys_only})
            pairs = [(_plain(pair.get("key")), _plain(pair.get("value"))) for pair in found.get("kvs") or ()]
            for path, value in pairs:
                yield path[len(prefix) :].decode("utf-8", "replace"), value
            count += len(pairs)
            if not pairs or not found.get("more"):
                return
            if count > AFTER_SIGN_IN.entries:
                raise SaltCacheError(
                    f"{self._server.place}: a bank has more than {AFTER_SIGN_IN.entries} keys"
                )
            start = pairs[-1][0] + b"\0"

    def _ask(self, what: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return the server's answer; log in first if a user is set."""
        if self._user and not self._token:
            self._log_in()
        had = self._token
        answer = self._server.ask("POST", f"/v3/{what}", json.dumps(question), self._headers())
        if answer.status == _UNKNOWN_TOKEN and had:
            # Tokens expire after some minutes without use, and when the server restarts.
            self._log_in()
            answer = self._server.ask("POST", f"/v3/{what}", json.dumps(question), self._headers())
        return self._server.read(answer)

    def _headers(self) -> dict[str, str]:
        kind = {"Content-Type": "application/json"}
        return {**kind, "Authorization": self._token} if self._token else kind

    def _log_in(self) -> None:
        question = json.dumps({"name": str(self._user), "password": str(self._password or "")})
        answer = self._server.ask("POST", "/v3/auth/authenticate", question)
        self._token = str(self._server.read(answer).get("token") or "")


def _path(top: str, bank: str, key: str) -> bytes:
    return f"{top}/{bank.strip('/')}/{key}".encode()


def _behind(prefix: bytes) -> bytes:
    """Return the exclusive upper bound of all keys with a prefix that ends in a slash."""
    return prefix[:-1] + b"0"


def _coded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _plain(coded: Any) -> bytes:
    return base64.b64decode(coded or "")
