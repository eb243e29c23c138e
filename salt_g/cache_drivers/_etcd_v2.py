"""Banks and keys as directories and nodes in etcd's API version 2, in stock's layout.

Shapes: `PREFIX/<bank>/<key>` has a value, MessagePack in Base64, and `PREFIX/<bank>/<key>.tstamp` the time of
its storage (s since 1970), a decimal number. `etcd.path_prefix` (default: `/salt_cache`) and
`etcd.timestamp_suffix` change these names.
Errors: SaltCacheError with the server's message.
"""

from __future__ import annotations

import base64
import binascii
import urllib.parse
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.cache_drivers._etcd_server import Server
from salt_g.shapes import Opts
from salt_g.stock_errors import SaltCacheError

#: Status of the answer for a node that does not exist.
_MISSING = 404


class Nodes:
    """Values on one server by bank and key."""

    def __init__(self, server: Server, opts: Opts) -> None:
        self._server = server
        self._prefix = str(opts.get("etcd.path_prefix") or "/salt_cache").strip("/")
        self._suffix = str(opts.get("etcd.timestamp_suffix") or ".tstamp")
        self._headers = _login(opts)

    def store(self, bank: str, key: str, value: bytes, stamp: int) -> None:
        """Store a value and its time."""
        for name, text in ((key, base64.b64encode(value).decode()), (key + self._suffix, str(stamp))):
            self._ask("PUT", self._target(bank, name), urllib.parse.urlencode({"value": text}))

    def fetch(self, bank: str, key: str) -> bytes | None:
        """Return a value, None if there is none."""
        return _content(self._node(bank, key))

    def stamp(self, bank: str, key: str) -> Any:
        """Return the stored time of a value, unparsed; None if there is none."""
        return (self._node(bank, key + self._suffix) or {}).get("value")

    def stamps(self, bank: str) -> dict[str, Any]:
        """Return the stored times of all values of a bank, unparsed. The server also sends the values."""
        found = ((name, node.get("value")) for name, node in self._below(bank))
        return {name.removesuffix(self._suffix): time for name, time in found if name.endswith(self._suffix)}

    def names(self, bank: str) -> set[str]:
        """Return the keys of a bank and the names of its direct sub-banks."""
        return {name for name, _ in self._below(bank) if not name.endswith(self._suffix)}

    def has(self, bank: str, key: str | None) -> bool:
        """Return whether a value exists, or whether a bank is not empty."""
        node = self._node(bank, key or "") or {}
        # A directory stays when its last node is removed.
        return bool(node.get("nodes")) if key is None else "value" in node

    def remove(self, bank: str, key: str | None) -> None:
        """Remove a value and its time, or a bank with all banks below it."""
        if key is None:
            self._ask("DELETE", self._target(bank, "") + "?recursive=true")
            return
        for name in (key, key + self._suffix):
            self._ask("DELETE", self._target(bank, name))

    def _below(self, bank: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        node = self._node(bank, "") or {}
        for child in node.get("nodes") or ():
            yield str(child.get("key")).rpartition("/")[2], child

    def _node(self, bank: str, key: str) -> Mapping[str, Any] | None:
        answer = self._ask("GET", self._target(bank, key))
        node = None if answer is None else answer.get("node")
        return node if isinstance(node, Mapping) else None

    def _target(self, bank: str, key: str) -> str:
        path = "/".join(part for part in (self._prefix, bank.strip("/"), key) if part)
        return f"/v2/keys/{urllib.parse.quote(path)}"

    def _ask(self, method: str, target: str, form: str | None = None) -> dict[str, Any] | None:
        """Return the server's answer, None for a node that does not exist."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if form is not None else {}
        answer = self._server.ask(method, target, form, {**self._headers, **headers})
        return None if answer.status == _MISSING else self._server.read(answer)


def _login(opts: Opts) -> dict[str, str]:
    if not opts.get("etcd.username"):
        return {}
    words = f"{opts['etcd.username']}:{opts.get('etcd.password') or ''}".encode()
    return {"Authorization": f"Basic {base64.b64encode(words).decode()}"}


def _content(node: Mapping[str, Any] | None) -> bytes | None:
    if node is None or not isinstance(value := node.get("value"), str):
        return None
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise SaltCacheError(f"etcd: the value of {node.get('key')} is not Base64: {exc}") from exc
