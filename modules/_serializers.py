"""Data to text and back, by the names of stock's serializers.

Errors: CommandExecutionError for an unknown name, for data or text that does not fit, and for
a missing package.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Callable
from typing import Any

from salt_g.errors import CommandExecutionError, YamlError


def writer(name: str) -> Callable[..., Any]:
    """Return the function that makes text (bytes for msgpack) of data."""
    return _guarded(name, "serialize", _WRITERS)


def reader(name: str) -> Callable[..., Any]:
    """Return the function that makes data of text."""
    return _guarded(name, "deserialize", _READERS)


def _guarded(name: str, duty: str, table: dict[str, Callable[..., Any]]) -> Callable[..., Any]:
    if name not in _WRITERS and name not in _READERS:
        raise CommandExecutionError(f"Serializer '{name}' not found.")
    if name not in table:
        raise CommandExecutionError(f"Serializer '{name}' does not implement {duty}.")

    def call(data: Any, **options: Any) -> Any:
        try:
            return table[name](data, **options)
        except (ValueError, TypeError, YamlError) as exc:
            raise CommandExecutionError(str(exc)) from exc
        except ImportError as exc:
            raise CommandExecutionError(f"serializer {name!r} needs the package {exc.name!r}") from exc

    return call


def _write_yaml(data: Any, **options: Any) -> str:
    from salt_g.formats.yaml_dump import dump

    options.setdefault("allow_unicode", False)
    return dump(data, sort_ordered=True, **options).removesuffix("\n").removesuffix("\n...")


def _read_yaml(text: str, **options: Any) -> Any:
    from salt_g.formats.yaml_plain import load_plain

    return load_plain(text)


def _write_json(data: Any, **options: Any) -> str:
    return json.dumps(data, **{"ensure_ascii": False, **options})


def _read_json(text: str | bytes, **options: Any) -> Any:
    return json.loads(text)


def _write_ini(data: Any, **options: Any) -> str:
    import configparser

    if not isinstance(data, dict):
        raise TypeError(f"configparser can only serialize dictionaries, not {type(data)}")
    parser = configparser.ConfigParser(**options)
    parser.read_dict(data)
    stream = io.StringIO()
    parser.write(stream)
    return stream.getvalue()


def _read_ini(text: str, **options: Any) -> dict[str, dict[str, str]]:
    import configparser

    parser = configparser.ConfigParser(**options)
    try:
        parser.read_string(text)
    except configparser.Error as exc:
        raise ValueError(str(exc)) from exc
    return {section: dict(parser.items(section)) for section in parser.sections()}


def _write_msgpack(data: Any, **options: Any) -> bytes:
    import msgpack

    packed: bytes = msgpack.packb(data, **options)
    return packed


def _read_msgpack(packed: bytes | str, **options: Any) -> Any:
    import msgpack

    data = packed.encode("utf-8", "surrogateescape") if isinstance(packed, str) else packed
    return msgpack.unpackb(data, **{"raw": False, "strict_map_key": False, **options})


def _write_toml(data: Any, **options: Any) -> str:
    text: str = importlib.import_module("tomli_w").dumps(data, **options)
    return text


def _read_toml(text: str, **options: Any) -> Any:
    try:
        toml = importlib.import_module("tomllib")
    except ImportError:
        toml = importlib.import_module("tomli")
    return toml.loads(text)


_WRITERS: dict[str, Callable[..., Any]] = {
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
