"""Inventory of reclass: parameters and applications of a node, read by the library of that name.

Shapes: `options` are those of the setting, and the library's: `storage_type`, `inventory_base_uri`,
`nodes_uri`, `classes_uri`, ...; `reclass_source_path` is a directory in which the library is searched first.
Errors: CommandExecutionError if the library is missing or refuses.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError

#: What to install; the library with the older name is not maintained.
ADVICE = "pip install 'salt-g[reclass]' in the Python of salt-g, or set reclass_source_path"


def answer(function: str, *args: Any, options: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Return what a function of the library's adapter for Salt returns (`ext_pillar`, `top`).

    Without `inventory_base_uri` the inventory is in the first directory of `file_roots` of `base`.
    """
    given = dict(options)
    source = given.pop("reclass_source_path", None)
    if "inventory_base_uri" not in given:
        roots = (settings.get("file_roots") or {}).get("base") or ()
        given.update({"inventory_base_uri": str(roots[0])} if roots else {})
    adapter = _adapter(str(source) if source else "")
    try:
        return getattr(adapter, function)(*args, **given)
    except adapter.ReclassException as exc:
        raise CommandExecutionError(f"reclass refuses {args[0]!r}: {_text(exc)}") from exc
    except NotImplementedError as exc:
        raise CommandExecutionError(f"reclass has no storage_type {given.get('storage_type')!r}") from exc
    except RecursionError as exc:
        raise CommandExecutionError(f"reclass: classes of {args[0]!r} include each other") from exc
    # The library does not catch what its readers raise: errors of YAML, of values with other types.
    except Exception as exc:
        if isinstance(exc, TypeError) and exc.__traceback__ is not None and exc.__traceback__.tb_next is None:
            raise CommandExecutionError(
                f"reclass does not accept its options {sorted(given)}: {exc}"
            ) from exc
        text = " ".join(_text(exc).split())
        raise CommandExecutionError(f"reclass cannot read {args[0]!r}: {type(exc).__name__}: {text}") from exc


def is_available(options: Any) -> bool:
    """Return whether the library is there, or the options say where it is."""
    elsewhere = isinstance(options, Mapping) and bool(options.get("reclass_source_path"))
    return elsewhere or importlib.util.find_spec("reclass") is not None


def _adapter(source: str) -> Any:
    path = os.path.expanduser(source)
    if path and path not in sys.path:
        sys.path.insert(0, path)
    try:
        return importlib.import_module("reclass.adapters.salt")
    except ImportError as exc:
        raise CommandExecutionError(f"the library reclass is missing ({exc}): {ADVICE}") from exc


def _text(exc: Any) -> str:
    return str(getattr(exc, "message", "") or exc).strip()
