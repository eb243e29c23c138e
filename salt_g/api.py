"""The plugin API: functions, grains, pillar and settings of the running call.

    from salt_g.api import call, grains, opts

    def restart(name):
        if grains["os_family"] == "Debian" and not opts["test"]:
            return call("cmd.retcode", ["systemctl", "restart", name]) == 0

A caller outside of plugins (a program, the state engine) sets the context variable with `use`; calls between
plugins share it.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from salt_g.errors import NoCallContext, NotOffered
from salt_g.services.plugins import STOCK_FILES, Kind, Services
from salt_g.shapes import THIS_USER, Arguments, LowChunk, RunAs, Running

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes


class Deferred:
    """Value computed on first use; contexts that share it compute it once.

    Grains cost tens of milliseconds and pillar may cost more; most functions need neither. If `make` raises,
    the next access tries again. `lacks` returns whether a key is certain to be missing, at less cost.
    """

    def __init__(
        self, make: Callable[[], Mapping[str, Any]], *, lacks: Callable[[str], bool] | None = None
    ) -> None:
        self._make = make
        self._lacks = lacks
        self._value: Mapping[str, Any] | None = None
        self.is_being_made = False

    def __contains__(self, key: str) -> bool:
        if self._value is None and self._lacks is not None and self._lacks(key):
            return False
        return key in self.get()

    def get(self) -> Mapping[str, Any]:
        """Return the value."""
        if self._value is None:
            self.is_being_made = True
            try:
                self._value = self._make()
            finally:
                self.is_being_made = False
        return self._value


class _ObservedDeferred(Deferred):
    """Deferred value that notes which of its parts are read."""

    def __init__(self, kind: str, values: Deferred, reads: ReadNotes) -> None:
        super().__init__(lambda: reads.mapping(kind, values.get()))
        self._kind, self._values, self._reads = kind, values, reads

    def __contains__(self, key: str) -> bool:
        self._reads.path(f"{self._kind}:{key}")
        return key in self._values


def _observed(
    kind: str, values: Mapping[str, Any] | Deferred, reads: ReadNotes
) -> Mapping[str, Any] | Deferred:
    if isinstance(values, Deferred):
        return values if isinstance(values, _ObservedDeferred) else _ObservedDeferred(kind, values, reads)
    return reads.mapping(kind, values)


log = logging.getLogger(__name__)

#: Maximum number of advice sentences that one call sends to the master.
_MOST_ADVICE = 20
#: Key in the scratch dict for [(id() of a low chunk, advice)] of the running states.
ADVICE = "salt_g.advice"
#: Key in `opts` of the settings of `salt-g ssh` for one call of the runner `ssh.cmd`, such as
#: {"roster": "ansible"}.
SSH_SETTINGS = "__ssh_settings__"


class CallContext:
    """Data that a plugin may access during its call; immutable, `replace` returns a changed copy.

    `grains` and `pillar` may be given as a Deferred, which is computed on access. `scratch` is stock's
    `__context__`, shared by all plugins of a program; `low`, `running` and `lowstate` (all chunks of the run)
    are set during a state run, `run_as` during a state with `runas`; `job` has the `jid`, `fun`, `arg`, `pid`
    of the job; `resource` is {} unless the call is for a resource; `in_template` is set while a template is
    rendered, which may see pillar values that are masked in results; `reads`, if set, records what a state
    run reads.
    """

    def __init__(
        self,
        *,
        opts: Mapping[str, Any],
        grains: Mapping[str, Any] | Deferred,
        pillar: Mapping[str, Any] | Deferred,
        services: Services,
        scratch: MutableMapping[str, Any] | None = None,
        saltenv: str = "base",
        low: LowChunk | None = None,
        running: Running | None = None,
        lowstate: Sequence[LowChunk] = (),
        run_as: RunAs = THIS_USER,
        job: Mapping[str, Any] | None = None,
        resource: Mapping[str, Any] | None = None,
        in_template: bool = False,
        reads: ReadNotes | None = None,
    ) -> None:
        self.opts = opts
        self._grains = grains
        self._pillar = pillar
        self.services = services
        self.scratch: MutableMapping[str, Any] = {} if scratch is None else scratch
        self.saltenv = saltenv
        self.low: LowChunk = {} if low is None else low
        self.running: Running = {} if running is None else running
        self.lowstate = lowstate
        self.run_as = run_as
        self.job = job or {}
        self.resource = resource or {}
        self.in_template = in_template
        self.reads = reads

    def observed(self, **changes: Any) -> CallContext:
        """Return a copy (see `replace`) whose grains and pillar note what is read, if reads are recorded."""
        if self.reads is None:
            return self.replace(**changes)
        return self.replace(
            grains=_observed("grain", self._grains, self.reads),
            pillar=_observed("pillar", self._pillar, self.reads),
            **changes,
        )

    @property
    def grains(self) -> Mapping[str, Any]:
        """Facts of the minion or resource."""
        return self._grains.get() if isinstance(self._grains, Deferred) else self._grains

    @property
    def pillar(self) -> Mapping[str, Any]:
        """Compiled pillar."""
        return self._pillar.get() if isinstance(self._pillar, Deferred) else self._pillar

    def is_being_made(self, name: str) -> bool:
        """Return whether `grains` or `pillar` is being computed now."""
        value = self.unread(name)
        return isinstance(value, Deferred) and value.is_being_made

    def unread(self, name: str) -> Mapping[str, Any] | Deferred:
        """Return `grains` or `pillar` without computing it, for callers that might not read it."""
        value: Mapping[str, Any] | Deferred = vars(self)[f"_{name}"]
        return value

    def held(self) -> tuple[Mapping[str, Any] | Deferred, Mapping[str, Any] | Deferred]:
        """Return grains and pillar, each without computing it."""
        return self._grains, self._pillar

    def replace(self, **changes: Any) -> CallContext:
        """Return a copy with some parts replaced; deferred parts stay deferred."""
        parts = {_SLOTS.get(name, name): value for name, value in changes.items()}
        if not parts.keys() <= vars(self).keys():
            raise TypeError(f"a call context has no {', '.join(parts.keys() - vars(self).keys())}")
        context = object.__new__(CallContext)
        vars(context).update(vars(self), **parts)
        return context

    def with_opts(self, **changes: Any) -> CallContext:
        """Return a copy with some settings replaced (`test=True`)."""
        return self.replace(opts={**self.opts, **changes})

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a kind of plugin, by name."""
        return self.services.plugins.table(kind)

    def offered(self) -> Mapping[str, Callable[..., Any]]:
        """Return the execution functions that jobs and templates may call (`whitelist_modules`)."""
        table, allowed = self.table("modules"), self.opts.get("whitelist_modules")
        return OfferedFunctions(table, frozenset(map(str, allowed))) if allowed else table


class OfferedFunctions(Mapping[str, Callable[..., Any]]):
    """Functions of the plugins named in `allowed`, by file name or by virtual name."""

    def __init__(self, table: Mapping[str, Callable[..., Any]], allowed: frozenset[str]) -> None:
        self._table = table
        self._allowed = allowed

    def __getitem__(self, name: str) -> Callable[..., Any]:
        function, plugin = self._table[name], name.partition(".")[0]
        if not self.has_plugin(plugin):
            reason = f"the setting whitelist_modules does not list {plugin}"
            raise NotOffered(name, f"'{name}' is not available. Possible reasons: '{reason}'")
        return function

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._table if self.has_plugin(name.partition(".")[0]))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def has_plugin(self, plugin: str) -> bool:
        """Return whether the functions under this plugin name are offered."""
        if plugin in self._allowed:
            return True
        entries = getattr(self._table, "entries", ())
        serving = (entry.stem for entry in entries if plugin in (entry.stem, *entry.names))
        return any(not self._allowed.isdisjoint((stem, *STOCK_FILES.get(stem, ()))) for stem in serving)


#: {part that may be deferred: attribute}
_SLOTS = {"grains": "_grains", "pillar": "_pillar"}
_current: contextvars.ContextVar[CallContext] = contextvars.ContextVar("salt_g_call")


def current() -> CallContext:
    """Return the context of the running call; raises NoCallContext outside of one."""
    try:
        return _current.get()
    except LookupError:
        raise NoCallContext from None


def is_running() -> bool:
    """Return whether a call is running here."""
    return _current.get(None) is not None


@contextlib.contextmanager
def use(context: CallContext) -> Iterator[CallContext]:
    """Make `context` the current one for the body of a `with` block."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


def note_file(path: str, saltenv: str, cached: str = "", digest: str = "") -> None:
    """Note a file that a state run reads, if reads are recorded; `cached` is the path of its cached copy."""
    context = _current.get(None)
    if context is None or context.reads is None or context.reads.is_known:
        return
    context.reads.file(path, saltenv, cached, owner=str(context.low.get("__sls__") or ""))
    if digest:
        context.reads.digest(path, saltenv, digest)


def note_read(name: str) -> None:
    """Note that a template reads all data of a kind, but not through its mapping: `note_read("pillar")`."""
    context = _current.get(None)
    if context is not None and context.reads is not None and context.in_template:
        context.reads.whole(name)


def note_outside() -> None:
    """Note that a template's result also depends on something besides the file tree, pillar and grains."""
    context = _current.get(None)
    if context is not None and context.reads is not None and context.in_template:
        context.reads.outside()


def unrecorded() -> contextlib.AbstractContextManager[None]:
    """Return a context manager in which nothing that is read is noted."""
    context = _current.get(None)
    reads = None if context is None else context.reads
    return contextlib.nullcontext() if reads is None else reads.paused()


def reading_for(sls: str) -> contextlib.AbstractContextManager[None]:
    """Return a context manager in which everything that is read is noted for an SLS."""
    context = _current.get(None)
    reads = None if context is None else context.reads
    return contextlib.nullcontext() if reads is None else reads.within(sls or reads.owner)


def call(name: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call an execution function by its (virtual) name, as in `call("pkg.install", "vim")`.

    Raises NoSuchFunction, with the nearest names, when no plugin serves it.
    """
    return current().table("modules")[name](*args, **kwargs)


def has(name: str) -> bool:
    """Return whether an execution function of this name is available here."""
    return name in current().table("modules")


@overload
def services() -> Services: ...


@overload
def services(kind: type[Kind]) -> Kind: ...


def services(kind: type[Services] = Services) -> Services:
    """Return the services of the running call: files, rendering, states, pillars, match.

    `services(MasterServices)` and its siblings in `services/daemons.py` return the services of calls on a
    daemon, and raise AttributeError in other calls.
    """
    return current().services.of(kind)


class ContextMapping(MutableMapping[str, Any]):
    """Mapping that is looked up in the current call on each access.

    Users' modules also get it as `__grains__`, `__pillar__`, `__opts__`, `__salt__`, ....
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

    def value(self) -> Any:
        """Return the mapping of the current call, as users' modules get it with stock."""
        return self._now()

    def copy(self) -> dict[str, Any]:
        """Return a plain dict with the same items."""
        return dict(self._now())

    def __copy__(self) -> Any:
        # Return a plain copy, because changes of another view would also change the call's settings.
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        import copy  # Imported lazily: for users' plugins.

        return copy.deepcopy(self.copy(), memo)

    def __repr__(self) -> str:
        try:
            return repr(self._now())
        except NoCallContext:
            return f"<{self._name} of the current call>"


def has_grain(name: str) -> bool:
    """Return whether the call has a grain; the grains are not gathered if it is certain to be missing."""
    return name in current().unread("grains")


def advise(text: str, *, in_templates: bool = False) -> None:
    """Record advice about a failure, shown with the result; advice for a state is shown only if it fails.

    Results themselves keep stock's texts. Advice has names and places only, never values of pillar. Unless
    `in_templates`, advice from within a template is dropped, because the template's error reports the cause.
    """
    context = current()
    if context.low:
        advice: list[tuple[int, str]] = context.scratch.setdefault(ADVICE, [])
        advice.append((id(context.low), text))
    elif in_templates or not context.in_template:
        log.error("%s", text)
        sent: list[str] = context.scratch.setdefault("places", [])
        if len(sent) < _MOST_ADVICE and text not in sent:
            sent.append(text)


def advise_missing(url: str, saltenv: str) -> None:
    """Record advice about a file or directory that the file server does not have, with similar names."""
    import difflib  # Imported lazily: needed only after failures.

    from salt_g.formats import salturl

    parts = salturl.parse(url)
    files, env = services().files, parts.saltenv or saltenv
    known = [*files.list_files(env), *files.list_dirs(env)]
    near = [f"salt://{path}" for path in difflib.get_close_matches(parts.path.rstrip("/"), known, n=2)]
    rest = f"nearest: {' or '.join(near)}" if near else "no name is similar: add it, or check file_roots"
    advise(f"there is no salt://{parts.path} in saltenv {env!r}; {rest}")


def own_arguments(kwargs: Mapping[str, Any]) -> Arguments:
    """Return the keyword arguments given by the user, without those added by a job (`__pub_jid`)."""
    return {name: value for name, value in kwargs.items() if not name.startswith("__")}


def is_ssh_setting(name: str) -> bool:
    """Return whether an argument is a setting of `salt-g ssh`, which calls functions without a minion."""
    return name.startswith("ssh_") or name in ("roster", "roster_file", "ignore_host_keys", "no_host_keys")


def table_mapping(kind: str) -> ContextMapping:
    """Return the functions of a kind as a mapping that follows the current call."""
    return ContextMapping(kind, lambda context: context.table(kind))


#: Grains of the call's minion or resource.
grains = ContextMapping("grains", lambda context: context.grains)
#: Compiled pillar of the call.
pillar = ContextMapping("pillar", lambda context: context.pillar)
#: Settings, as stock's `opts`, including overrides of the call (`test`, `saltenv`).
opts = ContextMapping("opts", lambda context: context.opts)
#: Stock's `__context__`: a scratch dict for the life of the program or state run.
scratch = ContextMapping("context", lambda context: context.scratch)
#: Resource of the call, {id, type}; {} for the minion itself.
resource = ContextMapping("resource", lambda context: context.resource)
#: All execution functions, by name.
functions = table_mapping("modules")
#: Functions of the connection modules in a call for a resource, such as `dummy.ping`.
connection_functions = table_mapping("resource_funcs")
#: Execution functions of the managing minion in a call for a resource, which act on that minion.
minion_functions = table_mapping("minion")
