"""Filters for mappings: traversal, changes by colon path, comparison, conversion to lists."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.errors import InvocationError, YamlError
from salt_g.formats.yaml_load import load
from salt_g.render.jinja.filters.text import to_num

_MISSING = object()


def traverse(data: Any, key: Any, default: Any = None, delimiter: str = ":") -> Any:
    """Return the value at a path (`a:b:0`, or a list of keys), or `default`."""
    steps = key.split(delimiter) if isinstance(key, str) else [key] if isinstance(key, int) else key
    for step in steps:
        data = _list_step(data, step) if isinstance(data, list) else _mapping_step(data, step)
        if data is _MISSING:
            return default
    return data


def _list_step(data: list[Any], key: Any) -> Any:
    """Step into a list: mappings in it that have the key come before the index."""
    index = to_num(key)
    wanted = index if isinstance(index, int) else key
    for item in data:
        if isinstance(item, dict) and wanted in item:
            return item[wanted]
    if isinstance(wanted, int) and -len(data) <= wanted < len(data):
        return data[wanted]
    return _MISSING


def _mapping_step(data: Any, key: Any) -> Any:
    """Step into a mapping by the key as written, or as parsed by YAML (`1`, `true`)."""
    try:
        return data[key]
    except KeyError:
        return _by_yaml_key(data, key)
    except TypeError:
        return _MISSING


def _by_yaml_key(data: Any, key: Any) -> Any:
    try:
        read = load(key) if isinstance(key, str) else key
        return data[read]
    except (YamlError, KeyError, TypeError):
        return _MISSING


def set_value(data: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: bool = False) -> Any:
    """Set the value at a path, creating mappings as needed; return the (changed) data."""
    parent, last = _parent(data, keys, delimiter, ordered_dict)
    parent[last] = value
    return data


def update_value(data: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: bool = False) -> Any:
    """Update the mapping at a path with another one; return the (changed) data."""
    target = _target(data, keys, delimiter, ordered_dict, OrderedDict if ordered_dict else dict)
    try:
        target.update(value)
    except AttributeError:
        raise InvocationError(f"The last key contains a {type(target)}, which cannot update.") from None
    except (ValueError, TypeError):
        raise InvocationError(f"Cannot update {type(target)} with a {type(value)}.") from None
    return data


def append_value(data: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: bool = False) -> Any:
    """Append to the list at a path; return the (changed) data."""
    target = _target(data, keys, delimiter, ordered_dict, list)
    try:
        target.append(value)
    except AttributeError:
        raise InvocationError(f"The last key contains a {type(target)}, which cannot append.") from None
    return data


def extend_value(data: Any, keys: str, value: Any, delimiter: str = ":", ordered_dict: bool = False) -> Any:
    """Extend the list at a path; return the (changed) data."""
    target = _target(data, keys, delimiter, ordered_dict, list)
    try:
        target.extend(value)
    except AttributeError:
        raise InvocationError(f"The last key contains a {type(target)}, which cannot extend.") from None
    except TypeError:
        raise InvocationError(f"Cannot extend {type(target)} with a {type(value)}.") from None
    return data


def _parent(data: Any, keys: str, delimiter: str, is_ordered: bool) -> tuple[Any, str]:
    """Return the mapping that holds the last key of a path, created if missing, and that key."""
    *path, last = keys.split(delimiter)
    for key in path:
        if not isinstance(data.get(key), dict):
            data[key] = OrderedDict() if is_ordered else {}
        data = data[key]
    return data, last


def _target(data: Any, keys: str, delimiter: str, is_ordered: bool, kind: Callable[[], Any]) -> Any:
    parent, last = _parent(data, keys, delimiter, is_ordered)
    if parent.get(last) is None:
        parent[last] = kind()
    return parent[last]


def compare_dicts(old: Any = None, new: Any = None) -> dict[Any, dict[str, Any]]:
    """Return {key: {'old', 'new'}} of the differences; '' replaces a missing value."""
    changes: dict[Any, dict[str, Any]] = {}
    for key in {**(old or {}), **(new or {})}:
        if key not in old:
            changes[key] = {"old": "", "new": new[key]}
        elif key not in new:
            changes[key] = {"new": "", "old": old[key]}
        elif new[key] != old[key]:
            changes[key] = {"old": old[key], "new": new[key]}
    return changes


def to_entries(data: Any) -> list[dict[str, Any]]:
    """Return a mapping (or list) as a list of {'key', 'value'}."""
    if isinstance(data, dict):
        return [{"key": key, "value": value} for key, value in data.items()]
    if isinstance(data, list):
        return [{"key": index, "value": value} for index, value in enumerate(data)]
    raise ValueError("Input data must be a dict or list")


def from_entries(entries: Iterable[Mapping[str, Any]]) -> dict[Any, Any]:
    """Return a mapping from a list of {'key' or 'name', 'value'}; the case of these keys is ignored."""
    made: dict[Any, Any] = {}
    for entry in entries:
        lowered = {key.lower(): value for key, value in entry.items()}
        key = lowered.get("key") or lowered.get("name")
        if key:
            made[key] = lowered.get("value")
    return made


def mysql_to_dict(lines: Iterable[str], key: str) -> dict[Any, dict[str, Any]]:
    """Parse a table printed by `mysql` into {value of `key`: row}."""
    rows: dict[Any, dict[str, Any]] = {}
    headers: list[str] = []
    for line in lines:
        if not line or line.startswith("+"):
            continue
        cells = [cell.strip() for cell in line.split("|")][1:-1]
        if not headers:
            headers = cells
            continue
        row = dict(zip(headers, map(to_num, cells), strict=False))
        rows[row[key]] = row
    return rows


def json_query(data: Any, expr: str) -> Any:
    """Return the result of a JMESPath expression; requires the package jmespath."""
    try:
        import jmespath  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise RuntimeError("json_query needs the library jmespath: install salt-g[jmespath]") from None
    return jmespath.search(expr, data)


def as_bytes(
    data: Any,
    encoding: str | None = None,
    errors: str = "strict",
    keep: bool = False,
    preserve_dict_class: bool = False,
    preserve_tuples: bool = False,
) -> Any:
    """Return nested data with all text, keys included, as bytes; by default in UTF-8, with tuples as lists.

    Text that `encoding` cannot express stays text with `keep`, and is an error otherwise.
    """

    def encoded(value: Any) -> Any:
        if isinstance(value, Mapping):
            make = type(value) if preserve_dict_class else dict
            return make((encoded(key), encoded(item)) for key, item in value.items())  # type: ignore[call-arg]
        if isinstance(value, (list, tuple)):
            items = [encoded(item) for item in value]
            return tuple(items) if preserve_tuples and isinstance(value, tuple) else items
        return (
            _text_as_bytes(value, encoding or "utf-8", errors, keep=keep) if isinstance(value, str) else value
        )

    return encoded(data)


def mapping_as_bytes(data: Mapping[Any, Any], *how: Any, **options: Any) -> Any:
    """Return a mapping with all text as bytes (see `as_bytes`); raise AttributeError for anything else."""
    data.items  # noqa: B018  Other values than mappings are an error, as in stock.
    return as_bytes(data, *how, **options)


def items_as_bytes(data: Iterable[Any], *how: Any, **options: Any) -> Any:
    """Return the items of any iterable as a list, with all text as bytes (see `as_bytes`)."""
    return as_bytes(list(data), *how, **options)


def _text_as_bytes(text: str, encoding: str, errors: str, *, keep: bool) -> str | bytes:
    try:
        return text.encode(encoding, errors)
    except UnicodeEncodeError:
        if keep:
            return text
        raise


FILTERS: dict[str, Callable[..., Any]] = {
    "traverse": traverse,
    "set_dict_key_value": set_value,
    "update_dict_key_value": update_value,
    "append_dict_key_value": append_value,
    "extend_dict_key_value": extend_value,
    "compare_dicts": compare_dicts,
    "to_entries": to_entries,
    "from_entries": from_entries,
    "mysql_to_dict": mysql_to_dict,
    "json_query": json_query,
    "json_encode_dict": mapping_as_bytes,
    "json_encode_list": items_as_bytes,
    "json_decode_dict": mapping_as_bytes,
    "json_decode_list": items_as_bytes,
}
