"""Bodies with known fields."""

import jsonschema
import pytest

from salt_g.http_api.messages import Refusal
from salt_g.http_api.v1.bodies import checked, schema_of

FIELDS = {"tgt": ((str, list), True), "uses": ((int,), False)}


def test_known_fields_are_taken():
    assert checked({"tgt": ["m1"], "uses": 1}, FIELDS) == {"tgt": ["m1"], "uses": 1}
    jsonschema.validate({"tgt": "m1"}, schema_of(FIELDS))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"tgt": 1},
        {"tgt": ""},
        {"tgt": []},
        {"tgt": "m1", "uses": True},
        {"tgt": "m1", "client": "ssh"},
    ],
)
def test_others_are_refused_as_the_schema_does(data):
    with pytest.raises(Refusal) as refusal:
        checked(data, FIELDS)
    assert refusal.value.status == 400
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, schema_of(FIELDS))
