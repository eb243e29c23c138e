"""Services of a call, each created on first use.

Plugins access them as `api.services().files` and so on, by the protocols of `protocols.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from salt_g.services.protocols import (
        Events,
        FileAccess,
        Matching,
        PillarCompiler,
        Plugins,
        Rendering,
        StateEngine,
    )

#: Key in a call's scratch dict for a list of functions `(comment) -> Running`, one for each unfinished state
#: run. They are called for the return of a job that is ended by a signal.
UNFINISHED = "unfinished"
#: {file of an execution module: stock's files with the same functions}. Settings can name stock's files, as
#: in `disable_modules: [cmdmod]`.
STOCK_FILES = {
    "cmd": ("cmdmod",),
    "service_sysv": ("debian_service", "rh_service"),
    "x509": ("x509_v2",),
}

S = TypeVar("S")
Kind = TypeVar("Kind", bound="Services")


class LazyService(Generic[S]):
    """Attribute of `Services` that holds a service, created on first access.

    Access raises AttributeError in a call without the service, so use `getattr(services(), "events", None)`
    for one that may be missing.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, services: Services, owner: type) -> S:
        service: S = services.create(self._name)
        # The instance attribute hides this descriptor from now on.
        vars(services)[self._name] = service
        return service


class Services:
    """Services of one call, each created on first use.

    Created from factories so that `test.ping` pays for none of them. The services of daemons are in
    `services/daemons.py`.
    """

    #: The service `events` is missing in calls without a daemon on this machine.
    events: LazyService[Events] = LazyService()
    plugins: LazyService[Plugins] = LazyService()
    files: LazyService[FileAccess] = LazyService()
    render: LazyService[Rendering] = LazyService()
    states: LazyService[StateEngine] = LazyService()
    pillars: LazyService[PillarCompiler] = LazyService()
    match: LazyService[Matching] = LazyService()

    def __init__(self, **factories: Callable[[], Any]) -> None:
        self._factories = factories

    def create(self, name: str) -> Any:
        """Return a new service; raise AttributeError if this call has none of this name."""
        try:
            factory = self._factories[name]
        except KeyError:
            raise AttributeError(f"this call has no service {name!r}") from None
        return factory()

    def of(self, kind: type[Kind]) -> Kind:
        """Return these services if they are an instance of `kind`, else raise AttributeError."""
        if not isinstance(self, kind):
            raise AttributeError(f"this call has no {kind.__name__}")
        return self

    def replace(self: Kind, **factories: Callable[[], Any]) -> Kind:
        """Return a copy with some services replaced; the others are shared."""
        return self.extended(type(self), **factories)

    def extended(self, kind: type[Kind], **factories: Callable[[], Any]) -> Kind:
        """Return an instance of `kind` with further services; those of this call are shared."""
        kept: dict[str, Callable[[], Any]] = {name: partial(getattr, self, name) for name in self._factories}
        return kind(**{**kept, **factories})
