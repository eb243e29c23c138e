"""One plugin file: import, `__virtual__` check and public functions.

Shapes: `load(entry) -> Plugin`; an unavailable plugin has no functions and a `reason`. Errors: none raised;
an import error becomes a reason with file and line and is logged once, and the other plugins still load.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from salt_g.loader.index import IndexEntry

#: Attribute of a user's function: a callable that decides, once the module is loaded, whether the function is
#: offered.
OFFERED = "__salt_g_offered__"


class Plugin(NamedTuple):
    """Loaded plugin file; `functions` are by public name, and `module` is None if the import failed.

    `aliases` are further names (`__virtual_aliases__`) under which the functions are available.
    """

    name: str
    path: str
    module: ModuleType | None
    functions: Mapping[str, Callable[..., Any]]
    reason: str = ""
    aliases: tuple[str, ...] = ()


def load(
    entry: IndexEntry, dunders: Mapping[str, Any], *, kind: str, libraries: Sequence[str] = ()
) -> Plugin:
    """Import the file of `entry` and return its plugin.

    `dunders` are bound into users' files before and after these run; users' files can import from
    the directories `libraries` and from their own directory. Built-in plugins use neither.
    """
    try:
        module = (
            importlib.import_module(entry.package)
            if entry.package
            else _import_user_file(entry, dunders, kind, libraries)
        )
        if entry.package is None:
            _call_init(module)
        name, reason = _call_virtual(module, entry.stem)
        functions = {} if reason else public_functions(module, is_ours=entry.package is not None, kind=kind)
    # A plugin is foreign code: any exception while it loads, even SystemExit, is the reason why it is
    # unavailable.
    except (Exception, SystemExit) as exc:
        return _refused(entry, exc)
    aliases = tuple(map(str, getattr(module, "__virtual_aliases__", ())))
    return Plugin(name, entry.path, module, functions, reason, aliases)


def forget_siblings() -> None:
    """Discard the modules that users' files have imported from their directories."""
    if siblings := sys.modules.get("salt_g.loader.sibling_imports"):
        siblings.forget()


def _import_user_file(
    entry: IndexEntry, dunders: Mapping[str, Any], kind: str, libraries: Sequence[str]
) -> ModuleType:
    """Import a file outside of installed packages, under a unique module name."""
    # Imported lazily: most calls load no plugin of users.
    import salt_g.loader.import_shim as import_shim
    from salt_g.loader.sibling_imports import importing_beside

    import_shim.install()
    name = f"salt_g_user.{kind}.{entry.stem}"
    is_package = entry.path.endswith("__init__.py")
    spec = importlib.util.spec_from_file_location(
        name, entry.path, submodule_search_locations=[entry.path.rpartition("/")[0]] if is_package else None
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{entry.path} is not a Python source file")
    module = importlib.util.module_from_spec(spec)
    vars(module).update(dunders)
    sys.modules[name] = module
    try:
        with importing_beside(_home(entry.path), libraries):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    _bind_again(module, dunders)
    return module


def _bind_again(module: ModuleType, dunders: Mapping[str, Any]) -> None:
    """Rebind names of stock to which a file has assigned values, such as `__salt__ = {}` for linters.

    Entries of the file's own `__opts__` take precedence over the settings, as in stock.
    """
    own = vars(module).get("__opts__")
    vars(module).update(dunders)
    if type(own) is dict and own and "__opts__" in dunders:
        vars(module)["__opts__"] = ChainMap(own, dunders["__opts__"])


def _home(path: str) -> str:
    """Return the directory of a plugin, or for a package the directory that contains it."""
    directory = os.path.dirname(path)
    return os.path.dirname(directory) if path.endswith("__init__.py") else directory


def _call_init(module: ModuleType) -> None:
    """Call `__init__(opts)` of a user's file, which may prepare the module before `__virtual__`."""
    prepare = vars(module).get("__init__")
    if isinstance(prepare, FunctionType):
        prepare(vars(module)["__opts__"])


def _call_virtual(module: ModuleType, stem: str) -> tuple[str, str]:
    """Call `__virtual__`; return (name to serve under, reason for being unavailable or '')."""
    name = getattr(module, "__virtualname__", stem)
    virtual = getattr(module, "__virtual__", None)
    if virtual is None:
        return name, ""
    answer, reason = virtual(), ""
    if isinstance(answer, tuple):
        answer, reason = answer[0], str(answer[1])
    if answer is True:
        return name, ""
    if isinstance(answer, str) and answer:
        return answer, ""
    return name, reason or f"its __virtual__ returned {answer!r}"


def public_functions(module: ModuleType, *, is_ours: bool, kind: str = "") -> dict[str, Callable[..., Any]]:
    """Return the public functions of a module by their public names.

    These are the functions that the module defines, so that an imported helper does not become a command.
    Built-in plugins can list others in `__all__`; users' `utils` also offer imported functions, as in stock.
    """
    listed = getattr(module, "__all__", getattr(module, "__load__", None))
    takes_imported = kind == "utils" or (is_ours and listed is not None)
    aliases = getattr(module, "__func_alias__", {})
    functions = {
        aliases.get(name, name): value
        for name, value in vars(module).items()
        if _is_function(value)
        and not name.startswith("_")
        and (listed is None or name in listed)
        and (takes_imported or _belongs(value, module))
    }
    for name, outputter in getattr(module, "__outputter__", {}).items():
        function = functions.get(aliases.get(name, name))
        if function is not None:
            function.__outputter__ = outputter
    return functions if is_ours else {name: each for name, each in functions.items() if _is_offered(each)}


def _is_offered(function: Callable[..., Any]) -> bool:
    """Return whether a function is offered, as decided by `salt.utils.decorators.depends` if it is used."""
    asked = getattr(function, OFFERED, None)
    return asked is None or bool(asked())


def _is_function(value: object) -> bool:
    if isinstance(value, FunctionType):
        return True
    partial = getattr(sys.modules.get("functools"), "partial", ())
    return isinstance(value, partial)


def _belongs(value: Any, module: ModuleType) -> bool:
    home = getattr(value, "__module__", "") or ""
    return home == module.__name__ or home.startswith(module.__name__ + ".")


def _refused(entry: IndexEntry, exc: BaseException) -> Plugin:
    import logging

    reason = f"{entry.path} cannot be loaded: {_describe(exc)}"
    logging.getLogger(__name__).error("%s", reason, exc_info=not isinstance(exc, (SyntaxError, ImportError)))
    return Plugin(entry.stem, entry.path, None, {}, reason)


def _describe(exc: BaseException) -> str:
    if isinstance(exc, SyntaxError):
        return f"line {exc.lineno}: {exc.msg}"
    return f"{type(exc).__name__}: {exc}"
