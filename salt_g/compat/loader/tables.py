"""Tables of stock's `salt.loader` with plain plugin names as keys (`render`, `outputters`), and matchers.

The tables contain built-in and users' plugins. Inside a call, built-in renderers use the settings of the
call; outputters and matchers use `opts`. Renderers and matchers take grains and pillar from `opts` if it is a
plain dict that has them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from salt_g import api
from salt_g.compat.fileserver import roots
from salt_g.data.nested import DELIMITER
from salt_g.loader.dunders import stock_util
from salt_g.match import matchers as matching
from salt_g.match.minion_view import MinionView
from salt_g.output import registry
from salt_g.pillar import external
from salt_g.render import renderers

#: Renderers that read a text argument as the path of a file and return a file object, as in stock.
_OF_FILES = frozenset(("jinja", "mako", "stateconf"))
#: Target types whose matchers accept a delimiter after the target.
_WITH_DELIMITER = frozenset(("grain", "grain_pcre", "pillar", "pillar_pcre", "pillar_exact"))


class ByPlugin(Mapping[str, Any]):
    """The functions that plugins define under one name (`render`), by plugin name."""

    def __init__(self, table: Mapping[str, Any], function: str) -> None:
        self._table = table
        self._suffix = f".{function}"

    def __getitem__(self, name: str) -> Any:
        return self._table[name + self._suffix]

    def __iter__(self) -> Iterator[str]:
        return (name.removesuffix(self._suffix) for name in self._table if name.endswith(self._suffix))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Renderers(Mapping[str, Callable[..., Any]]):
    """Renderers by name, as functions `render(data, saltenv, sls, **variables)` like stock's.

    If `opts` is a plain dict with grains or pillar, the attribute `variables` holds these for templates.
    """

    def __init__(self, opts: Mapping[str, Any], users: Mapping[str, Any]) -> None:
        self._opts = opts
        self._users = ByPlugin(users, "render")
        self.variables = {
            key: opts[key] for key in ("grains", "pillar") if type(opts) is dict and key in opts
        }

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name in self._users:
            function: Callable[..., Any] = self._users[name]
            return function
        if name not in renderers.names():
            raise KeyError(f"{name}.render")
        return _renderer(name, self._opts, self.variables)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*renderers.names(), *self._users]))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def renderer(name: str) -> Callable[..., Any]:
    """Return the built-in renderer of this name, with the signature of stock's."""
    return _renderer(name, {}, {})


def _renderer(name: str, opts: Mapping[str, Any], changed: Mapping[str, Any]) -> Callable[..., Any]:
    # Not a partial, because its repr would show all settings in a log.
    def render(data: Any, saltenv: str = "base", sls: str = "", **variables: Any) -> Any:
        """Render a file, or the text or data from the renderer before."""
        return _rendered(name, opts, {**changed, **variables}, data, saltenv, sls)

    return render


def _rendered(
    name: str, opts: Mapping[str, Any], variables: dict[str, Any], data: Any, saltenv: str, sls: str
) -> Any:
    """Run one built-in renderer; template renderers return a file object, as in stock."""
    path = str(variables.pop("tmplpath", None) or "").removeprefix(":string:")
    names = {**variables, **(variables.pop("context", None) or {})}
    if hasattr(data, "read"):
        data = data.read()
    elif name in _OF_FILES and isinstance(data, str):
        path = path or data
        with open(data, encoding="utf-8") as file:
            data = file.read()
    with _call(opts):
        result = api.services().render.render_step(
            name, data, saltenv=saltenv or "base", sls=sls, tmplpath=path, **names
        )
    return io.StringIO(result) if name in _OF_FILES and isinstance(result, str) else result


def _call(opts: Mapping[str, Any]) -> AbstractContextManager[object]:
    """Return a context manager that enters a call with `opts`, unless a call is running already."""
    if api.is_running():
        return nullcontext()
    from salt_g.local_call import local_context  # Imported lazily: for standalone programs.

    return api.use(local_context(dict(opts)))


def outputters(opts: Mapping[str, Any], users: Mapping[str, Any]) -> dict[str, Callable[..., str]]:
    """Return the outputters by name; each formats data as text."""

    def outputter(name: str) -> Callable[..., str]:
        def output(data: Any, _retcode: int = 0, **stock: Any) -> str:
            """Return data as text in the format of this outputter."""
            return registry.render(name, data, opts, retcode=_retcode)

        return output

    return {**{name: outputter(name) for name in registry.names()}, **ByPlugin(users, "output")}


def pillars(users: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the sources of external pillar by name; each accepts a minion's id, its pillar and arguments."""

    def source(name: str) -> Callable[..., Any]:
        def ext_pillar(minion_id: str, pillar: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
            """Return the pillar of a built-in source."""
            found: Any = external.find_source(name)
            return found(minion_id, pillar, *args, **kwargs)

        return ext_pillar

    return {**{name: source(name) for name in external.OWN}, **ByPlugin(users, "ext_pillar")}


def fileserver(users: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of `roots` and of users' file server backends."""
    return {**{f"roots.{name}": getattr(roots, name) for name in roots.__all__}, **users}


def matchers(opts: Mapping[str, Any], users: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the matchers, {"glob_match.match": function}, for the minion of `opts`."""
    own: dict[str, Callable[..., Any]] = {
        f"{kind}_match.match": _matcher(kind, opts) for kind in sorted(matching.TYPES)
    }

    def confirm_top(match: Any, data: Any, nodegroups: Mapping[str, Any] | None = None) -> bool:
        """Return whether a top file's target selects the minion; `data` lists its SLS and target type."""
        kinds = [each["match"] for each in data if isinstance(each, Mapping) and "match" in each]
        return _matched(str(kinds[-1]) if kinds else "compound", opts, match, nodegroups=nodegroups)

    return {**own, "confirm_top.confirm_top": confirm_top, **users}


def _matcher(kind: str, settings: Mapping[str, Any]) -> Callable[..., bool]:
    def match(tgt: Any, *args: Any, opts: Mapping[str, Any] | None = None, **more: Any) -> bool:
        """Return whether a target selects the minion; a second argument is the delimiter or nodegroups."""
        if args:
            more["delimiter" if kind in _WITH_DELIMITER else "nodegroups"] = args[0]
        more.pop("functions", None)
        return _matched(kind, settings if opts is None else opts, tgt, **more)

    return match


def _matched(
    kind: str,
    chosen: Mapping[str, Any],
    tgt: Any,
    *,
    minion_id: str | None = None,
    delimiter: str = DELIMITER,
    nodegroups: Mapping[str, Any] | None = None,
) -> bool:
    """Return whether a target selects the minion with these settings."""
    member = MinionView(
        id=minion_id or str(chosen.get("id", "")),
        grains=_part(chosen, "grains"),
        pillar=_part(chosen, "pillar"),
        nodegroups=(chosen.get("nodegroups") if nodegroups is None else nodegroups) or {},
        data=lambda key: api.call("data.getval", key),
        range_server=str(chosen.get("range_server", "")),
    )
    return matching.matches(tgt, kind, member, delimiter=delimiter)


def _part(opts: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return grains or pillar from settings that are a plain dict and have them, else from the call."""
    if type(opts) is dict and name in opts:
        return dict(opts[name])
    return api.grains if name == "grains" else api.pillar


class Utils(Mapping[str, Any]):
    """Functions of users' `_utils`, and those of `salt.utils`, which can be looked up but are not listed."""

    def __init__(self, users: Mapping[str, Any]) -> None:
        self._users = users

    def __getitem__(self, name: str) -> Any:
        if name in self._users:
            return self._users[name]
        found = stock_util(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    def __len__(self) -> int:
        return len(self._users)


__all__ = ["ByPlugin", "Renderers", "Utils", "fileserver", "matchers", "outputters", "pillars", "renderer"]
