"""Requests for handlers of /v1."""

import pytest

from salt_g.http_api.v1.route import Called
from salt_g.http_api.v1.table import ROUTES


@pytest.fixture
def call(parts, session, make_request):
    """Return a function that calls a handler: `call("GET", "/minions", {"limit": "5"}, data)`."""

    def run(method, path, query=None, data=None, headers=None):
        for route in ROUTES:
            found = route.pattern.fullmatch(path)
            if route.method == method and found:
                request = make_request(method, f"/v1{path}", headers=headers or {})
                names = found.groupdict()
                called = Called(parts, request, names, route.read_query(query or {}), data, session[1])
                return route.handler(called)
        raise LookupError(path)

    return run
