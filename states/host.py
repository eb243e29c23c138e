"""States of names in the hosts file.

Source: stock's `host` states; conformance case `states/host`.
"""

from __future__ import annotations

import ipaddress
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

#: Actions by key in `changes`: function, comments in test mode, on success, on failure.
ACTIONS = {
    "added": (
        "hosts.add_host",
        "Host {what} ({ip}) would be added",
        "Added host {what} ({ip})",
        "Failed to add host {what} ({ip})",
    ),
    "comment_added": (
        "hosts.set_comment",
        "Comment for {ip} ({what}) would be added",
        "Set comment for host {ip} ({what})",
        "Failed to add comment for host {ip} ({what})",
    ),
    "removed": (
        "hosts.rm_host",
        "Host {what} ({ip}) would be removed",
        "Removed host {what} ({ip})",
        "Failed to remove host {what} ({ip})",
    ),
}


def present(name: str, ip: str | list[str], comment: str = "", clean: bool = False) -> StateReturn:
    """Ensure that a name has these addresses.

    name
        The name.
    ip
        The address, or a list of addresses.
    comment
        Comment on the lines of the addresses.
    clean
        Remove the name from all other addresses.

    Example::

        salt-g state.single host.present web1 ip=192.0.2.1
    """
    plan = _plan(name, ip if isinstance(ip, list) else [ip], comment, clean)
    comments, result = plan["comments"], not plan["invalid"]
    changes: dict[str, Any] = {}
    for key, (function, planned, done, failing) in ACTIONS.items():
        for address, what in plan[key]:
            if opts.get("test"):
                comments.append(planned.format(what=what, ip=address))
            elif call(function, address, what):
                comments.append(done.format(what=what, ip=address))
            else:
                comments.append(failing.format(what=what, ip=address))
                result = False
                continue
            changes.setdefault(key, {}).setdefault(address, []).append(what)
    would = opts.get("test") and (plan["added"] or plan["removed"])
    extra = {"warnings": plan["warnings"]} if plan["warnings"] else {}
    return outcome(name, None if would else result, "\n".join(comments), changes, **extra)


def absent(name: str, ip: str | list[str]) -> StateReturn:
    """Ensure that a name does not have these addresses.

    Example::

        salt-g state.single host.absent web1 ip=192.0.2.1
    """
    comments: list[str] = []
    changes: dict[str, Any] = {}
    result: bool | None = None
    for address in ip if isinstance(ip, list) else [ip]:
        if not call("hosts.has_pair", address, name):
            result = True
            comments.append(f"Host {name} ({address}) already absent")
        elif opts.get("test"):
            comments.append(f"Host {name} ({address}) needs to be removed")
        elif call("hosts.rm_host", address, name):
            changes, result = {"host": name}, True
            comments.append(f"Removed host {name} ({address})")
        else:
            return failed(name, "\n".join([*comments, "Failed to remove host"]), changes)
    return outcome(name, result, "\n".join(comments), changes)


def only(name: str, hostnames: str | list[str]) -> StateReturn:
    """Ensure that an address has these names and no others.

    name
        The address.
    hostnames
        The names; an empty list removes the address.

    Example::

        salt-g state.single host.only 192.0.2.1 hostnames='[web1, web1.example]'
    """
    names = [hostnames] if isinstance(hostnames, str) else hostnames
    old = " ".join(call("hosts.get_alias", name))
    new = " ".join(word.strip() for word in names)
    if old == new:
        return as_wanted(name, f'IP address {name} already set to "{new}"')
    if opts.get("test"):
        return would_change(name, f'Would change {name} from "{old}" to "{new}"')
    if not call("hosts.set_host", name, new):
        return failed(name, f'hosts.set_host failed to change {name} from "{old}" to "{new}"')
    returned = f'successfully changed {name} from "{old}" to "{new}"'
    return changed(name, returned, {name: {"old": old, "new": new}})


def _plan(name: str, ips: list[str], comment: str, clean: bool) -> dict[str, Any]:
    """Compare the hosts file with the wanted entries: return what to add, comment, remove and report."""
    hosts = call("hosts.list_hosts")
    new = [ip for ip in ips if ip not in hosts]
    plan: dict[str, Any] = {key: [] for key in (*ACTIONS, "comments", "warnings")}
    plan["invalid"] = False
    plan["added"] = [(ip, name) for ip in new]
    plan["comment_added"] = [(ip, comment) for ip in new if comment]
    for ip, entry in hosts.items():
        has_name = isinstance(entry, dict) and name in entry["aliases"]
        if ip not in ips:
            if has_name:
                _other_address(plan, name, ip, clean)
        elif has_name:
            if comment and entry.get("comment") != comment:
                plan["comment_added"].append((ip, comment))
            else:
                plan["comments"].append(f"Host {name} ({ip}) already present")
        elif _is_address(ip):
            plan["added"].append((ip, name))
            plan["comment_added"] += [(ip, comment)] if comment else []
        else:
            plan["invalid"] = True
            plan["comments"].append(f"Invalid IP Address for {name} ({ip})")
    return plan


def _other_address(plan: dict[str, Any], name: str, ip: str, clean: bool) -> None:
    """Plan the removal of another address of a name or, without `clean`, a warning about it."""
    if clean:
        plan["removed"].append((ip, name))
        return
    plan["warnings"].append(
        f"Host {name} present for IP address {ip}. To get rid of this warning, either run this state with "
        f"'clean' set to True to remove {name} from {ip}, or add {ip} to the 'ip' argument."
    )


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
