"""States of the system locale and of the available locales."""

from __future__ import annotations

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "locale.get_locale" in functions else (False, "'locale.get_locale' is not available.")


def system(name: str) -> StateReturn:
    """Ensure that the machine's locale is this one.

    Example::

        salt-g state.single locale.system en_US.UTF-8
    """
    try:
        if call("locale.get_locale") == name:
            return as_wanted(name, f"System locale {name} already set")
        if opts["test"]:
            return would_change(name, f"System locale {name} needs to be set")
        if call("locale.set_locale", name):
            return changed(name, f"Set system locale {name}", {"locale": name})
    except CommandExecutionError as exc:
        return failed(name, f"Failed to set system locale: {exc}")
    return failed(name, f"Failed to set system locale to {name}")


def present(name: str) -> StateReturn:
    """Ensure that a locale is available.

    Example::

        salt-g state.single locale.present en_US.UTF-8
    """
    if call("locale.avail", name):
        return as_wanted(name, f"Locale {name} is already present")
    if opts["test"]:
        return would_change(name, f"Locale {name} needs to be generated")
    if call("locale.gen_locale", name):
        return changed(name, f"Generated locale {name}", {"locale": name})
    return failed(name, f"Failed to generate locale {name}")
