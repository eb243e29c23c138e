"""The table of routes."""

import json

import jsonschema
import pytest

from salt_g.http_api.v1.openapi import document
from salt_g.http_api.v1.table import ROUTES


def test_no_two_routes_are_the_same():
    names = [(route.method, route.path) for route in ROUTES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_path_finds_its_own_route(route):
    plain = route.path.replace("{", "").replace("}", "")
    found = next(one for one in ROUTES if one.method == route.method and one.pattern.fullmatch(plain))
    assert found is route


def test_routes_with_a_login_name_their_right():
    assert all(route.right and route.right != "none" for route in ROUTES if not route.is_open)
    assert [route.path for route in ROUTES if route.is_open] == ["/health", "/logins"]


def test_all_references_of_the_document_lead_somewhere():
    whole = document(ROUTES)
    for word in json.dumps(whole).split('"'):
        if word.startswith("#/components/schemas/"):
            assert word.rpartition("/")[2] in whole["components"]["schemas"]
    for schema in whole["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
