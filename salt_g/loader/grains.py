"""Grains of this minion: built-in modules, user modules, the `grains` file, the settings.

A later source replaces an earlier one (`grains_deep_merge` merges mappings of all but the last):

1. built-in grain modules, those that build on other grains last;
2. users' grain modules (`_grains`, `grains_dirs`);
3. the file `grains` next to the minion's configuration file;
4. `grains` of the settings.

Errors: a module that raises is logged by its name and skipped. Source: stock's order, tested.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g import api
from salt_g.data.nested import merge_recursive
from salt_g.errors import NoCallContext, YamlError
from salt_g.regex.name_patterns import matches_name
from salt_g.services.plugins import Services
from salt_g.shapes import GrainsDict, Opts

log = logging.getLogger(__name__)

#: Name of the file in `cachedir` with the cached grains.
CACHE_FILE = "grains.cache.p"
#: Names that every state run requests and that no built-in grain module returns.
NEVER_BUILT_IN = frozenset({"test"})
#: Prefix of functions in built-in grain modules, and in users' files with the same virtual name.
CORE = "core."

Function = Callable[..., Any]


def gather(opts: Opts, table: Mapping[str, Function], *, refresh: bool = False) -> GrainsDict:
    """Return all grains; `table` holds the grain functions by `plugin.function`.

    With the setting `grains_cache` they are read from disk while the cache is younger than
    `grains_cache_expiration` (s); with `skip_grains` the result is {}. `refresh` overrides both.
    """
    if opts.get("skip_grains") and not refresh:
        return {}
    cache = os.path.join(opts.get("cachedir", ""), CACHE_FILE)
    if opts.get("grains_cache") and not refresh:
        cached = _read_cache(cache, opts)
        if cached:
            return cached
    found = _gather_anew(opts, table)
    if opts.get("grains_cache"):
        _write_cache(cache, found)
    return found


def lacks_grain(name: str, opts: Opts, *, users_modules: bool) -> bool:
    """Return whether a grain is certainly missing, without gathering the other grains.

    `users_modules` says whether users' grain modules exist, which may return any name.
    """
    if name not in NEVER_BUILT_IN or users_modules or opts.get("grains_cache"):
        return False
    return name not in (opts.get("grains") or {}) and name not in static_grains(opts)


def static_grains(opts: Opts) -> GrainsDict:
    """Return the grains in the file `grains` next to the configuration file; {} if none can be read."""
    path = grains_file(opts)
    if not path or not os.path.isfile(path):
        return {}
    from salt_g.formats.yaml_load import load  # Imported lazily: slow import, rarely used.

    try:
        with open(path, "rb") as file:
            found = load(file.read(), name=path)
    except (YamlError, OSError) as exc:
        log.warning("skipping grains file %s: %s", path, exc)
        return {}
    return found if isinstance(found, dict) else {}


def grains_file(opts: Opts) -> str:
    """Return the path of the file `grains`, or '' without a configuration file."""
    configuration = str(opts.get("conf_file") or "")
    if os.path.isdir(configuration):
        return os.path.join(configuration, "grains")
    return os.path.join(os.path.dirname(configuration), "grains") if configuration else ""


def _gather_anew(opts: Opts, table: Mapping[str, Function]) -> GrainsDict:
    found: GrainsDict = {}
    merge = _merge_deeply if opts.get("grains_deep_merge") else _replace
    blocked = list(opts.get("grains_blacklist") or [])
    with api.use(_context(opts, found)):
        for name, function in _in_order(table):
            merge(found, _without(_call(name, function, found), blocked))
    merge(found, _without(static_grains(opts), blocked))
    # As in stock, grains of the configuration replace mappings regardless of `grains_deep_merge`.
    _replace(found, opts.get("grains") or {})
    return found


def _context(opts: Opts, found: GrainsDict) -> api.CallContext:
    """Return a call context with the grains found so far."""
    try:
        context = api.current()
    except NoCallContext:
        return api.CallContext(opts=opts, grains=found, pillar={}, services=Services())
    pillar = context.unread("pillar")
    if isinstance(pillar, api.Deferred):
        pillar = api.Deferred(lambda: context.pillar)
        # Pillar needs these grains, so a copy of the settings made meanwhile must not ask for pillar.
        pillar.is_being_made = True
    return context.replace(opts=opts, grains=found, pillar=pillar)


def _in_order(table: Mapping[str, Function]) -> Iterable[tuple[str, Function]]:
    return sorted(table.items(), key=lambda item: (_rank(*item), item[0]))


def _rank(name: str, function: Function) -> int:
    if not name.startswith(CORE):
        return 2
    return 1 if "grains" in _parameters(function) else 0


def _parameters(function: Function) -> tuple[str, ...]:
    """Return the names of a function's parameters, as `inspect` would, which is slow to import."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()


def _call(name: str, function: Function, found: GrainsDict) -> GrainsDict:
    wanted = _parameters(function)
    offered = {"grains": found, "proxy": None}
    try:
        made = function(**{key: value for key, value in offered.items() if key in wanted})
    # A plugin may raise anything and may call sys.exit; the other grains are still gathered.
    except (Exception, SystemExit):
        log.critical("grain module function %s failed; its grains are missing", name, exc_info=True)
        return {}
    return made if isinstance(made, dict) else {}


def _without(made: Mapping[str, Any], blocked: list[str]) -> GrainsDict:
    return {
        name: value
        for name, value in made.items()
        if not any(matches_name(str(name), block) for block in blocked)
    }


def _replace(found: GrainsDict, made: Mapping[str, Any]) -> None:
    found.update(made)


def _merge_deeply(found: GrainsDict, made: Mapping[str, Any]) -> None:
    found.update(merge_recursive(found, made))


def _read_cache(path: str, opts: Opts) -> GrainsDict:
    """Return cached grains, or {} if they are too old, unreadable or disabled."""
    if opts.get("refresh_grains_cache"):
        return {}
    import msgpack  # Imported lazily: only with `grains_cache`.

    try:
        if time.time() - os.path.getmtime(path) > opts.get("grains_cache_expiration", 300):
            return {}
        with open(path, "rb") as file:
            cached = msgpack.unpackb(file.read(), strict_map_key=False)
    except (OSError, ValueError, msgpack.UnpackException):
        return {}
    return cached if isinstance(cached, dict) else {}


def _write_cache(path: str, found: GrainsDict) -> None:
    import msgpack

    from salt_g.process.disk import make_private_directory, write_whole

    try:
        make_private_directory(os.path.dirname(path))
        write_whole(path, msgpack.packb(found))
    except (OSError, TypeError, ValueError) as exc:
        log.error("cannot cache grains in %s: %s", path, exc)
