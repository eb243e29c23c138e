"""Examples in the documentation of shipped types: their arguments fit the function."""

import importlib
import inspect
import pkgutil
import shlex

import pytest

from salt_g.loader.arguments import parse_words
from salt_g.loader.signature import signature_of

TYPES = ("container_ns", "dummy", "k8s_pod", "network_device", "ssh")


def _functions():
    for type in TYPES:
        rooms = importlib.import_module(f"salt_g.resources.{type}.modules")
        for found in pkgutil.iter_modules(rooms.__path__):
            module = importlib.import_module(f"{rooms.__name__}.{found.name}")
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if function.__module__ == module.__name__ and not name.startswith("_"):
                    yield pytest.param(function, f"{found.name}.{name}", id=f"{type}.{found.name}.{name}")


@pytest.mark.parametrize(("function", "name"), list(_functions()))
def test_the_example_calls_the_function(function, name):
    _, mark, line = inspect.getdoc(function).rpartition("Example::\n\n")

    program, _, command, *words = shlex.split(line)
    args, kwargs = parse_words(words)
    takes = signature_of(function)

    assert (mark, program, command) == ("Example::\n\n", "salt-g", name)
    assert takes.takes_varargs or len(args) <= len(takes.positional)
    assert set(takes.required) <= {*takes.positional[: len(args)], *kwargs}
    assert not [given for given in kwargs if not takes.accepts(given)]
