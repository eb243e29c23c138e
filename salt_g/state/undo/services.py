"""Restoration of the services of a recorded run, by functions of the `service` module.

Services that the run started, enabled or masked are stopped, disabled and unmasked before its files are
removed, because nothing can be disabled or unmasked without the unit file, and the link of a mask can be in
that file's place. The other changes of services are reverted after the files are restored. Finally, services
that the run had restarted, or stopped and started, are restarted.
Shapes: {name: {aspect: value before the run, None if the run did not change it}}, aspects as in `_ASPECTS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from salt_g.api import CallContext
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.safe_files.recording import before_restart, before_service
from salt_g.state.undo.history import RESTART, Recorded, strongest

#: {service: {aspect: value before the run}}.
Wanted = Mapping[str, Mapping[str, bool | None]]


class _Aspect(NamedTuple):
    """Property of a service: the functions that check, set and unset it, and their arguments."""

    asks: str
    makes: str
    unmakes: str
    arguments: tuple[bool, ...] = ()


_MASKING = ("service.masked", "service.mask", "service.unmask")
#: Aspects in the order in which they are restored; for removal, masks come before enablement.
_ASPECTS = {
    "running": _Aspect("service.status", "service.start", "service.stop"),
    "enabled": _Aspect("service.enabled", "service.enable", "service.disable"),
    "masked": _Aspect(*_MASKING),
    "runtime_masked": _Aspect(*_MASKING, (True,)),
}
_TAKEN_AWAY = ("running", "masked", "runtime_masked", "enabled")


class MachineServices:
    """Services of this machine, or of the resource of the call."""

    def __init__(self, context: CallContext) -> None:
        self._functions = context.table("modules")

    def differing(self, recorded: Wanted) -> dict[str, Mapping[str, bool | None]]:
        """Return the services that differ from their records, as far as the service manager can tell."""
        return {
            name: wanted
            for name, wanted in recorded.items()
            if any(self._is(aspect, name) != value for aspect, value in self._known(wanted))
        }

    def take_away(self, wanted: Wanted) -> dict[str, str]:
        """Stop, unmask and disable services that were not running, masked or enabled; return failures."""
        return self._restore(wanted, _TAKEN_AWAY, value=False)

    def bring_back(self, wanted: Wanted) -> dict[str, str]:
        """Start, enable and mask services that were running, enabled or masked; return failures."""
        return self._restore(wanted, tuple(_ASPECTS), value=True)

    def to_restart(self, recorded: Recorded) -> dict[str, str]:
        """Return {name: how} of the running services to restart so that they use the restored files.

        Services that did not run before the job are left out. Those that the job had stopped and that run
        again are included, because they run with files that the job left.
        """
        ran = {name: states.get("running") for name, states in recorded.services.items()}
        stopped = {name: RESTART for name, before in ran.items() if before}
        ways = (recorded.restarts, recorded.due, stopped)
        wanted = {name: strongest(*(way.get(name, "") for way in ways)) for way in ways for name in way}
        if _ASPECTS["running"].asks not in self._functions:
            return {}
        return {
            name: how
            for name, how in wanted.items()
            if ran.get(name) is not False and self._is("running", name)
        }

    def restart(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """Restart services, or make them reload their files, as {name: how} says; return failures."""
        left = {}
        for name, how in wanted.items():
            function = f"service.{how if f'service.{how}' in self._functions else RESTART}"
            before_restart(name, how)
            try:
                if not self._functions[function](name):
                    left[label(name)] = f"{function} failed"
            except (SaltGError, KeyError) as exc:
                left[label(name)] = str(exc)
        return left

    def _restore(self, wanted: Wanted, order: tuple[str, ...], *, value: bool) -> dict[str, str]:
        left = {}
        for name, want in wanted.items():
            known = dict(self._known(want))
            try:
                for aspect in order:
                    if known.get(aspect) is value and self._is(aspect, name) is not value:
                        self._make(aspect, name, value)
            except (SaltGError, KeyError) as exc:
                left[label(name)] = str(exc)
        return left

    def _known(self, wanted: Mapping[str, bool | None]) -> Iterator[tuple[str, bool]]:
        """Yield the recorded aspects that the service manager of this machine knows."""
        for aspect, value in wanted.items():
            if value is not None and aspect in _ASPECTS and _ASPECTS[aspect].asks in self._functions:
                yield aspect, value

    def _is(self, aspect: str, name: str) -> bool:
        asked = _ASPECTS[aspect]
        return bool(self._functions[asked.asks](name, *asked.arguments))

    def _make(self, aspect: str, name: str, value: bool) -> None:
        before_service(name, **{f"is_{aspect}": not value})
        functions = _ASPECTS[aspect]
        function = functions.makes if value else functions.unmakes
        if not self._functions[function](name, *functions.arguments):
            raise CommandExecutionError(f"{function} {name} failed")


def label(name: str) -> str:
    """Return the text that stands for a service in a list of paths."""
    return f"service {name}"
