"""The one module plugins import: the functions, grains, pillar and settings of their call.

Why its own file: a plugin file is imported once per process, while many calls run, each with
its own grains (a resource's), pillar (overridden) or settings (`test=True`). So what a plugin
sees is looked up in a context variable at the moment it looks::

    from salt_g.api import call, grains, opts

    def restart(name):
        if grains["os_family"] == "Debian" and not opts["test"]:
            return call("cmd.retcode", ["systemctl", "restart", name]) == 0

The context variable is set by whoever calls a plugin from outside (a program, the state
engine) with `use`; a call from plugin to plugin shares it.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from salt_g.errors import NoCallContext
from salt_g.services import Services
from salt_g.shapes import LowChunk, Running


class Deferred:
    """A value that is made when first asked for; contexts that share it make it once.

    Grains cost tens of milliseconds and pillar may cost more; most functions need neither.
    When `make` raises, the next one who asks tries again.
    """

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make
        self._value: Mapping[str, Any] | None = None

    def get(self) -> Mapping[str, Any]:
        """Return the value."""
        if self._value is None:
            self._value = self._make()
        return self._value


class _Deferrable:
    """A field of a frozen dataclass that may be given as a Deferred and reads as its value."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"_{name}"

    def __get__(self, instance: object, owner: type) -> Mapping[str, Any]:
        if instance is None:
            raise AttributeError(self._slot)  # tells dataclasses that the field has no default
        value: Mapping[str, Any] | Deferred = vars(instance)[self._slot]
        return value.get() if isinstance(value, Deferred) else value

    def __set__(self, instance: object, value: Mapping[str, Any] | Deferred) -> None:
        vars(instance)[self._slot] = value


@dataclasses.dataclass(frozen=True, repr=False)
class CallContext:
    """Everything a plugin may see of the call it runs in.

    `grains` and `pillar` may be given as a Deferred; reading them makes the value.
    `tables` gives a table of functions by kind (`modules`, `states`, ...); `scratch` is
    stock's `__context__`, shared by all plugins of a program; `low` and `running` are set
    while a state run is under way; `job` holds `jid`, `fun`, `arg`, `pid` of the job;
    `resource` is {} unless the call is for a resource; `in_template` says that a template is
    being rendered, which may see pillar values that results do not show.
    """

    opts: Mapping[str, Any]
    grains: _Deferrable = _Deferrable()
    pillar: _Deferrable = _Deferrable()
    services: Services = dataclasses.field(kw_only=True)
    scratch: MutableMapping[str, Any] = dataclasses.field(default_factory=dict)
    saltenv: str = "base"
    low: LowChunk = dataclasses.field(default_factory=dict)
    running: Running = dataclasses.field(default_factory=dict)
    job: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    resource: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    in_template: bool = False

    def replace(self, **changes: Any) -> CallContext:
        """Return this context with some parts exchanged; what is deferred stays deferred."""
        # dataclasses.replace would read, and so make, grains and pillar.
        parts = {name.removeprefix("_"): value for name, value in vars(self).items()}
        return CallContext(**{**parts, **changes})

    def unread(self, name: str) -> Mapping[str, Any] | Deferred:
        """Return `grains` or `pillar` without making it, for those who may not look into it."""
        value: Mapping[str, Any] | Deferred = vars(self)[f"_{name}"]
        return value

    def with_opts(self, **changes: Any) -> CallContext:
        """Return this context with some settings exchanged (`test=True`)."""
        return self.replace(opts={**self.opts, **changes})

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a kind of plugin, by name."""
        return self.services.plugins.table(kind)


_current: contextvars.ContextVar[CallContext] = contextvars.ContextVar("salt_g_call")


def current() -> CallContext:
    """Return the context of the running call; raises NoCallContext outside of one."""
    try:
        return _current.get()
    except LookupError:
        raise NoCallContext from None


@contextlib.contextmanager
def use(context: CallContext) -> Iterator[CallContext]:
    """Make `context` the current one for the body of a `with` block."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


def call(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call an execution function by its (virtual) name, as in `call("pkg.install", "vim")`.

    Raises NoSuchFunction, with the nearest names, when no plugin serves it.
    """
    return current().table("modules")[name](*args, **kwargs)


def has(name: str) -> bool:
    """Return whether an execution function of this name is available here."""
    return name in current().table("modules")


def services() -> Services:
    """Return the services (files, rendering, states, pillars, match) of the running call."""
    return current().services


class ContextMapping(MutableMapping[str, Any]):
    """A mapping that is looked up in the current call each time it is used.

    Also what users' modules get as `__grains__`, `__pillar__`, `__opts__`, `__salt__`, ....
    """

    def __init__(self, name: str, find: Callable[[CallContext], Mapping[str, Any]]) -> None:
        self._name = name
        self._find = find

    def _now(self) -> Any:
        return self._find(current())

    def __getitem__(self, key: str) -> Any:
        return self._now()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._now()[key] = value

    def __delitem__(self, key: str) -> None:
        del self._now()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._now()

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, or `default`."""
        return self._now().get(key, default)

    def copy(self) -> dict[str, Any]:
        """Return a plain dict with the same items."""
        return dict(self._now())

    def __repr__(self) -> str:
        try:
            return repr(self._now())
        except NoCallContext:
            return f"<{self._name} of the current call>"


def table_mapping(kind: str) -> ContextMapping:
    """Return the functions of a kind as a mapping that follows the current call."""
    return ContextMapping(kind, lambda context: context.table(kind))


#: Facts of the minion (or resource) that the call is for.
grains = ContextMapping("grains", lambda context: context.grains)
#: Compiled pillar of the call.
pillar = ContextMapping("pillar", lambda context: context.pillar)
#: Settings, as stock's `opts`; what a call overrides (`test`, `saltenv`) is in here.
opts = ContextMapping("opts", lambda context: context.opts)
#: Stock's `__context__`: a scratch dict that lives as long as the program or state run.
scratch = ContextMapping("context", lambda context: context.scratch)
#: All execution functions, by name.
functions = table_mapping("modules")
