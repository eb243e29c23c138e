"""Entries of sets: test, addition and removal."""

from __future__ import annotations

from typing import Any

import salt_g.modules.ipset.elements as elements
from salt_g.modules._programs import run, succeeds
from salt_g.modules.ipset.sets import NO_SET, changed, facts

_NO_ENTRY = "Error: Entry needs to be specified"
#: {option of an entry: required option of its set}.
_NEEDS = {
    "timeout": "timeout",
    "packets": "counters",
    "bytes": "counters",
    "comment": "comment",
    "skbmark": "skbinfo",
    "skbprio": "skbinfo",
    "skbqueue": "skbinfo",
}
#: Options of an entry without a value.
_FLAGS = ("nomatch", "physdev", "wildcard")
#: Options that place an entry of a set of sets before or after another one.
_PLACES = ("before", "after")


def add(name: str | None = None, entry: str | None = None, family: str = "ipv4", **kwargs: Any) -> str:
    """Add an entry to a set; return `Success`, a warning if it exists, or the error text.

    entry
        An address, a range, a network, a port, …, in the order of the set's type (`10.0.0.1,tcp:80`); options
        may follow (`10.0.0.1 timeout 60 comment "x"`).
    timeout, packets, bytes, comment, skbmark, skbprio, skbqueue
        Options of the entry; the set must have been created with support for them. `timeout` is in seconds.
    nomatch, physdev, wildcard
        Options of the entry without a value, given as True.
    before, after
        The entry of a set of type `list:set` next to which this one is placed.

    Example::

        salt-g ipset.add blocked 192.168.1.26
    """
    refusal, set_facts = _refusal(name, entry)
    if refusal:
        return refusal
    wanted = elements.parsed(set_facts["Type"], str(entry))
    options = {option: str(kwargs[option]) for option in (*_NEEDS, *_PLACES) if option in kwargs}
    options.update({flag: "" for flag in _FLAGS if kwargs.get(flag)})
    wanted = wanted._replace(options={**options, **wanted.options})
    header = set_facts["Header"].split()
    lacking = next(
        (need for option, need in _NEEDS.items() if option in wanted.options and need not in header), None
    )
    if lacking:
        return f"Error: Set {name} not created with {lacking} support"
    if entry in _listed(str(name)):
        return f"Warn: Entry {entry} already exists in set {name}"
    # With -exist an existing entry gets the new comment, and its timeout restarts.
    problem = changed("add", "-exist", str(name), *wanted.words())
    return f"Error: {problem}" if problem else "Success"


def delete(name: str | None = None, entry: str | None = None, family: str = "ipv4", **kwargs: Any) -> str:
    """Remove an entry from a set; return `Success`, or the error text.

    Example::

        salt-g ipset.delete blocked 192.168.1.26
    """
    refusal, set_facts = _refusal(name, entry)
    if refusal:
        return refusal
    problem = changed("del", str(name), elements.parsed(set_facts["Type"], str(entry)).text)
    return f"Error: {problem}" if problem else "Success"


def check(name: str | None = None, entry: Any = None, family: str = "ipv4") -> bool | str:
    """Return whether a set covers an entry (of a range, all addresses), or at least one entry of a list.

    If the entry has a comment, it must be equal; the timeout is ignored.

    Example::

        salt-g ipset.check blocked '192.168.0.1 comment "Hello"'
    """
    refusal, set_facts = _refusal(name, entry)
    if refusal:
        return refusal
    set_type = set_facts["Type"]
    wanted = entry if isinstance(entry, list) else [entry]
    return any(_has(str(name), set_type, elements.parsed(set_type, str(each))) for each in wanted)


def test(
    name: str | None = None, entry: str | None = None, family: str = "ipv4", **kwargs: Any
) -> bool | str:
    """Return whether the kernel finds an entry (an address, a port, …) in a set.

    Example::

        salt-g ipset.test blocked 192.168.0.2
    """
    refusal, _ = _refusal(name, entry)
    return refusal or succeeds(["ipset", "test", str(name), str(entry)])


def flush(name: str | None = None, family: str = "ipv4") -> bool:
    """Remove all entries of a set, or of all sets; return whether that succeeded.

    Example::

        salt-g ipset.flush blocked
    """
    return not changed("flush", *([name] if name else []))


def _refusal(name: str | None, entry: Any) -> tuple[str, dict[str, str]]:
    """Return the error of a call, or '', and the properties of the set."""
    if not name:
        return NO_SET, {}
    if not entry:
        return _NO_ENTRY, {}
    found = facts(name)
    return ("", found) if found else (f"Error: Set {name} does not exist", {})


def _has(name: str, set_type: str, wanted: elements.Element) -> bool:
    """Return whether a set has an entry; the kernel tests single elements, since sets can be large."""
    if wanted.is_plain():
        return succeeds(["ipset", "test", name, wanted.text])
    return elements.covers([elements.parsed(set_type, line) for line in _listed(name)], wanted)


def _listed(name: str) -> list[str]:
    """Return the entries of a set as ipset writes them."""
    return run(["ipset", "list", name])["stdout"].partition("Members:\n")[2].splitlines()
