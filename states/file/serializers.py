"""Data to text and back, by the names that `file.serialize` takes.

Errors: ValueError for text that cannot be read; what a library needs that is not there makes its
serializer unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from salt_g.formats import yaml_dump, yaml_plain

#: Options that stock sets for each serializer.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "yaml": {"default_flow_style": False, "allow_unicode": False},
    "json": {"indent": 2, "separators": (",", ": "), "sort_keys": True, "ensure_ascii": False},
}
#: Options that write other than ASCII characters as they are, for files with an encoding of their own.
_UNICODE: dict[str, dict[str, Any]] = {"yaml": {"allow_unicode": True}}

Text = str | bytes


def serializer(name: str) -> Callable[..., Text] | None:
    """Return the function that makes text (without a last line end) of data; None when there is none."""
    return _WRITERS.get(name) if _is_usable(name) else None


def deserializer(name: str) -> Callable[..., Any] | None:
    """Return the function that makes data of text; None when there is none."""
    return _READERS.get(name) if _is_usable(name) else None


def writing_options(name: str, given: Any, *, unicode: bool) -> dict[str, Any]:
    """Return the options of a serializer: defaults, then the user's."""
    return {**_DEFAULTS.get(name, {}), **(_UNICODE.get(name, {}) if unicode else {}), **as_options(given)}


def as_options(given: Any) -> dict[str, Any]:
    """Return a mapping, or a list of mappings as SLS authors write it, as one mapping."""
    if isinstance(given, dict):
        return given
    return {key: value for item in given or () for key, value in item.items()}


def _write_yaml(data: Any, **options: Any) -> str:
    text = yaml_dump.dump(_plain(data), **options)
    return text.removesuffix("\n...\n") if text.endswith("\n...\n") else text.removesuffix("\n")


def _plain(data: Any) -> Any:
    """Return data without the order its author chose: the file is sorted by keys, as stock does it."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(item) for item in data] if isinstance(data, list) else data


def _write_json(data: Any, **options: Any) -> str:
    return json.dumps(data, **options)


def _read_json(text: str, **options: Any) -> Any:
    return json.loads(text, **options)


def _read_yaml(text: str, **options: Any) -> Any:
    return yaml_plain.load_plain(text)


def _write_ini(data: Any, **options: Any) -> str:
    import configparser
    import io

    if not isinstance(data, dict):
        raise ValueError(f"configparser can only serialize dictionaries, not {type(data)}")
    parser = configparser.ConfigParser(**options)
    parser.read_dict(data)
    stream = io.StringIO()
    parser.write(stream)
    return stream.getvalue()


def _read_ini(text: str, **options: Any) -> Any:
    import configparser

    parser = configparser.ConfigParser(**options)
    try:
        parser.read_string(text)
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except configparser.Error as exc:
        raise ValueError(str(exc)) from exc


def _write_msgpack(data: Any, **options: Any) -> bytes:
    import msgpack

    packed: bytes = msgpack.packb(data, **options)
    return packed


def _read_msgpack(text: str, **options: Any) -> Any:
    import msgpack

    return msgpack.unpackb(text.encode("latin-1"), **options)


def _write_toml(data: Any, **options: Any) -> str:
    import toml

    return str(toml.dumps(data, **options))


def _read_toml(text: str, **options: Any) -> Any:
    import toml

    return toml.loads(text, **options)


_WRITERS: dict[str, Callable[..., Text]] = {
    "yaml": _write_yaml,
    "json": _write_json,
    "configparser": _write_ini,
    "msgpack": _write_msgpack,
    "toml": _write_toml,
}
_READERS: dict[str, Callable[..., Any]] = {
    "yaml": _read_yaml,
    "json": _read_json,
    "configparser": _read_ini,
    "msgpack": _read_msgpack,
    "toml": _read_toml,
}


def _is_usable(name: str) -> bool:
    if name not in ("msgpack", "toml"):
        return True
    try:
        __import__(name)
    except ImportError:
        return False
    return True
