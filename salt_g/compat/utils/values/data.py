"""Stock's `salt.utils.data`: work with nested data."""

import fnmatch
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.compat.utils.values import stringutils
from salt_g.compat.utils.values._differences import recursive_diff
from salt_g.compat.utils.values.odict import CaseInsensitiveDict
from salt_g.data.nested import merge_recursive
from salt_g.errors import SaltGError, YamlError
from salt_g.formats.yaml_load import load
from salt_g.render.jinja.filters import dicts
from salt_g.render.jinja.filters.dicts import as_bytes, from_entries, json_query, mysql_to_dict
from salt_g.render.jinja.filters.lists import compare_lists, flatten
from salt_g.render.jinja.filters.lists import random_sample as sample
from salt_g.render.jinja.filters.lists import random_shuffle as shuffle
from salt_g.render.jinja.filters.text import substring_in_list as substr_in_list

log = logging.getLogger(__name__)


def traverse_dict_and_list(
    data: Any, key: Any, default: Any = None, delimiter: str = ":", ordered_dict_type: Any = None
) -> Any:
    """Return the value at a path, such as `a:b:0` or a list of keys."""
    return dicts.traverse(data, key, default, delimiter)


def traverse_dict(data: Any, key: str, default: Any = None, delimiter: str = ":") -> Any:
    """Return the value at a path of keys of mappings; items of lists cannot be reached."""
    for part in key.split(delimiter):
        if not isinstance(data, Mapping) or part not in data:
            return default
        data = data[part]
    return data


def is_true(value: Any = None) -> bool:
    """Return whether a value is true; numbers, also as text, must be above 0, other text must be `true`."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return str(value).lower() == "true"
    return value > 0 if isinstance(value, (int, float)) else bool(value)


def compare_dicts(
    old: Mapping[Any, Any] | None = None, new: Mapping[Any, Any] | None = None
) -> dict[Any, Any]:
    """Return the differences as {key: {"old", "new"}}; '' stands for a missing key."""
    old, new = old or {}, new or {}
    return {
        key: {"old": old.get(key, ""), "new": new.get(key, "")}
        for key in {**old, **new}
        if key not in old or key not in new or old[key] != new[key]
    }


def repack_dictlist(
    data: Any,
    strict: bool = False,
    recurse: bool = False,
    key_cb: Callable[[Any], Any] | None = None,
    val_cb: Callable[[Any, Any], Any] | None = None,
) -> dict[Any, Any]:
    """Return one mapping, made from a list (or its YAML) of texts, numbers and one-key mappings.

    Other data is logged as an error and gives {}. A value that is a list of mappings becomes a mapping with
    `recurse`; with `strict` alone, it makes the data invalid.
    """
    listed = _loaded(data) if isinstance(data, str) else data
    if not isinstance(listed, list) or not all(map(_is_entry, listed)):
        log.error("not a list of names and mappings with one key: %r", data)
        return {}
    packed: dict[Any, Any] = {}
    for item in listed:
        key, value = next(iter(item.items())) if isinstance(item, Mapping) else (item, None)
        is_list = is_dictlist(value)
        if is_list and strict and not recurse:
            log.error("the value of %r is a list of mappings, which is not allowed here", key)
            return {}
        name = key if key_cb is None else key_cb(key)
        if is_list and recurse:
            packed[name] = repack_dictlist(value, recurse=True)
        else:
            keeps = val_cb is None or not isinstance(item, Mapping)
            packed[name] = value if keeps or val_cb is None else val_cb(key, value)
    return packed


def decode(
    data: Any,
    encoding: str | None = None,
    errors: str = "strict",
    keep: bool = False,
    normalize: bool = False,
    preserve_dict_class: bool = False,
    preserve_tuples: bool = False,
    to_str: bool = False,
) -> Any:
    """Return data with bytes decoded to text, at every depth; tuples become lists, unless preserved.

    Bytes that cannot be decoded raise UnicodeDecodeError, or with `keep` stay bytes.
    """

    def decoded(value: Any) -> Any:
        if isinstance(value, Mapping):
            make = type(value) if preserve_dict_class else dict
            return make((_hashable(decoded(key), key), decoded(item)) for key, item in value.items())  # type: ignore[call-arg]
        if isinstance(value, (list, tuple)):
            items = [decoded(item) for item in value]
            return tuple(items) if preserve_tuples and isinstance(value, tuple) else items
        if not isinstance(value, (str, bytes, bytearray)):
            return value
        try:
            return stringutils.to_str(value, encoding, errors, normalize)
        except UnicodeDecodeError:
            if keep:
                return value
            raise

    return decoded(data)


def encode(data: Any, *how: Any, **options: Any) -> Any:
    """Return data with text encoded to bytes, at every depth; arguments as for `decode`."""
    return as_bytes(data, *how, **options)


def _hashable(made: Any, key: Any) -> Any:
    """Return a decoded key, as a tuple if it was one."""
    return tuple(made) if isinstance(key, tuple) else made


def _loaded(text: str) -> Any:
    try:
        return load(text)
    except YamlError as exc:
        log.error("%s", exc)
        return None


def _is_entry(item: Any) -> bool:
    return isinstance(item, (str, int, float)) or (isinstance(item, Mapping) and len(item) == 1)


def is_iter(thing: Any, ignore: Any = (str,)) -> bool:
    """Return whether a value is iterable and not text."""
    return hasattr(thing, "__iter__") and not isinstance(thing, ignore)


def is_list(value: Any) -> bool:
    """Return whether a value is a list."""
    return isinstance(value, list)


def is_dictlist(data: Any) -> bool:
    """Return whether a value is a list of mappings with one key each, or an empty list."""
    return isinstance(data, list) and all(isinstance(item, Mapping) and len(item) == 1 for item in data)


def filter_falsey(data: Any, recurse_depth: int | None = None, ignore_types: Any = ()) -> Any:
    """Return a collection without empty values, also in nested collections down to `recurse_depth`.

    Values whose type is in `ignore_types` stay, and False is not empty.
    """
    below = (recurse_depth or 0) - 1

    def kept(value: Any) -> Any:
        return filter_falsey(value, below, ignore_types) if recurse_depth and recurse_depth > 0 else value

    def stays(value: Any) -> bool:
        return bool(value) or value is False or type(value) in ignore_types

    if isinstance(data, Mapping):
        pairs = ((key, kept(value)) for key, value in data.items())
        return type(data)((key, value) for key, value in pairs if stays(value))  # type: ignore[call-arg]
    if isinstance(data, (list, tuple, set, frozenset)):
        return type(data)(value for value in map(kept, data) if stays(value))
    return data


def subdict_match(
    data: Any, expr: str, delimiter: str = ":", regex_match: bool = False, exact_match: bool = False
) -> bool:
    """Return whether nested data matches a path that ends in a glob, a regular expression or exact text."""
    # Imported lazily: few plugins match.
    from salt_g.match import nested

    accepts = nested.accepts_exact if exact_match else nested.accepts_glob
    return nested.matches_nested(
        data, expr, nested.accepts_pcre if regex_match else accepts, delimiter=delimiter
    )


def sorted_ignorecase(to_sort: Iterable[str]) -> list[str]:
    """Return texts sorted regardless of case."""
    return sorted(to_sort, key=str.lower)


def stringify(data: Iterable[Any]) -> list[str]:
    """Return the items as texts."""
    return [item if isinstance(item, str) else str(item) for item in data]


def to_lowercase(data: Any, preserve_dict_class: bool = False) -> Any:
    """Return data with its texts in lower case, at every depth."""
    return _with_texts(data, str.lower, preserve_dict_class)


def to_uppercase(data: Any, preserve_dict_class: bool = False) -> Any:
    """Return data with its texts in upper case, at every depth."""
    return _with_texts(data, str.upper, preserve_dict_class)


def to_entries(data: Any) -> list[dict[str, Any]]:
    """Return a mapping (or list) as a list of {"key", "value"}."""
    if not isinstance(data, (dict, list)):
        raise SaltGError("Input data must be a dict or list")
    return dicts.to_entries(data)


def filter_by(
    lookup_dict: Mapping[str, Any],
    lookup: Any,
    traverse: Any,
    merge: Any = None,
    default: Any = "default",
    base: str | None = None,
) -> Any:
    """Return the first entry whose name, a glob, matches a value of `traverse` at the path `lookup`.

    `lookup` can be a list of paths. Without a match, the entry `default` is used. The result is merged over
    the entry `base`, and `merge` over the result.
    Raises SaltGError if `merge` is not a mapping.
    """
    paths = [lookup] if isinstance(lookup, str) else lookup
    found: Any = None
    for path in paths:
        values = traverse_dict_and_list(traverse, path, None)
        wanted = [
            str(value) for value in (values if isinstance(values, list) else [values]) if value is not None
        ]
        names = (
            name for name in lookup_dict if any(fnmatch.fnmatchcase(value, str(name)) for value in wanted)
        )
        name = next(names, None)
        if name is not None:
            found = lookup_dict[name]
            break
    else:
        found = lookup_dict.get(default)
    if base and base in lookup_dict:
        found = merge_recursive(lookup_dict[base], found) if found is not None else lookup_dict[base]
    if merge is None:
        return found
    if not isinstance(merge, Mapping):
        raise SaltGError("filter_by merge argument must be a dictionary.")
    return merge if found is None else merge_recursive(found, merge)


def _with_texts(data: Any, change: Callable[[str], str], preserve_dict_class: bool) -> Any:
    if isinstance(data, str):
        return change(data)
    if isinstance(data, Mapping):
        pairs = [
            (_with_texts(key, change, preserve_dict_class), _with_texts(value, change, preserve_dict_class))
            for key, value in data.items()
        ]
        return type(data)(pairs) if preserve_dict_class else dict(pairs)  # type: ignore[call-arg]
    if isinstance(data, (list, tuple, set)):
        return type(data)(_with_texts(value, change, preserve_dict_class) for value in data)
    return data


def exactly_n(iterable: Iterable[Any], amount: int = 1) -> bool:
    """Return whether exactly `amount` items are true."""
    return sum(map(bool, iterable)) == amount


def exactly_one(iterable: Iterable[Any]) -> bool:
    """Return whether exactly one item is true."""
    return exactly_n(iterable)


def get_value(obj: Any, path: str, default: Any = None) -> list[dict[str, Any]]:
    """Return the values at a path such as `a:{name}:b`, as {"value": ..., "name": the key there}."""
    if obj is None:
        return [{"value": None}]
    head, _, rest = path.partition(":")
    if head.startswith("{") and head.endswith("}"):
        found = []
        for key, value in obj.items() if isinstance(obj, Mapping) else enumerate(obj or ()):
            below = get_value(value, rest, default) if rest else [{"value": value}]
            found += [{**each, head[1:-1]: key} for each in below]
        return found
    if not isinstance(obj, Mapping) or head not in obj:
        return [{"value": default}]
    return get_value(obj[head], rest, default) if rest else [{"value": obj[head]}]


def hash(value: Any, algorithm: str = "sha512") -> str:
    """Return the hex digest of bytes, or of any other value as text."""
    return hashlib.new(algorithm, value if isinstance(value, bytes) else str(value).encode()).hexdigest()


decode_dict = decode_list = decode_tuple = decode
encode_dict = encode_list = encode_tuple = encode


def simple_types_filter(data: Any) -> Any:
    """Return data reduced to text, numbers, booleans and None; other values become their repr."""
    if isinstance(data, Mapping):
        return {_simple(key): simple_types_filter(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(map(simple_types_filter, data))
    return _simple(data)


def _simple(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)


__all__ = ["compare_dicts", "compare_lists", "decode", "decode_dict", "decode_list", "decode_tuple", "encode"]
__all__ += ["encode_dict", "encode_list", "encode_tuple", "exactly_n", "exactly_one", "filter_by"]
__all__ += [
    "filter_falsey",
    "flatten",
    "from_entries",
    "get_value",
    "hash",
    "is_dictlist",
    "is_iter",
    "is_list",
]
__all__ += [
    "is_true",
    "json_query",
    "mysql_to_dict",
    "recursive_diff",
    "repack_dictlist",
    "sample",
    "shuffle",
]
__all__ += ["sorted_ignorecase", "stringify", "subdict_match", "substr_in_list", "to_entries", "to_lowercase"]
__all__ += ["to_uppercase", "traverse_dict", "traverse_dict_and_list"]
__all__ += ["simple_types_filter"]
__all__ += ["CaseInsensitiveDict"]
