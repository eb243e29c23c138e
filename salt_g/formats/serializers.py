"""Serializers by stock's names: `yaml`, `yamlex`, `json`, `configparser`, `msgpack`, `toml`.

Shapes: the output is str (bytes for msgpack); only `configparser` and `toml` end it with a newline.
Errors: ValueError, TypeError or YamlError for data or text that does not fit the format;
CommandExecutionError for a missing package.
Source: stock's serializers; TOML has the layout of tomli-w.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

from salt_g.errors import CommandExecutionError

Text = str | bytes


def writer(name: str) -> Callable[..., Text] | None:
    """Return the serializer of a format, which accepts data and options; None for an unknown format."""
    return _WRITERS.get(name)


def reader(name: str) -> Callable[..., Any] | None:
    """Return the parser of a format, which accepts text and options; None for an unknown format."""
    return _READERS.get(name)


def read_toml(text: Text, **options: Any) -> dict[str, Any]:
    """Parse TOML text, with `tomllib` from Python 3.11 on, otherwise with `tomli`."""
    data: dict[str, Any] = _imported("reading", "tomllib", "tomli").loads(_as_str(text), **options)
    return data


def _write_yaml(data: Any, **options: Any) -> str:
    from salt_g.formats.yaml_dump import dump  # Imported lazily: slow to import, and few calls write YAML.

    return (
        dump(data, **{"allow_unicode": False, "sort_ordered": True, **options})
        .removesuffix("\n")
        .removesuffix("\n...")
    )


def _write_yamlex(data: Any, **options: Any) -> str:
    """Write YAML; ordered mappings keep their order."""
    return _write_yaml(data, **{"sort_ordered": False, **options})


def _read_yaml(text: Text, **options: Any) -> Any:
    from salt_g.formats.yaml_plain import load_plain

    return load_plain(_as_str(text))


def _write_json(data: Any, **options: Any) -> str:
    return json.dumps(data, **{"ensure_ascii": False, **options})


def _read_json(text: Text, **options: Any) -> Any:
    return json.loads(text, **options)


def _write_ini(data: Any, **options: Any) -> str:
    import configparser
    import io

    if not isinstance(data, dict):
        raise TypeError(f"configparser can only serialize dictionaries, not {type(data)}")
    parser = configparser.ConfigParser(**options)
    parser.read_dict(data)
    stream = io.StringIO()
    parser.write(stream)
    return stream.getvalue()


def _read_ini(text: Text, **options: Any) -> dict[str, dict[str, str]]:
    import configparser

    parser = configparser.ConfigParser(**options)
    try:
        parser.read_string(_as_str(text))
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except configparser.Error as exc:
        raise ValueError(str(exc)) from exc


def _write_msgpack(data: Any, **options: Any) -> bytes:
    import msgpack

    packed: bytes = msgpack.packb(data, **options)
    return packed


def _read_msgpack(packed: Text, **options: Any) -> Any:
    import msgpack

    data = packed.encode("utf-8", "surrogateescape") if isinstance(packed, str) else packed
    return msgpack.unpackb(data, **{"raw": False, "strict_map_key": False, **options})


def _write_toml(data: Any, **options: Any) -> str:
    text: str = _imported("writing", "tomli_w").dumps(data, **options)
    return text


def _imported(duty: str, *modules: str) -> ModuleType:
    """Import the first of these modules that is installed."""
    for name in modules:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise CommandExecutionError(f"{duty} TOML needs the package {modules[-1]!r}: pip install 'salt-g[toml]'")


def _as_str(text: Text) -> str:
    return text.decode() if isinstance(text, bytes) else text


_WRITERS: dict[str, Callable[..., Text]] = {
    "yaml": _write_yaml,
    "yamlex": _write_yamlex,
    "json": _write_json,
    "configparser": _write_ini,
    "msgpack": _write_msgpack,
    "toml": _write_toml,
}
_READERS: dict[str, Callable[..., Any]] = {
    "yaml": _read_yaml,
    # The tags of yamlex (`!aggregate`, `!reset`) only affect merging.
    "yamlex": _read_yaml,
    "json": _read_json,
    "configparser": _read_ini,
    "msgpack": _read_msgpack,
    "toml": read_toml,
}
