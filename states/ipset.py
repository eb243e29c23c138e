"""Sets of the packet filter and their entries. The options are those of the `ipset` functions."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, refusal_fails, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "ipset.version" in functions else (False, "ipset module could not be loaded")


@refusal_fails
def set_present(name: str, set_type: str, family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a set exists. Further arguments are those of `ipset.new_set`.

    Example::

        salt-g state.single ipset.set_present blocked set_type=hash:net timeout=3600
    """
    if call("ipset.check_set", name) is True:
        return as_wanted(name, f"ipset set {name} already exists for {family}")
    if opts["test"]:
        return would_change(name, f"ipset set {name} would be added for {family}")
    done = call("ipset.new_set", name, set_type, family, **_own(kwargs))
    if done is not True:
        return failed(name, f"Failed to create set {name} for {family}: {done}")
    return changed(name, f"ipset set {name} created successfully for {family}", {"locale": name})


@refusal_fails
def set_absent(name: str, family: str = "ipv4") -> StateReturn:
    """Ensure that a set does not exist.

    Example::

        salt-g state.single ipset.set_absent blocked
    """
    if not call("ipset.check_set", name, family):
        return as_wanted(name, f"ipset set {name} for {family} is already absent")
    if opts["test"]:
        return would_change(name, f"ipset set {name} for {family} would be removed")
    if not call("ipset.flush", name, family):
        return failed(name, f"Failed to flush set {name} for {family}")
    done = call("ipset.delete_set", name, family)
    if done is not True:
        return failed(name, f"Failed to delete set {name} for {family}: {done}")
    return changed(name, f"ipset set {name} deleted successfully for family {family}", {"locale": name})


@refusal_fails
def present(name: str, set_name: str, entry: Any = None, family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a set has entries.

    name
        Any text.
    set_name
        The set.
    entry
        One entry, or a list of them. An entry whose comment differs is replaced; the remaining time
        of entries with a `timeout` is ignored.
    timeout, comment, packets, bytes, skbmark, skbprio, skbqueue, nomatch
        Options of all entries.

    Example::

        salt-g state.single ipset.present neighbours set_name=blocked entry=192.168.0.0/16
    """
    if not entry:
        return failed(name, "ipset entry must be specified")
    returned: list[str] = []
    added: list[str] = []
    result: bool | None = True
    for plain, whole in _entries(entry, kwargs):
        found = call("ipset.check", set_name, whole, family)
        if found is True:
            returned.append(f"entry for {plain} already in set {set_name} for {family}")
        elif opts["test"]:
            result = None
            returned.append(f"entry {plain} would be added to set {set_name} for family {family}")
        else:
            done = call("ipset.add", set_name, whole, family, **_own(kwargs))
            if "Error" in done:
                returned.append(
                    f"Failed to add to entry {whole} to set {set_name} for family {family}.\n{done}"
                )
                return failed(name, _lines(returned), {"locale": name} if added else {})
            added.append(plain)
            returned.append(f"entry {whole} added to set {set_name} for family {family}")
    return outcome(name, result, _lines(returned), {"locale": name} if added else {})


@refusal_fails
def absent(
    name: str, set_name: str, entry: Any = None, entries: Any = None, family: str = "ipv4", **kwargs: Any
) -> StateReturn:
    """Ensure that a set does not contain entries. The arguments are those of `ipset.present`.

    `entries` is another name for `entry`.

    Example::

        salt-g state.single ipset.absent neighbours set_name=blocked entry=192.168.0.0/16
    """
    if not (entry or entries):
        return failed(name, "ipset entry must be specified")
    returned: list[str] = []
    removed: list[str] = []
    result: bool | None = True
    for plain, whole in _entries(entry or entries, kwargs):
        if call("ipset.check", set_name, whole, family) is not True:
            returned.append(f"ipset entry for {whole} not present in set {set_name} for {family}")
        elif opts["test"]:
            result = None
            returned.append(f"ipset entry {plain} would be removed from set {set_name} for {family}")
        else:
            done = call("ipset.delete", set_name, plain, family)
            if "Error" in done:
                returned.append(f"Failed to delete ipset entry from set {set_name} for {family}.")
                returned.append(f"Attempted entry was {whole}.\n{done}")
                return failed(name, _lines(returned), {"locale": name} if removed else {})
            removed.append(plain)
            returned.append(f"ipset entry {whole} removed from set {set_name} for {family}")
    return outcome(name, result, _lines(returned), {"locale": name} if removed else {})


@refusal_fails
def flush(name: str, family: str = "ipv4") -> StateReturn:
    """Remove all entries of a set.

    Example::

        salt-g state.single ipset.flush blocked
    """
    if call("ipset.check_set", name) is False:
        return failed(name, f"ipset set {name} does not exist for {family}")
    if opts["test"]:
        return would_change(name, f"ipset entries in set {name} for {family} would be flushed")
    if not call("ipset.flush", name, family):
        return failed(name, f"Failed to flush ipset entries from set {name} for {family}")
    return changed(name, f"Flushed ipset entries from set {name} for {family}", {"locale": name})


def _entries(entry: Any, kwargs: dict[str, Any]) -> list[tuple[str, str]]:
    """Return each entry alone and with its options."""
    found = []
    for each in entry if isinstance(entry, list) else [entry]:
        plain, _, options = str(each).partition(" ")
        if "timeout" in kwargs and "timeout" not in options:
            options = f"timeout {kwargs['timeout']} {options}"
        if "comment" in kwargs and "comment" not in options:
            options = f"{options} comment {kwargs['comment']}"
        found.append((plain, f"{plain} {options.strip()}".strip()))
    return found


def _lines(returned: list[str]) -> str:
    return "".join(f"{line}\n" for line in returned)


def _own(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments except those of the state engine."""
    return {name: value for name, value in kwargs.items() if not name.startswith("__")}
