"""Plugins of salt-g: names, arguments and documentation (`sys`).

Names are searched by module (`pkg`), by function (`pkg.install`) or by pattern (`pkg.*`).
"""

from __future__ import annotations

import fnmatch
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from salt_g import api

__virtualname__ = "sys"

Table = Mapping[str, Callable[..., Any]]

#: reStructuredText removed from documentation: pattern, replacement.
MARKUP = (
    (re.compile(r" *\.\. code-block:: \S+\n{1,2}"), ""),
    (re.compile(r"\.\. note::"), "Note:"),
    (re.compile(r"\.\. warning::"), "Warning:"),
    (re.compile(r"\.\. versionadded::"), "New in version"),
    (re.compile(r"\.\. versionchanged::"), "Changed in version"),
)


def doc(*args: str) -> dict[str, str | None]:
    """Return {function: documentation} of the named execution functions, by default of all.

    Example::

        salt-g sys.doc test.ping
    """
    return _docs(_table("modules"), args)


def state_doc(*args: str) -> dict[str, str | None]:
    """Return {function: documentation} of state functions, and of their modules.

    Example::

        salt-g sys.state_doc service.running
    """
    table = _table("states")
    docs: dict[str, str | None] = {}
    for name in _chosen(table, args):
        module = name.partition(".")[0]
        docs.setdefault(module, _plain(_module_doc(table[name], module)))
        docs[name] = _plain(table[name].__doc__)
    return docs


def runner_doc(*args: str) -> dict[str, str | None]:
    """Return {function: documentation} of runners.

    Example::

        salt-g sys.runner_doc jobs
    """
    return _docs(_table("runners"), args)


def returner_doc(*args: str) -> dict[str, str | None]:
    """Return {function: documentation} of returners.

    Example::

        salt-g sys.returner_doc local
    """
    return _docs(_table("returners"), args)


def renderer_doc(*args: str) -> dict[str, str | None]:
    """Return {function: documentation} of users' renderers, whose functions are named `<renderer>.render`.

    Example::

        salt-g sys.renderer_doc myrenderer
    """
    return _docs(_table("renderers"), args)


def list_functions(*args: str, **kwargs: Any) -> list[str]:
    """Return the sorted names of the execution functions in the named modules, by default in all.

    Example::

        salt-g sys.list_functions sys 'user.*'
    """
    return _functions("modules", args)


def list_modules(*args: str) -> list[str]:
    """Return the names of execution modules, sorted; patterns are allowed.

    Example::

        salt-g sys.list_modules 's*'
    """
    return _modules("modules", args)


def list_state_functions(*args: str, **kwargs: Any) -> list[str]:
    """Return the sorted names of the state functions in the named modules, by default in all.

    Example::

        salt-g sys.list_state_functions file pkg
    """
    return _functions("states", args)


def list_state_modules(*args: str) -> list[str]:
    """Return the names of state modules, sorted; patterns are allowed.

    Example::

        salt-g sys.list_state_modules 'p*'
    """
    return _modules("states", args)


def list_runners(*args: str) -> list[str]:
    """Return the names of runners, sorted; patterns are allowed.

    Example::

        salt-g sys.list_runners
    """
    return _modules("runners", args)


def list_runner_functions(*args: str, **kwargs: Any) -> list[str]:
    """Return the sorted names of the runner functions in the named runners, by default in all.

    Example::

        salt-g sys.list_runner_functions state
    """
    return _functions("runners", args)


def list_returners(*args: str) -> list[str]:
    """Return the names of returners, sorted; patterns are allowed.

    Example::

        salt-g sys.list_returners
    """
    return _modules("returners", args)


def list_returner_functions(*args: str, **kwargs: Any) -> list[str]:
    """Return the sorted names of the returner functions in the named returners, by default in all.

    Example::

        salt-g sys.list_returner_functions local
    """
    return _functions("returners", args)


def list_renderers(*args: str) -> list[str]:
    """Return the names of renderers, sorted; patterns are allowed.

    Example::

        salt-g sys.list_renderers 'y*'
    """
    own = api.services().render.names()
    users = (name.partition(".")[0] for name in _table("renderers"))
    names = sorted({*own, *users})
    return [name for name in names if not args or any(fnmatch.fnmatchcase(name, word) for word in args)]


def reload_modules() -> bool:
    """Read users' plugins again at their next use; return True.

    Example::

        salt-g sys.reload_modules
    """
    api.services().plugins.reload()
    return True


def argspec(module: str = "") -> dict[str, dict[str, Any]]:
    """Return {function: {args, defaults, varargs, kwargs}} of execution functions; {} without `module`.

    Example::

        salt-g sys.argspec pkg.install
    """
    return _arguments(_table("modules"), module)


def state_argspec(module: str = "") -> dict[str, dict[str, Any]]:
    """Return {function: {args, defaults, varargs, kwargs}} of state functions; {} without `module`.

    Example::

        salt-g sys.state_argspec pkg.installed
    """
    return _arguments(_table("states"), module)


def runner_argspec(module: str = "") -> dict[str, dict[str, Any]]:
    """Return {function: {args, defaults, varargs, kwargs}} of runner functions; {} without `module`.

    Example::

        salt-g sys.runner_argspec state
    """
    return _arguments(_table("runners"), module)


def returner_argspec(module: str = "") -> dict[str, dict[str, Any]]:
    """Return {function: {args, defaults, varargs, kwargs}} of returner functions; {} without `module`.

    Example::

        salt-g sys.returner_argspec local
    """
    return _arguments(_table("returners"), module)


def state_schema(module: str = "") -> list[dict[str, Any]]:
    """Return a list of JSON Schemas, one for the arguments of each state function; [] without `module`.

    Example::

        salt-g sys.state_schema user.present
    """
    return [_schema(name, spec) for name, spec in state_argspec(module).items()]


def _table(kind: str) -> Table:
    """Return the functions of a plugin kind, or {} if this program does not have that kind."""
    try:
        return api.current().table(kind)
    except KeyError:
        return {}


def _chosen(table: Table, words: Iterable[str]) -> Iterator[str]:
    """Yield the names selected by patterns, functions and modules; all names if `words` is empty."""
    for name in table:
        if not words or any(_means(word, name) for word in words):
            yield name


def _means(word: str, name: str) -> bool:
    if "*" in word:
        return fnmatch.fnmatchcase(name, word)
    return not word or name == word or name.startswith(word.rstrip(".") + ".")


def _functions(kind: str, words: Iterable[str]) -> list[str]:
    return sorted(_chosen(_table(kind), words))


def _modules(kind: str, words: Iterable[str]) -> list[str]:
    modules = sorted({name.partition(".")[0] for name in _table(kind)})
    if not words:
        return modules
    patterns = [word.partition(".")[0] for word in words]
    return [name for name in modules if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def _docs(table: Table, words: Iterable[str]) -> dict[str, str | None]:
    return {name: _plain(table[name].__doc__) for name in _chosen(table, words)}


def _plain(text: str | None) -> str | None:
    """Return documentation without the markup that only a rendered page needs."""
    if text is None:
        return None
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    return text


def _module_doc(function: Callable[..., Any], module: str) -> str | None:
    """Return the documentation of a function's plugin (a file or a package)."""
    home = str(function.__module__)
    while home.count(".") > 2:
        home = home.rpartition(".")[0]
    return getattr(sys.modules.get(home), "__doc__", None)


def _arguments(table: Table, word: str) -> dict[str, dict[str, Any]]:
    if "*" in word or "." in word:
        names = [name for name in table if fnmatch.fnmatchcase(name, word)]
    else:
        names = [name for name in table if name.startswith(word + ".")]
    return {name: _arguments_of(table[name]) for name in names}


def _arguments_of(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    kinds = {parameter.kind for parameter in parameters}
    named = [item for item in parameters if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD)]
    defaults = [item.default for item in named if item.default is not item.empty]
    return {
        "args": [item.name for item in named] or None,
        "defaults": defaults or None,
        "varargs": True if inspect.Parameter.VAR_POSITIONAL in kinds else None,
        "kwargs": True if inspect.Parameter.VAR_KEYWORD in kinds else None,
    }


def _schema(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    names, defaults = spec["args"] or [], spec["defaults"] or []
    required = names[: len(names) - len(defaults)]
    preset = dict(zip(names[len(required) :], defaults, strict=True))
    return {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "title": name,
        "description": name,
        "type": "object",
        "properties": {key: _property(key, preset) for key in names},
        "required": required,
        "x-ordering": names,
        "additionalProperties": False,
    }


def _property(key: str, preset: dict[str, Any]) -> dict[str, Any]:
    described = {"title": key, "description": key, **({"default": preset[key]} if key in preset else {})}
    return {"oneOf": [{"type": kind, **described} for kind in ("boolean", "integer", "number", "string")]}
