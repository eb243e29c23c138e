"""Responses of /v1 validated against the OpenAPI document that the same API serves."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any

import jsonschema

from tests.support.api_client import ApiClient


class Schema:
    """The OpenAPI document of an API; `check(method, path, status, headers, body)` fails on others."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.checked: set[tuple[str, str, int]] = set()
        self._patterns = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+?", re.escape(path))), path)
            for path in document["paths"]
        ]

    def check(self, method: str, target: str, status: int, kind: str, body: bytes) -> Any:
        """Validate a response; return its data."""
        path = urllib.parse.unquote(target.partition("?")[0])
        operation = self.operation(method, path)
        responses = operation["responses"]
        assert str(status) in responses, (method, path, status, body[:500])
        content = responses[str(status)]["content"]
        assert kind.partition(";")[0] in content, (kind, content)
        if not kind.startswith("application/json"):
            return body
        data = json.loads(body)
        schema = {**content["application/json"]["schema"], "components": self.document["components"]}
        jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)
        self.checked.add((method, path, status))
        return data

    def operation(self, method: str, path: str) -> Mapping[str, Any]:
        """Return the operation of a path; one without parameters has precedence."""
        found = [name for pattern, name in self._patterns if pattern.fullmatch(path)]
        for name in sorted(found, key=lambda name: name.count("{")):
            operation: Mapping[str, Any] | None = self.document["paths"][name].get(method.lower())
            if operation is not None:
                return operation
        raise AssertionError(f"the document has no {method} {path}")


class V1Client:
    """Client of /v1 that validates every response; `call` returns (status, data)."""

    def __init__(self, client: ApiClient, schema: Schema | None = None) -> None:
        self.client = client
        if schema is None:
            schema = Schema(client.get("/v1/openapi.json").data)
        self.schema = schema

    def call(self, method: str, path: str, data: Any = None, **headers: str) -> tuple[int, Any]:
        if data is not None:
            headers.setdefault("Content_Type", "application/json")
        body = None if data is None else json.dumps(data)
        answer = self.client.send(method, f"/v1{path}", body, **headers)
        kind = answer.headers["content-type"]
        return answer.status, self.schema.check(method, f"/v1{path}", answer.status, kind, answer.body)

    def get(self, path: str, **headers: str) -> Any:
        """Return the data of a successful response."""
        status, data = self.call("GET", path, **headers)
        assert status == 200, data
        return data

    def as_user(self, user: str) -> V1Client:
        return V1Client(self.client.logged_in(user), self.schema)
