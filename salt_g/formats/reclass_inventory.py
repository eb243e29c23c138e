"""Inventory of reclass: parameters and applications of a node, read by the library `reclass`.

Shapes: `options` are the options of the library, as in the setting: `storage_type`, `inventory_base_uri`,
`nodes_uri`, `classes_uri`, ...; `reclass_source_path` is a directory that is searched first for the library.
Errors: CommandExecutionError if the library is missing or reports an error.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Mapping
from typing import Any

from salt_g.errors import CommandExecutionError, YamlError

#: Advice if the library is missing. The extra installs the maintained fork, not the original `reclass`.
ADVICE = "pip install 'salt-g[reclass]' in the Python of salt-g, or set reclass_source_path"


def answer(function: str, *args: Any, options: Mapping[str, Any], settings: Mapping[str, Any]) -> Any:
    """Call a function of the library's adapter for Salt (`ext_pillar`, `top`) and return its result.

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
    # The library does not catch errors of its readers, such as YAML errors, or TypeError for wrong types.
    except Exception as exc:
        if isinstance(exc, TypeError) and exc.__traceback__ is not None and exc.__traceback__.tb_next is None:
            raise CommandExecutionError(
                f"reclass does not accept the options {sorted(given)}: {exc}"
            ) from exc
        text = " ".join(_text(exc).split())
        raise CommandExecutionError(f"reclass cannot read {args[0]!r}: {type(exc).__name__}: {text}") from exc


def is_available(options: Any) -> bool:
    """Return whether the library is installed, or the options contain its path."""
    elsewhere = isinstance(options, Mapping) and bool(options.get("reclass_source_path"))
    return elsewhere or importlib.util.find_spec("reclass") is not None


def _adapter(source: str) -> Any:
    path = os.path.expanduser(source)
    if path and path not in sys.path:
        sys.path.insert(0, path)
    try:
        adapter = importlib.import_module("reclass.adapters.salt")
        _bound_aliases(importlib.import_module("reclass.storage.yamldata"))
    except ImportError as exc:
        raise CommandExecutionError(f"the library reclass is missing ({exc}): {ADVICE}") from exc
    return adapter


def _bound_aliases(reader: Any) -> None:
    """Apply our limits on aliases to the library, which visits each copy of an alias when it merges."""
    # Imported lazily: every daemon imports this file, and most have not loaded the YAML reader.
    from salt_g.formats.yaml_aliases import check_aliases
    from salt_g.formats.yaml_nodes import MAX_DEPTH

    library_loader = reader._SafeLoader
    if getattr(library_loader, "has_bounded_aliases", False):
        return

    class BoundedLoader(library_loader):  # type: ignore[misc, valid-type]  # the library's
        """The library's loader, with the limits of `yaml_aliases`."""

        has_bounded_aliases = True

        def __init__(self, stream: Any) -> None:
            self._text = stream.read() if hasattr(stream, "read") else stream
            self._path = getattr(stream, "name", "")
            again: Any = io.StringIO(self._text) if isinstance(self._text, str) else io.BytesIO(self._text)
            # YAML errors quote this name.
            again.name = self._path or "<unicode string>"
            super().__init__(again)

        def get_single_node(self) -> Any:
            """Return the root node; raise YamlError if aliases make the document too large."""
            root = super().get_single_node()
            try:
                check_aliases(self._text, root, max_depth=MAX_DEPTH)
            except YamlError as exc:
                raise YamlError(f"{self._path}: {exc}", stage="compose") from exc
            return root

    reader._SafeLoader = BoundedLoader


def _text(exc: Any) -> str:
    return str(getattr(exc, "message", "") or exc).strip()
