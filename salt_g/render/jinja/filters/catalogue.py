"""All filters by the name used in templates."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jinja2 import pass_context
from jinja2.filters import do_random

import salt_g.render.jinja.filters.dates as dates
import salt_g.render.jinja.filters.dicts as dicts
import salt_g.render.jinja.filters.files as files
import salt_g.render.jinja.filters.formats as formats
import salt_g.render.jinja.filters.hashes as hashes
import salt_g.render.jinja.filters.lists as lists
import salt_g.render.jinja.filters.network as network
import salt_g.render.jinja.filters.text as text
from salt_g.render.jinja.plugin_names import depending


def volatile(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a filter for evaluation at each rendering, even of constants."""

    @pass_context
    @functools.wraps(function)
    def each_time(context: Any, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return each_time


#: Filters of Jinja that depend on more than their arguments.
JINJAS: dict[str, Callable[..., Any]] = {"random": depending(do_random)}
FILTERS: dict[str, Callable[..., Any]] = {
    **text.FILTERS,
    **lists.FILTERS,
    **dicts.FILTERS,
    **formats.FILTERS,
    **hashes.FILTERS,
    **network.FILTERS,
    **files.FILTERS,
    **{name: volatile(function) for name, function in text.SECRET.items()},
    **{
        # These depend on the clock, on chance, on the machine or on other hosts.
        name: volatile(depending(function))
        for filters in (
            dates.FILTERS,
            files.VOLATILE,
            text.VOLATILE,
            lists.VOLATILE,
            hashes.VOLATILE,
            network.VOLATILE,
        )
        for name, function in filters.items()
    },
}
