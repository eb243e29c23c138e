"""Schemas written with `salt.utils.schema` serialize as in stock 3008, whose dicts are recorded here."""

import pytest

from salt_g.compat.utils.values import schema

DRIVE = {
    "type": "object", "title": "Drive", "description": "Drive of a machine",
    "properties": {"mode": {"type": "string", "enum": ["x", "y"]}, "size": {"type": "integer", "default": 3}},
    "required": ["mode"],
}  # fmt: skip


class Drive(schema.ComplexSchemaItem):
    title = "A drive"
    description = "Drive of a machine"
    mode = schema.StringItem(required=True, enum=("x", "y"))
    size = schema.IntegerItem(default=3)


class Address(schema.Schema):
    title = "Address"
    host = schema.StringItem(title="Host", required=True, min_length=1, pattern="^a")
    port = schema.PortItem(default=22)
    mail = schema.EMailItem()


class Machine(schema.DefinitionsSchema):
    title = "Machine"
    drives = schema.ArrayItem(items=Drive(), min_items=1, unique_items=True, required=True)
    either = schema.AnyOfItem(items=[schema.NullItem(), Drive()])
    options = schema.DictItem(
        title="Options",
        properties={"a": schema.StringItem(required=True)},
        pattern_properties={"^x": schema.IntegerItem()},
        additional_properties=False,
        max_properties=4,
    )
    address = Address()


def test_a_schema_has_its_items_in_order():
    assert Address.serialize() == {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": "Address",
        "type": "object",
        "properties": {
            "host": {"type": "string", "title": "Host", "minLength": 1, "pattern": "^a"},
            "port": {"type": "integer", "title": "port", "default": 22, "minimum": 0, "maximum": 65535},
            "mail": {"type": "string", "title": "mail", "format": "email"},
        },
        "required": ["host"],
        "x-ordering": ["host", "port", "mail"],
        "additionalProperties": False,
    }


def test_complex_items_are_definitions():
    found = Machine.serialize("machine")

    assert found["id"] == "https://non-existing.saltstack.com/schemas/machine.json#"
    assert found["definitions"] == {"Drive": DRIVE}
    assert found["required"] == ["drives"]
    assert found["properties"]["drives"] == {
        "type": "array", "title": "drives", "items": {"$ref": "#/definitions/Drive"}, "minItems": 1,
        "uniqueItems": True,
    }  # fmt: skip
    assert found["properties"]["either"] == {"anyOf": [{"type": "null"}, {"$ref": "#/definitions/Drive"}]}
    assert found["properties"]["options"] == {
        "type": "object", "title": "Options", "properties": {"a": {"type": "string"}}, "required": ["a"],
        "patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False, "maxProperties": 4,
    }  # fmt: skip
    assert found["properties"]["address"] == {
        "id": "https://non-existing.saltstack.com/schemas/address.json#",
        **{name: value for name, value in Address.serialize().items() if name != "$schema"},
    }


def test_a_schema_inherits_items_and_has_defaults():
    class More(Address):
        extra = schema.BooleanItem(default=False)

    assert More.serialize()["x-ordering"] == ["host", "port", "mail", "extra"]
    assert (More.defaults(), Machine.defaults()) == ({"port": 22, "extra": False}, {"address": {"port": 22}})
    assert More.as_requirements_item().serialize() == {"required": ["host", "port", "mail", "extra"]}


def test_other_items_are_written_as_in_json_schema():
    no_null = schema.AllOfItem(items=[schema.StringItem(), schema.NotItem(item=schema.NullItem())])
    number = schema.NumberItem(minimum=1, exclusive_minimum=True, multiple_of=0.5)
    places = schema.ArrayItem(items=[schema.StringItem(), schema.IntegerItem()], additional_items=False)

    assert no_null.serialize() == {"allOf": [{"type": "string"}, {"not": {"type": "null"}}]}
    assert number.serialize() == {"type": "number", "minimum": 1, "exclusiveMinimum": True, "multipleOf": 0.5}
    assert places.serialize() == {
        "type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": False,
    }  # fmt: skip
    assert schema.RequirementsItem(requirements=["a"]).serialize() == {"required": ["a"]}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: schema.OneOfItem(items=[]),
        lambda: schema.ArrayItem(items=1),
        lambda: schema.ArrayItem(),
        lambda: schema.DictItem(),
        lambda: schema.DictItem(properties={"a": 1}),
        lambda: schema.StringItem(enum="x"),
        lambda: schema.StringItem(enum=["a"], enumNames=["A", "B"]),
        lambda: schema.NotItem(item=1),
    ],
)
def test_arguments_without_a_schema_are_refused(wrong):
    with pytest.raises(RuntimeError):
        wrong()
