"""Index of plugin files and the names they may serve, built without importing them.

Calling one function must import only one plugin file. The names that a file may claim are read from its
source text and cached on disk; a cached entry is valid while the source's time and size are unchanged.
Shapes: an `IndexEntry` is one plugin file; an index is a list of entries in order of precedence.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from salt_g.process import disk

#: Format version of the cache file; files of other versions are ignored.
CACHE_VERSION = 2

# Kept as texts and compiled at first use, because most commands find all their plugins in the cache file.
_VIRTUAL_NAME = r"""^__virtualname__\s*(?::\s*\w+\s*)?=\s*["']([\w.]+)["']"""
_HAS_VIRTUAL = r"^def __virtual__\b"
_FUNCTION = r"^(?:async )?def ([A-Za-z]\w*)\s*\("
_LITERAL = r"^{}\s*(?::[^=\n]*)?=\s*(\{{.*?\}}|\[.*?\]|\(.*?\))"


class IndexEntry(NamedTuple):
    """One plugin file.

    `names` are the plugin names it may serve under; with `is_open`, its `__virtual__` may return a name that
    is not in the text; `functions` are the public functions found in the text. `package` is the import name
    of built-in plugins.
    """

    stem: str
    path: str
    names: tuple[str, ...]
    is_open: bool
    functions: tuple[str, ...]
    package: str | None = None


def read_directory(directory: str, cached: dict[str, Any], *, package: str | None = None) -> list[IndexEntry]:
    """Return the entries of one directory, sorted by name; [] if it does not exist.

    `cached` is {file name: [mtime_ns, size, names, is_open, functions]} and is updated.
    """
    entries = []
    for stem, path, stamp in sorted(_plugin_files(directory)):
        known = cached.get(stem)
        if known is None or known[:2] != list(stamp):
            known = cached[stem] = [*stamp, *_read_source(path, stem)]
        _, _, names, is_open, functions = known
        module = f"{package}.{stem}" if package else None
        entries.append(IndexEntry(stem, path, tuple(names), is_open, tuple(functions), module))
    return entries


def read_cache(path: str) -> dict[str, Any]:
    """Return the cached {directory: {stem: ...}}; {} if missing, unreadable or of another version."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict) or data.get("version") != CACHE_VERSION:
        return {}
    directories = data.get("directories")
    return directories if isinstance(directories, dict) else {}


def write_cache(path: str, directories: dict[str, Any]) -> None:
    """Write the index for the next start; a failure only makes that start slower."""
    text = json.dumps({"version": CACHE_VERSION, "directories": directories}, separators=(",", ":"))
    try:
        disk.make_private_directory(os.path.dirname(path))
        disk.write_whole(path, text)
    except OSError:
        return


def _plugin_files(directory: str) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Yield (name, source path, (mtime in ns, size in bytes)) of each plugin."""
    try:
        listing = list(os.scandir(directory))
    except OSError:
        return
    for item in listing:
        if item.name.startswith(("_", ".")):
            continue
        if item.name.endswith(".py"):
            stat = item.stat()
            yield item.name[:-3], item.path, (stat.st_mtime_ns, stat.st_size)
        elif item.is_dir():
            source = os.path.join(item.path, "__init__.py")
            try:
                stat = os.stat(source)
            except OSError:
                continue
            yield item.name, source, (stat.st_mtime_ns, stat.st_size)


def _read_source(path: str, stem: str) -> tuple[list[str], bool, list[str]]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return [stem], False, []
    virtual = re.search(_VIRTUAL_NAME, text, re.M)
    names = [virtual.group(1)] if virtual else [stem]
    is_open = virtual is None and re.search(_HAS_VIRTUAL, text, re.M) is not None
    if is_open:
        names += [name for name in _returned_names(text) if name != stem]
    names += [name for name in _literal("__virtual_aliases__", text) or () if isinstance(name, str)]
    return names, is_open, sorted(_public_functions(text))


def _returned_names(text: str) -> Iterable[str]:
    """Return the string constants that `__virtual__` returns."""
    import ast

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return [
        node.value.value
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and function.name == "__virtual__"
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def _public_functions(text: str) -> set[str]:
    names = set(_literal("__all__", text) or re.findall(_FUNCTION, text, re.M))
    aliases = _literal("__func_alias__", text)
    if isinstance(aliases, dict):
        names = {aliases.get(name, name) for name in names}
    return {name for name in names if isinstance(name, str) and not name.startswith("_")}


def _literal(name: str, text: str) -> Any:
    """Return the literal that a module assigns to a name, or None if there is none."""
    found = re.search(_LITERAL.format(name), text, re.M | re.S)
    if found is None:
        return None
    import ast

    try:
        return ast.literal_eval(found.group(1))
    except (SyntaxError, ValueError):
        return None
