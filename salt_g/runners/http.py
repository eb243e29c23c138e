"""HTTP requests from the master, for orchestration and reactions."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, own_arguments


def query(url: str, output: bool = True, **kwargs: Any) -> Any:
    """Send a request and return the response; the arguments are those of `http.query`.

    `output` and `node` are accepted for compatibility with stock and ignored.

    Example::

        salt-g run http.query https://www.example.com/ method=POST params='key1=val1&key2=val2'
    """
    given = own_arguments(kwargs)
    given.pop("node", None)
    return call("http.query", url, **given)
