"""Names that stock Salt injects into users' plugin files: `__salt__`, `__grains__`, ….

The values are the proxies that `salt_g.api` offers, so a user's file sees the running call. Files of resource
types get more names (`resource_types.py`).
"""

from __future__ import annotations

import importlib
from collections import ChainMap, UserList, UserString
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.api import ContextMapping
from salt_g.errors import NoCallContext, NoSuchFunction

#: Parts of the call that stock puts into the settings.
_IN_OPTS = ("grains", "pillar")
#: Names of stock's utilities whose files have another name.
_UTIL_FILES = {"boto": "botomod", "boto3": "boto3mod"}


class FunctionMapping(ContextMapping):
    """Functions as `__salt__["cmd.run"]`, or as `__salt__.cmd.run` in templates and some plugins."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind, lambda context: context.table(kind))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _ModuleView(self, name)

    def __copy__(self) -> FunctionMapping:
        # A copy would load every plugin, and no caller changes the mapping.
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FunctionMapping:
        return self

    def missing_fun_string(self, function_name: str) -> str:
        """Return why a function is missing, like stock's tables, for use in `__virtual__`."""
        try:
            self[function_name]
        except NoSuchFunction as exc:
            return str(exc)
        except KeyError:
            pass
        return f"'{function_name}' is not available."


class UtilFunctions(FunctionMapping):
    """Functions as `__utils__["state.gen_tag"]`: users' utils, then functions of `salt.utils.…`."""

    def __init__(self) -> None:
        super().__init__("utils")

    def __getitem__(self, key: str) -> Any:
        try:
            return super().__getitem__(key)
        except LookupError:
            found = stock_util(key)
            if found is None:
                if reason := _refusal(key):
                    raise NoSuchFunction(key, reason=reason) from None
                raise
            return found

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, str) and stock_util(key) is not None)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the function of this name, or `default`."""
        return self[key] if key in self else default  # noqa: SIM401 - this is `get`


def stock_util(name: str) -> Any:
    """Return a function of a module below `salt.utils`, or None if it is missing or unavailable."""
    module, _, function = name.partition(".")
    try:
        library = importlib.import_module(f"salt.utils.{_UTIL_FILES.get(module, module)}")
    except ImportError:
        return None
    found = None if _refusal(name) else getattr(library, function, None)
    return found if callable(found) else None


def _refusal(name: str) -> str:
    """Return why the `__virtual__` of a utility's library makes it unavailable, or ''."""
    module = name.partition(".")[0]
    if module not in _UTIL_FILES:
        return ""
    answer = importlib.import_module(f"salt.utils.{_UTIL_FILES[module]}").__virtual__()
    return "" if answer == module else f"'{name}' is not available: {answer[1]}"


class _ModuleView:
    """Functions of one plugin as attributes."""

    def __init__(self, functions: FunctionMapping, name: str) -> None:
        self._functions = functions
        self._name = name

    def __getattr__(self, function: str) -> Any:
        try:
            return self._functions[f"{self._name}.{function}"]
        except KeyError:
            raise AttributeError(f"{self._name}.{function}") from None


class CurrentOpts(ContextMapping, dict):  # type: ignore[type-arg]  # both define the methods of mappings
    """Stock's `__opts__`: settings of the running call, including the call's `grains` and `pillar`.

    The class is a dict only for users' `isinstance(__opts__, dict)`; the dict's own content is never read.
    """

    def __init__(self) -> None:
        super().__init__("opts", lambda context: context.opts)
        # JSON's C encoder checks the dict itself for emptiness, and reads everything else through `items`.
        dict.__setitem__(self, "", None)

    def __or__(self, other: Any) -> Any:
        return self.copy() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.copy()

    def __ior__(self, other: Any) -> CurrentOpts:
        self.update(other)
        return self

    def __getitem__(self, key: str) -> Any:
        return getattr(api.current(), key) if key in _IN_OPTS else super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        return key in _IN_OPTS or super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        """Yield the names, without `pillar` on a master or while pillar or grains are being computed."""
        context = api.current()
        yield from (key for key in context.opts if key not in _IN_OPTS)
        yield "grains"
        if context.opts.get("__role") != "master" and not any(map(context.is_being_made, _IN_OPTS)):
            yield "pillar"

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, or `default`."""
        return self[key] if key in _IN_OPTS else super().get(key, default)

    def value(self) -> CurrentOpts:
        """Return this mapping, which is a dict."""
        return self

    def copy(self) -> dict[str, Any]:
        """Return a plain dict with the settings, and with grains and pillar."""
        return {key: self[key] for key in self}


class CurrentEnv(UserString):
    """Stock's `__env__`: the saltenv of the running call at the time of reading."""

    def __init__(self) -> None:
        pass

    @property
    def data(self) -> str:  # type: ignore[override]
        """Saltenv; `base` while no call is running (during the import of a file)."""
        try:
            return api.current().saltenv
        except NoCallContext:
            return "base"


class CurrentSls(CurrentEnv):
    """Stock's `__sls__`: the SLS of the running state at the time of reading."""

    @property
    def data(self) -> str:  # type: ignore[override]
        """SLS; '' outside of a state run."""
        try:
            return str(api.current().low.get("__sls__", ""))
        except NoCallContext:
            return ""


class RunChunks(UserList[Any]):
    """Stock's `__lowstate__`: the chunks of the current run at the time of reading."""

    def __init__(self) -> None:
        pass

    @property
    def data(self) -> Any:  # type: ignore[override]
        """Chunks; empty outside of a state run."""
        try:
            return api.current().lowstate
        except NoCallContext:
            return ()


class RunId(CurrentEnv):
    """Stock's `__instance_id__`: a unique text for each state run."""

    @property
    def data(self) -> str:  # type: ignore[override]
        """Instance id of the run."""
        return str(id(RunChunks().data))


class JobId(UserString):
    """Stock's `__jid__`: the jid of the running call at the time of reading."""

    def __init__(self) -> None:
        pass

    @property
    def data(self) -> str:  # type: ignore[override]
        """Jid; '' outside of a job."""
        return str(api.current().job.get("jid", ""))


class JobUser(JobId):
    """Stock's `__user__` of runners: the user of the running call."""

    @property
    def data(self) -> str:  # type: ignore[override]
        """Name of the user; `UNKNOWN` if unknown."""
        return str(api.current().job.get("user", "UNKNOWN"))


class JobEvents:
    """Stock's `__jid_event__` of runners: events for clients waiting for the running call."""

    def fire_event(self, data: Mapping[str, Any], tag: str) -> bool:
        """Fire an event below the tag of the job."""
        from salt_g.services.daemons import MasterServices  # Imported lazily: only runners fire these.

        api.services(MasterServices).progress.fire(data, tag)
        return True


def _context(context: api.CallContext) -> Mapping[str, Any]:
    """Return stock's `__context__`, which includes the running state's user for copies of stock's `cmd`."""
    given = (("runas", context.run_as.user), ("runas_password", context.run_as.password))
    shown = {name: value for name, value in given if value}
    # ChainMap writes a plugin's values to its first mapping.
    return ChainMap(context.scratch, shown) if shown else context.scratch


def stock_dunders(kind: str = "modules") -> dict[str, Any]:
    """Return the names to bind into a user's plugin file of this kind.

    In runners and wheel modules, `__salt__` contains functions of the same kind.
    """
    on_master = kind in ("runners", "wheel")
    return {
        "__salt__": FunctionMapping(kind if on_master else "modules"),
        **({"__user__": JobUser(), "__jid_event__": JobEvents()} if on_master else {}),
        "__jid__": JobId(),
        "__sls__": CurrentSls(),
        "__states__": FunctionMapping("states"),
        "__utils__": UtilFunctions(),
        "__ret__": FunctionMapping("returners"),
        "__executors__": FunctionMapping("executors"),
        "__serializers__": FunctionMapping("serializers"),
        "__sdb__": FunctionMapping("sdb"),
        "__proxy__": FunctionMapping("proxy"),
        "__opts__": CurrentOpts(),
        "__grains__": api.grains,
        "__pillar__": api.pillar,
        "__context__": ContextMapping("context", _context),
        "__low__": ContextMapping("low", lambda context: context.low),
        "__running__": ContextMapping("running", lambda context: context.running),
        "__lowstate__": RunChunks(),
        "__instance_id__": RunId(),
        "__resource__": ContextMapping("resource", lambda context: context.resource),
        "__env__": CurrentEnv(),
        "__salt_system_encoding__": "utf-8",
    }
