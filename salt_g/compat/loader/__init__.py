"""Stock's `salt.loader`: tables of functions by name.

Inside a call the functions return the tables of that call, in other programs tables for the settings passed.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.compat.loader import tables
from salt_g.compat.refusal import refuse
from salt_g.errors import NoCallContext
from salt_g.loader import Loader
from salt_g.loader.grains import gather


def minion_mods(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the execution functions."""
    return _table("modules", opts)


def states(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the state functions."""
    return _table("states", opts)


def utils(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the functions of users' `_utils` and of `salt.utils`."""
    return tables.Utils(_table("utils", opts))


def runner(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the runner functions."""
    return _table("runners", opts)


def returners(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the functions of returners."""
    return _table("returners", opts)


def render(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the renderers by name; each accepts a file or text, `saltenv`, `sls` and variables."""
    return tables.Renderers(opts, _table("renderers", opts))


def outputters(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the outputters by name; each formats data as text."""
    return tables.outputters(opts, _table("outputters", opts))


def matchers(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the matchers, which test whether a target selects the minion of `opts`."""
    return tables.matchers(opts, _table("matchers", opts))


def pillars(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the sources of external pillar by name."""
    return tables.pillars(_table("pillar", opts))


def fileserver(opts: Mapping[str, Any], backends: Any = None, **stock: Any) -> Mapping[str, Any]:
    """Return the functions of `roots` and of users' file server backends."""
    return tables.fileserver(_table("fileserver", opts))


def tops(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the sources of top data by name."""
    return tables.ByPlugin(_table("tops", opts), "top")


def log_handlers(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return users' log handlers by name."""
    return tables.ByPlugin(_table("log_handlers", opts), "setup_handlers")


def grains(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return this machine's grains."""
    try:
        return dict(api.current().grains)
    except NoCallContext:
        return gather(dict(opts), Loader(dict(opts)).table("grains"))


def _of(kind: str, what: str) -> Callable[..., Mapping[str, Any]]:
    """Return a function like those of stock's loader, for one kind of plugin."""

    def load(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
        return _table(kind, opts)

    load.__doc__ = f"Return the functions of {what}."
    return load


auth = _of("auth", "users' modules for `external_auth`")
beacons = _of("beacons", "beacons")
cache = _of("cache", "drivers of external caches")
engines = _of("engines", "engines")
executors = _of("executors", "executors")
proxy = _of("proxy", "users' proxy modules")
roster = _of("roster", "rosters")
sdb = _of("sdb", "sdb drivers")
ssh_wrapper = _of("wrapper", "users' wrapper functions")
wheels = _of("wheel", "wheel functions")


def serializers(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the functions of serializers (`json.serialize`); users' serializers take precedence."""
    found: dict[str, Any] = {}
    for name in ("configparser", "json", "msgpack", "toml", "yaml", "yamlex"):
        module = importlib.import_module(f"salt_g.compat.serializers.{name}")
        found |= {f"{name}.{each}": getattr(module, each) for each in ("serialize", "deserialize")}
    return {**found, **_table("serializers", opts)}


def grain_funcs(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the functions that gather grains."""
    return _table("grains", opts)


def raw_mod(opts: Mapping[str, Any], name: str, functions: Any, mod: str = "modules") -> Mapping[str, Any]:
    """Return the functions of one plugin, {name.function: function}, or {} if it does not exist."""
    return {each: function for each, function in _table(mod, opts).items() if each.startswith(f"{name}.")}


def _nothing(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return {}, because plugins of this kind are not loaded."""
    return {}


LazyLoader = refuse("salt.loader.LazyLoader", "use a function of `salt.loader`, such as `minion_mods`")
clouds = eauth_tokens = metaproxy = netapi = queues = thorium = _nothing


def _table(kind: str, opts: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return api.current().table(kind)
    except NoCallContext:
        # Imported lazily: only standalone programs get here.
        from salt_g.compat.loader.standalone import StandaloneTable
        from salt_g.local_call import local_context

        return StandaloneTable(local_context(dict(opts)), kind)


__all__ = [
    "LazyLoader",
    "auth",
    "beacons",
    "cache",
    "clouds",
    "eauth_tokens",
    "engines",
    "executors",
    "fileserver",
]
__all__ += ["grain_funcs", "grains", "log_handlers", "matchers", "metaproxy", "minion_mods", "netapi"]
__all__ += ["outputters", "pillars", "proxy", "queues", "raw_mod", "render", "returners", "roster", "runner"]
__all__ += ["sdb", "serializers", "ssh_wrapper", "states", "thorium", "tops", "utils", "wheels"]
