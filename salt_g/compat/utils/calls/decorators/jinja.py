"""Stock's `salt.utils.decorators.jinja`: functions of plugins as filters, tests and globals of templates."""

from collections.abc import Callable, MutableMapping
from typing import Any, ClassVar, TypeVar

from salt_g.render.jinja import plugin_names

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Declaration:
    """Decorator that adds a function under a name of templates, by default its own."""

    _names: ClassVar[MutableMapping[str, Any]]

    def __init__(self, name: str | None = None) -> None:
        self.name = name

    def __call__(self, function: _Function) -> _Function:
        """Add the function, and return it as it is."""
        self._names[self.name or function.__name__] = function
        return function


class JinjaFilter(_Declaration):
    """`@jinja_filter("name")`: a filter."""

    _names = salt_jinja_filters = plugin_names.FILTERS


class JinjaTest(_Declaration):
    """`@jinja_test("name")`: a test."""

    _names = salt_jinja_tests = plugin_names.TESTS


class JinjaGlobal(_Declaration):
    """`@jinja_global("name")`: a function that templates call by its name."""

    _names = salt_jinja_globals = plugin_names.GLOBALS


jinja_filter = JinjaFilter
jinja_test = JinjaTest
jinja_global = JinjaGlobal

__all__ = ["JinjaFilter", "JinjaGlobal", "JinjaTest", "jinja_filter", "jinja_global", "jinja_test"]
