"""Results of `salt.utils` for calls from a user's module. Runs in stock's Python and in ours.

Reads a list of (module, function, arguments, keywords) as a Python literal from standard input and writes a
list of results, each as nested lists that keep the types; an exception as ["raises", what users catch].
"""

import ast
import importlib
import json
import sys
from collections.abc import Mapping

import yaml


def shown(value):
    """Return a value as nested lists with the names of types."""
    if isinstance(value, Mapping):
        return ["mapping", [[shown(key), shown(item)] for key, item in value.items()]]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [shown(item) for item in value]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((shown(item) for item in value), key=repr)]
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return [type(value).__name__, repr(value)]
    if hasattr(value, "__next__"):
        return ["iterator", [shown(item) for item in value]]
    return ["other", type(value).__name__]


def caught(exc):
    """Return the name by which users catch an exception; others come from wrong types, and differ."""
    if isinstance(exc, yaml.YAMLError):
        return "YAMLError"
    exceptions = importlib.import_module("salt.exceptions")
    for name in ("SaltInvocationError", "CommandExecutionError", "SaltException"):
        if isinstance(exc, getattr(exceptions, name)):
            return name
    return "an error"


def called(module, function, arguments, keywords):
    """Return the result of a call, and its first argument if the call changed it."""
    before = shown(arguments)
    try:
        place = importlib.import_module(f"salt.utils.{module}")
        result = shown(getattr(place, function)(*arguments, **keywords))
    except Exception as exc:
        return ["raises", caught(exc)]
    after = shown(arguments)
    return [result, after] if after != before else [result]


def main():
    """Answer the cases on standard input."""
    if "--ours" in sys.argv:
        from salt_g.loader.import_shim import install

        install()
    cases = ast.literal_eval(sys.stdin.read())
    json.dump([called(*case) for case in cases], sys.stdout)


if __name__ == "__main__":
    main()
