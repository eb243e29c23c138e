"""Encrypted devices, opened now and at boot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.api import call, functions
from salt_g.api import opts as settings
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed, outcome, refusal_fails

_CRYPTTAB = "/etc/crypttab"
#: {result of `cryptdev.set_crypttab`: comments before and after the change}.
_WRITTEN = {
    "new": ("Entry would be added in {config}", "Entry added in {config}"),
    "change": ("Existing entry in {config} would be changed", "Existing entry in {config} changed"),
}


def __virtual__() -> bool | tuple[bool, str]:
    return True if "cryptdev.crypttab" in functions else (False, "cryptdev module could not be loaded")


@refusal_fails
def mapped(
    name: str,
    device: str,
    keyfile: str | None = None,
    opts: Any = None,
    config: str = _CRYPTTAB,
    persist: bool = True,
    immediate: bool = False,
    match_on: Any = "name",
) -> StateReturn:
    """Ensure that an encrypted device is opened.

    name
        The name of the device below /dev/mapper.
    device
        The device to open: `/dev/sdb1`, `UUID=066e0200-…`.
    keyfile
        The key file; without one, a passphrase is requested at boot.
    opts
        Options, as a list or comma-separated text; they apply at boot only.
    config, match_on
        The file read at boot, and the fields by which an existing line is found: `name`, `device`,
        `password`, `options`, or a list of them.
    persist, immediate
        Open the device at boot (default: True); open it now (default: False).

    Example::

        backup:
          cryptdev.mapped:
            - device: /dev/sdb1
            - keyfile: /etc/backup.key
            - opts: [luks, noauto]
    """
    if not immediate and not persist:
        return failed(name, "Either persist or immediate must be set, otherwise this state does nothing")
    if immediate and keyfile in (None, "none", "-"):
        return failed(name, "Device cannot be mapped immediately without a keyfile")
    report = _Report(name)
    if immediate and name not in call("cryptdev.active"):
        report.step(
            "cryptsetup",
            lambda: call("cryptdev.open", name, device, keyfile),
            ("Device would be mapped immediately", "Device mapped using cryptsetup"),
            "Device failed to map using cryptsetup",
        )
    if persist:
        entry = {"password": keyfile, "options": opts, "config": config, "match_on": match_on}
        found = call("cryptdev.set_crypttab", name, device, test=True, **entry)
        if found != "present":
            report.step(
                "crypttab",
                lambda: call("cryptdev.set_crypttab", name, device, **entry),
                _WRITTEN[found],
                "Unable to set entry in {config}",
                config=config,
            )
    return report.made()


@refusal_fails
def unmapped(
    name: str, config: str = _CRYPTTAB, persist: bool = True, immediate: bool = False
) -> StateReturn:
    """Ensure that an encrypted device is not opened: at boot (`persist`), now (`immediate`).

    Example::

        salt-g state.single cryptdev.unmapped backup immediate=True
    """
    report = _Report(name)
    if immediate and name in call("cryptdev.active"):
        report.step(
            "cryptsetup",
            lambda: call("cryptdev.close", name),
            ("Device would be unmapped immediately", "Device unmapped using cryptsetup"),
            "Device failed to unmap using cryptsetup",
        )
    if persist and name in call("cryptdev.crypttab", config):
        report.step(
            "crypttab",
            lambda: call("cryptdev.rm_crypttab", name, config=config),
            ("Entry would be removed from {config}", "Entry removed from {config}"),
            "Unable to remove entry in {config}",
            config=config,
        )
    return report.made()


class _Report:
    """Actions and results of one or two steps, merged into one state return."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._changes: dict[str, str] = {}
        self._comments: list[str] = []
        self._result: bool | None = True

    def step(
        self, key: str, act: Callable[[], Any], texts: tuple[str, str], failure: str, **values: str
    ) -> None:
        """Perform a step, or report it in test mode; `texts` are for before and after."""
        before, after = texts
        if settings["test"]:
            self._result = None
            self._comments.append(before.format(**values))
        elif act():
            self._changes[key] = after.format(**values)
        else:
            self._result = False
            self._comments.append(failure.format(**values))

    def made(self) -> StateReturn:
        return outcome(self._name, self._result, "\n".join(self._comments), self._changes)
