"""Write the reference of all plugins from their docstrings: a page for each, an index for each kind.

Shapes: docstrings are plain text with Markdown's code marks, and blocks of examples after `::`.
"""

from __future__ import annotations

import inspect
import pathlib
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

from salt_g.loader.catalogue import CatalogueEntry, builtin_plugins

#: The kinds that users name in their files and commands, with the titles of their indexes.
KINDS = {
    "modules": "Execution modules",
    "states": "States",
    "runners": "Runners",
    "wheel": "Wheel modules",
    "returners": "Returners",
    "beacons": "Beacons",
    "engines": "Engines",
    "sdb": "Secret stores",
    "executors": "Executors",
    "tops": "Master tops",
}
#: What the engine calls, not an author.
_HOOKS = re.compile(r"mod_(init|watch|aggregate|run_check_cmd|beacon)$|__")
_BLOCK = re.compile(r"::\n\n((?: {4}.*\n|\n)+)")


def write(directory: pathlib.Path) -> None:
    """Make the directory anew."""
    shutil.rmtree(directory, ignore_errors=True)
    for kind, title in KINDS.items():
        (directory / kind).mkdir(parents=True)
        plugins = sorted(builtin_plugins(kind), key=lambda plugin: plugin.names[0])
        for plugin in plugins:
            path = directory / kind / f"{plugin.stem}.md"
            path.write_text("\n".join(_page(plugin)), encoding="utf-8")
        (directory / f"{kind}.md").write_text("\n".join(_index(kind, title, plugins)), encoding="utf-8")


def _index(kind: str, title: str, plugins: list[CatalogueEntry]) -> Iterator[str]:
    yield f"# {title}\n"
    yield "```{toctree}\n:hidden:\n"
    yield from (f"{kind}/{plugin.stem}" for plugin in plugins)
    yield "```\n"
    yield "| plugin | what it does |\n|---|---|"
    for plugin in plugins:
        yield f"| [{_title(plugin)}]({kind}/{plugin.stem}.md) | {_summary(plugin.module)} |"


def _page(plugin: CatalogueEntry) -> Iterator[str]:
    yield f"# {_title(plugin)}\n"
    yield _markdown(inspect.getdoc(plugin.module) or "")
    for name, function in sorted(plugin.functions.items()):
        if not _HOOKS.match(name):
            yield f"## {plugin.names[0]}.{name}\n"
            yield f"```python\n{name}{_signature(function)}\n```\n"
            yield _markdown(inspect.getdoc(function) or "")


def _title(plugin: CatalogueEntry) -> str:
    """Return the name that users write, and the file's when several files may serve under it."""
    name = plugin.names[0]
    return name if name == plugin.stem else f"{name} ({plugin.stem})"


def _summary(module: Any) -> str:
    return (inspect.getdoc(module) or "").partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _signature(function: Callable[..., Any]) -> str:
    """Return the parameters with defaults, without types: users write values."""
    taken = inspect.signature(function)
    plain = [each.replace(annotation=each.empty) for each in taken.parameters.values()]
    return str(taken.replace(parameters=plain, return_annotation=taken.empty))


def _markdown(text: str) -> str:
    """Return a docstring with its blocks fenced."""

    def fenced(found: re.Match[str]) -> str:
        return f":\n\n```text\n{inspect.cleandoc(found[1])}\n```\n\n"

    return _BLOCK.sub(fenced, text + "\n")
