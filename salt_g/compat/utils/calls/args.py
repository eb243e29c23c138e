"""Stock's `salt.utils.args`."""

import ast
import inspect
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.errors import InvocationError
from salt_g.loader.arguments import parse_words
from salt_g.shapes import Arguments, CallArguments


def clean_kwargs(**kwargs: Any) -> Arguments:
    """Return the keyword arguments without those that begin with two underscores."""
    return {name: value for name, value in kwargs.items() if not name.startswith("__")}


def parse_input(args: list[str], condition: bool = True, **stock: Any) -> CallArguments:
    """Return the arguments and keyword arguments from a command line."""
    return parse_words(args)


def parse_function(s: str) -> tuple[str | None, list[Any], Arguments]:
    """Return name, arguments and keyword arguments of a call in text form: `f(1, b=two)`.

    (None, [], {}) for other text. A bare word is text.
    """
    try:
        call = ast.parse(s.strip(), mode="eval").body
    except SyntaxError:
        return None, [], {}
    if not isinstance(call, ast.Call):
        return None, [], {}
    args = [_written(argument) for argument in call.args]
    kwargs = {word.arg: _written(word.value) for word in call.keywords if word.arg}
    return ast.unparse(call.func), args, kwargs


def get_function_argspec(
    func: Callable[..., Any], is_class_method: bool | None = None
) -> inspect.FullArgSpec:
    """Return the signature of a function."""
    return inspect.getfullargspec(func)


def split_input(val: Any, mapper: Callable[[str], Any] | None = None) -> list[Any]:
    """Return the items of a list, or of a text with commas, each passed through `mapper`."""
    items = val if isinstance(val, list) else [part.strip() for part in str(val).split(",")]
    return [mapper(item) for item in items] if mapper else items


def invalid_kwargs(kwargs: Mapping[str, Any], raise_exc: bool = True) -> str:
    """Raise InvocationError that names keyword arguments as invalid, or return its text."""
    shown = ", ".join(f"{name}={value}" for name, value in kwargs.items())
    text = f"The following keyword arguments are not valid: {shown}"
    if raise_exc:
        raise InvocationError(text)
    return text


def yamlify_arg(arg: Any) -> Any:
    """Return the value of an argument as written on a command line."""
    return parse_words([arg])[0][0] if isinstance(arg, str) and "=" not in arg else arg


def _written(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


def shlex_split(s: Any, **kwargs: Any) -> Any:
    """Return the words of a text as a shell would split it; other values as they are."""
    return shlex.split(s, **kwargs) if isinstance(s, str) else s


__all__ = ["clean_kwargs", "get_function_argspec", "invalid_kwargs", "parse_function", "parse_input"]
__all__ += ["shlex_split", "split_input", "yamlify_arg"]
