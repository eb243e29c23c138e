"""Stock's `salt.utils.functools`: copies and aliases of functions."""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from salt_g import api


def namespaced_function(
    function: FunctionType, global_dict: dict[str, Any], defaults: Any = None, **stock: Any
) -> Any:
    """Return a copy of a function with additional global names, which take precedence over its own."""
    names = {**function.__globals__, **global_dict}
    return _copy(function, names, function.__name__, defaults or function.__defaults__)


def alias_function(fun: FunctionType, name: str, doc: str | None = None) -> Any:
    """Return a copy of a function under another name."""
    made = _copy(fun, fun.__globals__, name, fun.__defaults__)
    made.__doc__ = doc or f"Alias of `{fun.__name__}`.\n\n{fun.__doc__ or ''}"
    return made


def call_function(salt_function: Callable[..., Any] | str, *args: Any, **kwargs: Any) -> Any:
    """Call an execution function, given as such or by name; positional mappings become keyword arguments."""
    by_name = isinstance(salt_function, str)
    function: Any = api.current().table("modules")[str(salt_function)] if by_name else salt_function
    plain = [value for value in args if not isinstance(value, Mapping)]
    for value in args:
        kwargs = {**kwargs, **value} if isinstance(value, Mapping) else kwargs
    return function(*plain, **kwargs)


def _copy(fun: FunctionType, names: dict[str, Any], name: str, defaults: Any) -> FunctionType:
    made = FunctionType(fun.__code__, names, name, defaults, fun.__closure__)
    made.__dict__.update(fun.__dict__)
    made.__kwdefaults__, made.__doc__ = fun.__kwdefaults__, fun.__doc__
    return made


__all__ = ["alias_function", "call_function", "namespaced_function"]
