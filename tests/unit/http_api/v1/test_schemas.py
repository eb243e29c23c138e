"""Schemas of answers."""

import jsonschema
import pytest

from salt_g.http_api.v1.schemas import COUNT, TEXT, maybe, obj, page


def test_a_map_has_its_names_and_no_others():
    schema = obj({"a": TEXT}, b=COUNT)
    jsonschema.validate({"a": "x"}, schema)
    for data in ({}, {"a": 1}, {"a": "x", "c": 1}, {"a": "x", "b": -1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, schema)


def test_a_page_ends_with_null():
    jsonschema.validate({"items": ["x"], "next": None}, page(TEXT))
    jsonschema.validate(None, maybe(TEXT))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"items": []}, page(TEXT))
