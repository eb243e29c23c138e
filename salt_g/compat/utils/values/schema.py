"""Stock's `salt.utils.schema`: JSON schemas (draft 4) written as classes.

A `Schema` has items as class attributes; `serialize` returns the schema as a dict, `defaults` the default
values. `DefinitionsSchema` puts each `ComplexSchemaItem` under `definitions` and refers to it.
Errors: RuntimeError for arguments that do not make a valid schema.
Source: observed with stock 3008.3. Alternatives (`AnyOfItem`) of a complex item are among its properties;
stock puts them next to the properties, where validators ignore them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

BASE_SCHEMA_URL = "https://non-existing.saltstack.com/schemas"
_DRAFT = "http://json-schema.org/draft-04/schema#"


class SchemaItem:
    """Part of a schema; `required` items must be in the data."""

    __type__: ClassVar[str | None] = None
    #: {attribute: name in JSON schema}, in addition to those of the base classes.
    _written: ClassVar[Mapping[str, str]] = {}
    required: Any = False

    def __init__(self, required: bool | None = None, **extra: Any) -> None:
        if required is not None:
            self.required = required
        self.extra = extra

    def serialize(self) -> dict[str, Any]:
        """Return this part of the schema."""
        found: dict[str, Any] = {"type": self.__type__} if self.__type__ else {}
        for base in reversed(type(self).__mro__):
            for name, written in vars(base).get("_written", {}).items():
                value = getattr(self, name)
                if value is not None:
                    found[written] = _serialized(value)
        return {**found, **self.extra}

    def _take(self, given: Mapping[str, Any]) -> None:
        """Set the given attributes; others keep the defaults of the class."""
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value)

    def parts(self) -> Iterator[Any]:
        """Yield the items directly inside this one."""
        return iter(())


class BaseSchemaItem(SchemaItem):
    """Item that describes a value."""

    title: Any = None
    description: Any = None
    default: Any = None
    enum: Any = None
    enumNames: Any = None
    _written = {name: name for name in ("title", "description", "default", "enum", "enumNames")}

    def __init__(
        self, title: Any = None, description: Any = None, default: Any = None, enum: Any = None,
        enumNames: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._take({"title": title, "description": description, "default": default, "enum": enum})
        self._take({"enumNames": enumNames})
        _check(self.enum is None or isinstance(self.enum, (list, tuple, set)), "enum must be a list", enum)
        if self.enum is not None:
            self.enum = list(self.enum)
            is_named = self.enumNames is None or len(self.enumNames) == len(self.enum)
            _check(is_named, "enumNames must name each value of enum", enumNames)


class NullItem(BaseSchemaItem):
    """The value null."""

    __type__ = "null"


class BooleanItem(BaseSchemaItem):
    """A boolean."""

    __type__ = "boolean"


class StringItem(BaseSchemaItem):
    """Text; lengths are in characters."""

    __type__ = "string"
    __format__: ClassVar[Any] = None
    format: Any = None
    pattern: Any = None
    min_length: Any = None
    max_length: Any = None
    _written = {
        "format": "format", "pattern": "pattern", "min_length": "minLength", "max_length": "maxLength",
    }  # fmt: skip

    def __init__(
        self, format: Any = None, pattern: Any = None, min_length: Any = None, max_length: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._take({"format": format or self.__format__, "pattern": pattern})
        self._take({"min_length": min_length, "max_length": max_length})


def _text(name: str, form: str) -> type[StringItem]:
    return type(name, (StringItem,), {"__format__": form, "__doc__": f"Text in the format {form}."})


EMailItem = _text("EMailItem", "email")
IPv4Item = _text("IPv4Item", "ipv4")
IPv6Item = _text("IPv6Item", "ipv6")
HostnameItem = _text("HostnameItem", "hostname")
DateTimeItem = _text("DateTimeItem", "date-time")
UriItem = _text("UriItem", "uri")
SecretItem = _text("SecretItem", "secret")


class NumberItem(BaseSchemaItem):
    """A number."""

    __type__ = "number"
    multiple_of: Any = None
    minimum: Any = None
    exclusive_minimum: Any = None
    maximum: Any = None
    exclusive_maximum: Any = None
    _written = {
        "multiple_of": "multipleOf", "minimum": "minimum", "exclusive_minimum": "exclusiveMinimum",
        "maximum": "maximum", "exclusive_maximum": "exclusiveMaximum",
    }  # fmt: skip

    def __init__(
        self, multiple_of: Any = None, minimum: Any = None, exclusive_minimum: Any = None,
        maximum: Any = None, exclusive_maximum: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._take({"multiple_of": multiple_of, "minimum": minimum, "maximum": maximum})
        self._take({"exclusive_minimum": exclusive_minimum, "exclusive_maximum": exclusive_maximum})


class IntegerItem(NumberItem):
    """A whole number."""

    __type__ = "integer"


class PortItem(IntegerItem):
    """A port number."""

    minimum = 0
    maximum = 65535


class ArrayItem(BaseSchemaItem):
    """A list; `items` is the item for all values, or a list with one item per position."""

    __type__ = "array"
    items: Any = None
    min_items: Any = None
    max_items: Any = None
    unique_items: Any = None
    additional_items: Any = None
    _written = {
        "items": "items", "min_items": "minItems", "max_items": "maxItems", "unique_items": "uniqueItems",
        "additional_items": "additionalItems",
    }  # fmt: skip

    def __init__(
        self, items: Any = None, min_items: Any = None, max_items: Any = None, unique_items: Any = None,
        additional_items: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._take({"items": items, "min_items": min_items, "max_items": max_items})
        self._take({"unique_items": unique_items, "additional_items": additional_items})
        is_described = self.items is not None or self.additional_items is not None
        _check(is_described, "an array needs items or additional_items")
        _check_items([*_listed(self.items), *_one(self.additional_items)])

    def parts(self) -> Iterator[Any]:
        """Yield the items that describe the values."""
        yield from _listed(self.items)
        yield from _one(self.additional_items)


class DictItem(BaseSchemaItem):
    """A mapping; `properties` is {key: item} or a Schema, `pattern_properties` {regular expression: item}."""

    __type__ = "object"
    properties: Any = None
    pattern_properties: Any = None
    additional_properties: Any = None
    min_properties: Any = None
    max_properties: Any = None
    _written = {
        "pattern_properties": "patternProperties", "additional_properties": "additionalProperties",
        "min_properties": "minProperties", "max_properties": "maxProperties",
    }  # fmt: skip

    def __init__(
        self, properties: Any = None, pattern_properties: Any = None, additional_properties: Any = None,
        min_properties: Any = None, max_properties: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._take({"properties": properties, "pattern_properties": pattern_properties})
        self._take({"additional_properties": additional_properties})
        self._take({"min_properties": min_properties, "max_properties": max_properties})
        described = (self.properties, self.pattern_properties, self.additional_properties)
        _check(
            any(one is not None for one in described),
            "a dict needs properties, pattern_properties or additional_properties",
        )
        for one in described[:2]:
            _check(one is None or _is_item(one) or isinstance(one, Mapping), "properties must be a dict", one)
        _check_items(self.parts())

    def serialize(self) -> dict[str, Any]:
        """Return this part of the schema, with the names of required keys."""
        found = super().serialize()
        if _is_schema(self.properties):
            inner = self.properties.serialize()
            found.update({key: inner[key] for key in ("properties", "required") if key in inner})
        elif self.properties is not None:
            found["properties"] = _serialized(self.properties)
            required = [key for key, item in self.properties.items() if getattr(item, "required", False)]
            found.update({"required": required} if required else {})
        return found

    def parts(self) -> Iterator[Any]:
        """Yield the items that describe the values."""
        if _is_schema(self.properties):
            yield self.properties
        else:
            yield from (self.properties or {}).values()
        yield from (self.pattern_properties or {}).values()
        yield from _one(self.additional_properties)


class OneOfItem(SchemaItem):
    """A value that fits exactly one of several items."""

    __type__ = None
    _name: ClassVar[str] = "oneOf"

    def __init__(self, items: Any = None, required: bool | None = None) -> None:
        super().__init__(required=required)
        _check(isinstance(items, (list, tuple)) and items, "items must be a non-empty list", items)
        self.items = list(items)
        _check_items(self.items)

    def serialize(self) -> dict[str, Any]:
        """Return this part of the schema."""
        return {self._name: [item.serialize() for item in self.items]}

    def parts(self) -> Iterator[Any]:
        """Yield the alternatives."""
        yield from self.items


class AnyOfItem(OneOfItem):
    """A value that fits one or more of several items."""

    _name = "anyOf"


class AllOfItem(OneOfItem):
    """A value that fits all of several items."""

    _name = "allOf"


class NotItem(SchemaItem):
    """A value that does not fit an item."""

    def __init__(self, item: Any = None) -> None:
        super().__init__()
        _check_items([item])
        self.item = item

    def serialize(self) -> dict[str, Any]:
        """Return this part of the schema."""
        return {"not": self.item.serialize()}

    def parts(self) -> Iterator[Any]:
        """Yield the item."""
        yield self.item


class RequirementsItem(SchemaItem):
    """Keys that data must have."""

    def __init__(self, requirements: Any = None) -> None:
        super().__init__()
        _check(
            isinstance(requirements, (list, tuple, set, SchemaItem)),
            "requirements must be a list",
            requirements,
        )
        self.requirements = requirements

    def serialize(self) -> dict[str, Any]:
        """Return this part of the schema."""
        if isinstance(self.requirements, SchemaItem):
            return {"required": self.requirements.serialize()}
        return {"required": [_serialized(one) for one in self.requirements]}


def _is_schema(value: Any) -> bool:
    """Return whether a value is a Schema, as an instance or a class."""
    return hasattr(value, "_body")


def _is_item(value: Any) -> bool:
    return isinstance(value, SchemaItem) or _is_schema(value)


class _WithItems(type):
    """Metaclass that collects the items among a class's attributes, in order, after those of its bases."""

    def __init__(cls, name: str, bases: tuple[type, ...], attributes: dict[str, Any]) -> None:
        super().__init__(name, bases, attributes)
        items: dict[str, Any] = {}
        for base in reversed(cls.__mro__[1:]):
            items.update(vars(base).get("_items", {}))
        items.update({key: value for key, value in attributes.items() if _is_item(value)})
        cls._items = items
        cls._order = list(items)


class ComplexSchemaItem(BaseSchemaItem, metaclass=_WithItems):
    """An object with items as class attributes; schemas refer to its definition by name."""

    __type__ = "object"
    _items: ClassVar[dict[str, Any]]
    _definition_name: Any = None

    def __init__(self, definition_name: str | None = None, required: bool | None = None) -> None:
        super().__init__(required=required)
        self._definition_name = definition_name or type(self).__name__

    @property
    def definition_name(self) -> str:
        """Name under `definitions`."""
        return str(self._definition_name)

    def serialize(self) -> dict[str, Any]:
        """Return the reference to the definition."""
        return {"$ref": f"#/definitions/{self.definition_name}"}

    def get_definition(self) -> dict[str, Any]:
        """Return the definition."""
        found = {**super().serialize(), "title": self.definition_name}
        found["properties"] = {key: item.serialize() for key, item in self._items.items()}
        required = sorted(key for key, item in self._items.items() if getattr(item, "required", False))
        return {**found, "required": required} if required else found

    def get_complex_attrs(self) -> list[str]:
        """Return the names of the items."""
        return list(self._items)

    def parts(self) -> Iterator[Any]:
        """Yield the items."""
        yield from self._items.values()


class Schema(metaclass=_WithItems):
    """A schema; inside another one it is an item, or with `flatten` a source of properties."""

    __flatten__: ClassVar[bool] = False
    __allow_additional_items__: ClassVar[bool] = False
    title: ClassVar[Any] = None
    description: ClassVar[Any] = None
    _items: ClassVar[dict[str, Any]]
    _order: ClassVar[list[str]]

    def __init__(self, flatten: bool = False, allow_additional_items: bool = False, **_: Any) -> None:
        self.is_flat = flatten

    @classmethod
    def serialize(cls, id_: str | None = None) -> dict[str, Any]:
        """Return the schema as a dict; `id_` is the last part of its URL."""
        found = {"id": f"{BASE_SCHEMA_URL}/{id_}.json#"} if id_ else {}
        return {**found, "$schema": _DRAFT, **cls._body()}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the default values by key."""
        found: dict[str, Any] = {}
        for key, item in cls._items.items():
            value = item.defaults() if _is_schema(item) else getattr(item, "default", None)
            if getattr(item, "is_flat", False):
                found.update(value or {})
            elif value is not None and value != {}:
                found[key] = value
        return found

    @classmethod
    def as_requirements_item(cls) -> RequirementsItem:
        """Return an item that requires all keys of the schema."""
        return RequirementsItem(requirements=list(cls._order))

    @classmethod
    def _body(cls) -> dict[str, Any]:
        titles = {key: getattr(cls, key) for key in ("title", "description") if getattr(cls, key) is not None}
        properties, required, order = cls._properties()
        found: dict[str, Any] = {**titles, "type": "object", "properties": properties}
        if required:
            found["required"] = required
        return {**found, "x-ordering": order, "additionalProperties": cls.__allow_additional_items__}

    @classmethod
    def _properties(cls) -> tuple[dict[str, Any], list[str], list[str]]:
        """Return the properties, the required keys and the order of keys."""
        properties: dict[str, Any] = {}
        required: list[str] = []
        order: list[str] = []
        for key, item in cls._items.items():
            if getattr(item, "is_flat", False):
                inner = item._properties()
                properties.update(inner[0])
                required += inner[1]
                order += inner[2]
                continue
            order.append(key)
            properties[key] = _property(key, item)
            if getattr(item, "required", False):
                required.append(key)
        return properties, required, order


class DefinitionsSchema(Schema):
    """A schema with the definitions of its complex items."""

    @classmethod
    def serialize(cls, id_: str | None = None) -> dict[str, Any]:
        """Return the schema with its definitions."""
        found: dict[str, Any] = {}
        waiting = list(cls._items.values())
        while waiting:
            item = waiting.pop(0)
            if isinstance(item, ComplexSchemaItem):
                if item.definition_name in found:
                    continue
                found[item.definition_name] = item.get_definition()
            waiting += item._items.values() if _is_schema(item) else item.parts()
        return {**super().serialize(id_), "definitions": found}


def _property(key: str, item: Any) -> dict[str, Any]:
    """Return the schema of one key; an item that describes a value has the key as its default title."""
    if _is_schema(item):
        return {"id": f"{BASE_SCHEMA_URL}/{key}.json#", **item._body()}
    found: dict[str, Any] = item.serialize()
    if isinstance(item, BaseSchemaItem) and not isinstance(item, ComplexSchemaItem):
        found.setdefault("title", key)
    return found


def _listed(items: Any) -> list[Any]:
    if items is None:
        return []
    return list(items) if isinstance(items, (list, tuple)) else [items]


def _one(value: Any) -> list[Any]:
    """Return the items in an argument `additional_…`, which can also be a boolean."""
    return [] if value is None or isinstance(value, bool) else [value]


def _serialized(value: Any) -> Any:
    if _is_item(value):
        return value.serialize()
    if isinstance(value, Mapping):
        return {key: _serialized(item) for key, item in value.items()}
    return [_serialized(item) for item in value] if isinstance(value, (list, tuple)) else value


def _check_items(items: Any) -> None:
    for item in items:
        _check(_is_item(item), "expected a schema item", item)


def _check(is_good: Any, problem: str, value: Any = None) -> None:
    if not is_good:
        raise RuntimeError(f"{problem}, not {value!r}" if value is not None else problem)
