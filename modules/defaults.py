"""Defaults of formulas, read from their `defaults.yaml` or `defaults.json`, and merging of mappings."""

from __future__ import annotations

import copy as copies
import json
from typing import Any

from salt_g.api import opts, services
from salt_g.data.nested import traverse
from salt_g.modules._merging import update_in_place


def get(key: str, default: Any = "") -> Any:
    """Return a default of a formula by `formula:path:to:key`, or all of them by `formula`.

    Returns `default` for a path without a value, None for the whole of a formula without a file of defaults.

    Example::

        salt-g defaults.get core:users:root
    """
    formula, _, path = key.partition(":")
    found = _load(formula)
    return traverse(found, path, default) if path else found


def merge(
    dest: Any, src: Any, merge_lists: bool = False, in_place: bool = True, convert_none: bool = True
) -> Any:
    """Merge `src` into `dest` and return `dest`, or a merged copy if `in_place` is False.

    `merge_lists` joins lists instead of replacing them. `convert_none` treats None as an empty mapping, but a
    `dest` of None cannot be merged in place. Raises TypeError unless both are mappings.

    Example::

        salt-g defaults.merge '{a: b}' '{d: e}'
    """
    if src is None and convert_none:
        src = {}
    if dest is None and convert_none:
        if in_place:
            raise TypeError("Can't perform in-place merge into NoneType")
        dest = {}
    return update_in_place(dest if in_place else copies.deepcopy(dest), src, merge_lists=merge_lists)


def deepcopy(source: Any) -> Any:
    """Return a copy that shares nothing with the source.

    Example::

        salt-g defaults.deepcopy '{a: [1]}'
    """
    return copies.deepcopy(source)


def update(
    dest: Any, defaults: Any, merge_lists: bool = True, in_place: bool = True, convert_none: bool = True
) -> Any:
    """Add the defaults to every value of the mapping `dest`; keys that a value already has win.

    Returns `dest`, or an updated copy if `in_place` is False; `merge_lists` and `convert_none` are those of
    `defaults.merge`.

    Example::

        salt-g defaults.update '{foo: {a: 1}}' '{b: 2}'
    """
    if dest is None and in_place:
        raise TypeError("Can't perform in-place update into NoneType")
    nodes = dest if in_place else copies.deepcopy(dest or {})
    for name, value in nodes.items():
        base = copies.deepcopy({} if defaults is None and convert_none else defaults)
        nodes[name] = merge(base, value, merge_lists=merge_lists, convert_none=convert_none)
    return nodes


def _load(formula: str) -> Any:
    """Return the defaults of a formula, or None if it has none."""
    saltenv = opts.get("saltenv") or "base"
    for name, read in (("defaults.yaml", _read_yaml), ("defaults.json", json.loads)):
        path = services().files.cache_file(f"salt://{formula}/{name}", saltenv)
        if path:
            with open(path, encoding="utf-8") as file:
                return read(file.read()) or {}
    return None


def _read_yaml(text: str) -> Any:
    from salt_g.formats.yaml_load import load

    return load(text)
