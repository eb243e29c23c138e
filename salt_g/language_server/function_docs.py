"""Parameters and docstring of a state or execution function, without running any code of the tree."""

from __future__ import annotations

import ast
import inspect
from typing import NamedTuple

from salt_g.lint.function_catalogue import FunctionCatalogue
from salt_g.state.run.state_arguments import signature_of


class FunctionDoc(NamedTuple):
    """Documentation of a function; `parameters` are {name: default as text, or None if required}."""

    name: str
    parameters: dict[str, str | None]
    takes_keywords: bool
    text: str

    def call(self) -> str:
        """Return the signature of the function in Python's syntax."""
        words = [
            name if default is None else f"{name}={default}" for name, default in self.parameters.items()
        ]
        return f"{self.name}({', '.join([*words, *(['**kwargs'] if self.takes_keywords else [])])})"


def documentation(functions: FunctionCatalogue, name: str) -> FunctionDoc | None:
    """Return the documentation of a function, or None if it does not exist."""
    for function in functions.variants(name):
        signature = signature_of(function)
        parameters = {
            parameter: repr(signature.defaults[parameter]) if parameter in signature.defaults else None
            for parameter in signature.names
        }
        return FunctionDoc(name, parameters, signature.takes_keywords, inspect.getdoc(function) or "")
    path = functions.users_file(name)
    return _of_source(path, name) if path and name in functions.names else None


def _of_source(path: str, name: str) -> FunctionDoc | None:
    """Return the documentation of a function in a user's file, which is parsed but not executed."""
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, ValueError, SyntaxError):
        return None
    wanted = name.partition(".")[2]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in (wanted, f"{wanted}_"):
            return FunctionDoc(
                name, _parameters(node.args), bool(node.args.kwarg), ast.get_docstring(node) or ""
            )
    return None


def _parameters(arguments: ast.arguments) -> dict[str, str | None]:
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    found: dict[str, str | None] = {argument.arg: None for argument in positional[:required]}
    for argument, default in zip(positional[required:], arguments.defaults, strict=True):
        found[argument.arg] = ast.unparse(default)
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found[argument.arg] = None if keyword_default is None else ast.unparse(keyword_default)
    return found
