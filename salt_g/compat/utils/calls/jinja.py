"""Stock's `salt.utils.jinja`: the filters of templates as functions."""

from typing import Any

from salt_g.compat.refusal import refuse
from salt_g.render.jinja.environment import Environment

#: {function in this module: name of the filter} where the names differ.
_FILTERS = {"lst_avg": "avg", "lst_max": "max", "lst_min": "min", "uuid_": "uuid"}
_NAMES = frozenset(
    ("difference", "indent", "intersect", "lst_avg", "lst_max", "lst_min", "quote", "regex_escape")
    + ("regex_match", "regex_replace", "regex_search", "symmetric_difference", "to_bool", "tojson", "union")
    + ("unique", "uuid_")
)
_ADVICE = "render with `salt.template.compile_template` or `__salt__['slsutil.renderer']`"
SaltCacheLoader = refuse("salt.utils.jinja.SaltCacheLoader", _ADVICE)
SerializerExtension = refuse("salt.utils.jinja.SerializerExtension", _ADVICE)


def __getattr__(name: str) -> Any:
    """Return a filter; the template environment is created on the first access."""
    if name not in _NAMES:
        raise AttributeError(f"module 'salt.utils.jinja' has no attribute {name!r} here")
    return Environment(()).filters[_FILTERS.get(name, name)]


__all__ = ["SaltCacheLoader", "SerializerExtension"]
