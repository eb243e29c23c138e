"""Sets: listing, creating, renaming and removing them."""

from __future__ import annotations

from typing import Any

from salt_g.api import call
from salt_g.errors import InvocationError
from salt_g.modules._programs import output, run

_FAMILIES = {"ipv4": "inet", "ip4": "inet", "ipv6": "inet6", "ip6": "inet6"}
TYPES = (
    *("bitmap:ip", "bitmap:ip,mac", "bitmap:port", "hash:ip", "hash:ip,mac", "hash:ip,mark", "hash:ip,port"),
    *("hash:ip,port,ip", "hash:ip,port,net", "hash:mac", "hash:net", "hash:net,iface", "hash:net,net"),
    *("hash:net,port", "hash:net,port,net", "list:set"),
)
#: Options of a set that have a value.
_OPTIONS = (
    *("range", "hashsize", "maxelem", "bucketsize", "netmask", "bitmask", "markmask", "size", "timeout"),
    "initval",
)
#: Options of a set without a value.
_FLAGS = ("counters", "comment", "skbinfo", "forceadd")
NO_SET = "Error: Set needs to be specified"


def version() -> str:
    """Return the version of ipset.

    Example::

        salt-g ipset.version
    """
    return output(["ipset", "--version"]).split()[1]


def new_set(
    name: str | None = None,
    set_type: str | None = None,
    family: str = "ipv4",
    comment: bool = False,
    **kwargs: Any,
) -> bool | str:
    """Create a set; return True, or the error text.

    name, set_type
        Name of the set, and the type of its entries: `hash:ip`, `hash:net`, `bitmap:port`, `list:set`, …
    family
        `ipv4` or `ipv6`, for sets of addresses and networks.
    comment
        Entries may have comments.
    range, hashsize, maxelem, bucketsize, netmask, bitmask, markmask, size, timeout, initval
        Options with a value; sets of type `bitmap` need a range. `timeout` is in seconds.
    counters, skbinfo, forceadd
        Options without a value, given as True.

    Example::

        salt-g ipset.new_set blocked hash:net timeout=3600
    """
    if not name:
        return "Error: Set Name needs to be specified"
    if not set_type:
        return "Error: Set Type needs to be specified"
    if set_type not in TYPES:
        return f"Error: Set Type is invalid ({set_type}; known are: {', '.join(TYPES)})"
    if set_type.startswith("bitmap:") and "range" not in kwargs:
        return "Error: range is a required argument"
    given = {**kwargs, "comment": comment}
    words = [word for option in _OPTIONS if option in given for word in (option, str(given[option]))]
    words += [flag for flag in _FLAGS if given.get(flag)]
    if set_type.startswith("hash:") and set_type != "hash:mac":
        words += ["family", _family(family)]
    return changed("create", name, set_type, *words) or True


def delete_set(name: str | None = None, family: str = "ipv4") -> bool | str:
    """Remove a set; return True, or the error text.

    Example::

        salt-g ipset.delete_set blocked
    """
    return (changed("destroy", name) or True) if name else NO_SET


def rename_set(name: str | None = None, new_set: str | None = None, family: str = "ipv4") -> bool | str:
    """Rename a set; return True, or the error text.

    Example::

        salt-g ipset.rename_set blocked new_set=refused
    """
    if not name:
        return NO_SET
    if not new_set:
        return "Error: New name for set needs to be specified"
    if not facts(name):
        return "Error: Set does not exist"
    if facts(new_set):
        return "Error: New Set already exists"
    return changed("rename", name, new_set) or True


def list_sets(family: str = "ipv4") -> list[dict[str, str]]:
    """Return ipset's description of each set: {"Name", "Type", "Header", "References", …}.

    Example::

        salt-g ipset.list_sets
    """
    blocks = output(["ipset", "list", "-t"]).strip().split("\n\n")
    return [_read(block) for block in blocks if block]


def check_set(name: str | None = None, family: str = "ipv4") -> bool | str:
    """Return whether a set exists.

    Example::

        salt-g ipset.check_set blocked
    """
    return bool(facts(name)) if name else NO_SET


def facts(name: str) -> dict[str, str]:
    """Return ipset's description of one set, or {} if it does not exist."""
    done = run(["ipset", "list", "-t", name])
    return {} if done["retcode"] else _read(done["stdout"])


def changed(*words: str) -> str:
    """Run ipset to make a change; return '', or its error text, which also makes the job fail."""
    return str(call("cmd.run", ["ipset", *words], python_shell=False)).strip()


def _family(family: str) -> str:
    if family not in _FAMILIES:
        raise InvocationError(f"family {family!r} is none of {', '.join(_FAMILIES)}")
    return _FAMILIES[family]


def _read(block: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
    return {name: value.strip() for name, _, value in pairs}
