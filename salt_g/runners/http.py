"""Ask web servers from the master, for orchestration and reactions."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, own_arguments


def query(url: str, output: bool = True, **kwargs: Any) -> Any:
    """Send a request and return what came back; the arguments are those of `http.query`.

    `output` and `node`, which stock has, change nothing.

    Example::

        salt-g run http.query https://www.example.com/ method=POST params='key1=val1&key2=val2'
    """
    given = own_arguments(kwargs)
    given.pop("node", None)
    return call("http.query", url, **given)
