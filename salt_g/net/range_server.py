"""Queries to a range server, which expands an expression (`%web`, `web1..20`) to host names.

The protocol is HTTP: `/range/list?EXPRESSION` answers with one name on each line; the header `RangeException`
reports an error in the expression.
Units: seconds, bytes. Bounds: 16 MiB for an answer; 64 answers are cached, each for at most ten seconds,
because a target is evaluated for each minion.
Errors: OSError for a server that cannot be reached; ValueError for an expression that it refuses.
"""

from __future__ import annotations

import functools
import time
from urllib.parse import quote

#: Time limit of a connection and of each read (s).
TIMEOUT = 10.0
#: Maximum size of a response (bytes).
_LONGEST = 16 * 2**20
#: Default port.
_PORT = 80
#: Lifetime of a cached response (s).
_LIFETIME = 10.0


def expand(server: str, expression: str) -> tuple[str, ...]:
    """Return the host names that the server `HOST[:PORT]` has for an expression, in the server's order."""
    return _answer(server, expression, int(time.monotonic() / _LIFETIME))


@functools.lru_cache(maxsize=64)
def _answer(server: str, expression: str, _slot: int) -> tuple[str, ...]:
    import http.client  # Imported lazily: few targets need it, and it brings TLS along.

    connection = http.client.HTTPConnection(*_address(server), timeout=TIMEOUT)
    try:
        connection.request("GET", f"/range/list?{quote(expression, safe='')}")
        answer = connection.getresponse()
        text = answer.read(_LONGEST + 1)
    except (http.client.HTTPException, OSError) as exc:
        raise OSError(f"the range server {server} (range_server) does not answer: {exc}") from exc
    finally:
        connection.close()
    refusal = answer.getheader("RangeException")
    if refusal:
        raise ValueError(f"the range server {server} refuses {expression!r}: {refusal}")
    if answer.status != http.client.OK or len(text) > _LONGEST:
        raise OSError(f"the range server {server} answers {expression!r} with HTTP {answer.status}")
    return tuple(text.decode("utf-8", "replace").split())


def _address(server: str) -> tuple[str, int]:
    host, found, port = server.rpartition(":")
    if not found or not port.isdigit() or port.endswith("]"):
        return server.strip("[]"), _PORT
    return host.strip("[]"), int(port)
