"""Stock's `salt.utils.args`."""

import ast
import inspect
from collections.abc import Callable
from typing import Any

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


def _written(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)


__all__ = ["clean_kwargs", "get_function_argspec", "parse_function", "parse_input"]
