"""OpenAPI document for a table of routes.

Source: OpenAPI Specification 3.1.
"""

from __future__ import annotations

import http
from collections.abc import Iterable
from typing import Any

import salt_g
from salt_g.http_api.v1.route import V1Route
from salt_g.http_api.v1.schemas import COMPONENTS, ref

#: Error statuses of every route, of routes that need a login, and of routes with a body.
_ALWAYS, _WITH_LOGIN, _WITH_BODY = (400, 406, 429, 431, 500, 503), (401, 403, 504), (408, 413, 415)


def document(routes: Iterable[V1Route]) -> dict[str, Any]:
    """Return the OpenAPI document for some routes."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(f"/v1{route.path}", {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "salt-g", "version": salt_g.__version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": COMPONENTS,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "token": {"type": "apiKey", "in": "header", "name": "X-Auth-Token"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session_id"},
            },
        },
    }


def _operation(route: V1Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": route.about,
        "description": f"Right: {route.right}.",
        "parameters": [*_names(route), *_query(route)],
        "responses": _responses(route),
        "security": [] if route.is_open else [{"bearer": []}, {"token": []}, {"cookie": []}],
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": route.body}},
        }
    return operation


def _responses(route: V1Route) -> dict[str, Any]:
    good = {str(route.status): {"description": "done", "content": {route.kind: {"schema": route.answer}}}}
    more = (*(() if route.is_open else _WITH_LOGIN), *(() if route.body is None else _WITH_BODY))
    statuses = sorted({*_ALWAYS, *more, *route.refuses})
    problem = {"application/json": {"schema": ref("Problem")}}
    refusals = {
        str(status): {"description": http.HTTPStatus(status).phrase, "content": problem}
        for status in statuses
    }
    return {**good, **refusals}


def _names(route: V1Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in route.names
    ]


def _query(route: V1Route) -> list[dict[str, Any]]:
    return [
        {
            **{"name": one.name, "in": "query", "description": one.about, "schema": one.schema},
            **({"required": True} if one.is_needed else {}),
        }
        for one in route.takes
    ]
