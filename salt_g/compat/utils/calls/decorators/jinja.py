"""Stock's `salt.utils.decorators.jinja`: decorators for filters, tests and globals of templates."""

from collections.abc import Callable, MutableMapping
from typing import Any, ClassVar, TypeVar

from salt_g.render.jinja import plugin_names

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Declaration:
    """Decorator that offers a function to templates, by default under the function's own name."""

    _names: ClassVar[MutableMapping[str, Any]]

    def __init__(self, name: str | None = None) -> None:
        self.name = name

    def __call__(self, function: _Function) -> _Function:
        """Register the function, and return it unchanged."""
        self._names[self.name or function.__name__] = function
        return function


class JinjaFilter(_Declaration):
    """Decorator `@jinja_filter("name")` for filters."""

    _names = salt_jinja_filters = plugin_names.FILTERS


class JinjaTest(_Declaration):
    """Decorator `@jinja_test("name")` for tests."""

    _names = salt_jinja_tests = plugin_names.TESTS


class JinjaGlobal(_Declaration):
    """Decorator `@jinja_global("name")` for functions that templates call by name."""

    _names = salt_jinja_globals = plugin_names.GLOBALS


jinja_filter = JinjaFilter
jinja_test = JinjaTest
jinja_global = JinjaGlobal

__all__ = ["JinjaFilter", "JinjaGlobal", "JinjaTest", "jinja_filter", "jinja_global", "jinja_test"]
