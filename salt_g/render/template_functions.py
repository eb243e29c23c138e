"""The `salt` object of templates: `salt['m.f']`, `salt.m.f`, `'m.f' in salt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from salt_g.errors import NoSuchFunction, NotOffered

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes

#: Package of the functions of salt-g.
_OWN = "salt_g."


class TemplateFunctions(Mapping[str, Callable[..., Any]]):
    """Execution functions by name, and by plugin as attributes."""

    def __init__(self, table: Mapping[str, Callable[..., Any]], reads: ReadNotes | None = None) -> None:
        self._table = table if reads is None or reads.is_known else _Noted(table, reads)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self._table[name]

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __getattr__(self, plugin: str) -> PluginFunctions:
        # Template engines try an attribute if an item is missing; a name with a dot is never a plugin.
        if plugin.startswith("_") or "." in plugin or not self._has_plugin(plugin):
            raise AttributeError(plugin)
        return PluginFunctions(self._table, plugin)

    def missing(self, name: str) -> str:
        """Return the error text for a missing function or plugin used by a template."""
        return _missing(self._table, name)

    def _has_plugin(self, plugin: str) -> bool:
        """Return whether a plugin of this name may exist; the loader's tables know without loading it."""
        has_plugin = getattr(self._table, "has_plugin", None)
        return has_plugin is None or bool(has_plugin(plugin))


class _Noted(Mapping[str, Callable[..., Any]]):
    """Table of functions that records which functions a template calls or looks up."""

    def __init__(self, table: Mapping[str, Callable[..., Any]], reads: ReadNotes) -> None:
        self._table = table
        self._reads = reads
        #: Function names already recorded for this template.
        self._names: set[str] = set()
        self.has_plugin: Callable[[str], bool] = getattr(table, "has_plugin", lambda plugin: True)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name in self._names:
            function = self._table[name]
        else:
            self._reads.name(f"function:{name}")
            function = self._table[name]
            self._names.add(name)
            if not str(getattr(function, "__module__", "")).startswith(_OWN):
                # A user's function that replaces one of ours may depend on anything.
                self._reads.outside()
        return _noting_mine(function, self._reads) if name == "mine.get" else function

    def __contains__(self, name: object) -> bool:
        self._reads.name(f"function:{name}")
        return name in self._table

    def __iter__(self) -> Iterator[str]:
        self._reads.name("function")
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


def _noting_mine(function: Callable[..., Any], reads: ReadNotes) -> Callable[..., Any]:
    """Wrap `mine.get` to record which functions of the mine it is asked for."""

    def get(tgt: Any, fun: Any, *args: Any, **kwargs: Any) -> Any:
        for name in fun if isinstance(fun, (list, tuple)) else str(fun).split(","):
            reads.name(f"mine:{name}")
        return function(tgt, fun, *args, **kwargs)

    return get


class PluginFunctions:
    """The functions of one plugin as attributes: `salt.grains.get`."""

    def __init__(self, table: Mapping[str, Callable[..., Any]], plugin: str) -> None:
        self._table = table
        self._plugin = plugin

    def missing(self, name: str) -> str:
        """Return the error text for a missing function used by a template."""
        return _missing(self._table, f"{self._plugin}.{name}")

    def __getattr__(self, function: str) -> Callable[..., Any]:
        try:
            return self._table[f"{self._plugin}.{function}"]
        except LookupError:
            raise AttributeError(f"{self._plugin}.{function}") from None


def _missing(table: Mapping[str, Callable[..., Any]], name: str) -> str:
    """Return the sentence about a function that a table lacks: why, and the nearest names."""
    message = f"'salt' has no function {name!r}"
    try:
        table[name]
    except NotOffered as exc:
        return f"{message}: {exc}"
    except NoSuchFunction as exc:
        if exc.reason:
            return f"{message}: {exc.reason}"
        return f"{message} (did you mean {' or '.join(exc.nearest)}?)" if exc.nearest else message
    except LookupError:
        return message
    return message
