"""Stock's `salt.loader`: tables of functions by name.

Inside a call the tables are those of the call; other programs get their own, for the settings they pass.
"""

from collections.abc import Mapping
from typing import Any

from salt_g import api
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
    """Return the functions of users' `_utils`."""
    return _table("utils", opts)


def runner(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return the runner functions."""
    return _table("runners", opts)


def returners(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return the functions of returners."""
    return _table("returners", opts)


def render(opts: Mapping[str, Any], *stock: Any, **more: Any) -> Mapping[str, Any]:
    """Return users' renderers by name; `salt.template.compile_template` also has the built-in ones."""
    return _table("renderers", opts)


def grains(opts: Mapping[str, Any], **stock: Any) -> Mapping[str, Any]:
    """Return this machine's grains."""
    try:
        return dict(api.current().grains)
    except NoCallContext:
        return gather(dict(opts), Loader(dict(opts)).table("grains"))


def _table(kind: str, opts: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return api.current().table(kind)
    except NoCallContext:
        # Imported lazily: only standalone programs get here, and their functions need a call context.
        from salt_g.local_call import local_context

        return local_context(dict(opts)).table(kind)


__all__ = ["grains", "minion_mods", "render", "returners", "runner", "states", "utils"]
