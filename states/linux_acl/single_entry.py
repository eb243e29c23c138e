"""`acl.present` and `acl.absent`: permissions of one user or group on a file."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change
from salt_g.states.linux_acl._lists import Kind, apply, is_granted, kind_of, letters, number


def present(
    name: str, acl_type: str, acl_name: str = "", perms: str = "", recurse: bool = False, force: bool = False
) -> StateReturn:
    """Ensure that a user or group has these permissions on the file or directory `name`.

    acl_type
        `user`, `group` or `mask`; `default:user` for files created later in a directory.
    acl_name
        The user or group; '' is the owner, or the file's group.
    perms
        Some of `rwxX-`; `X` applies to directories and to files that are already executable.
    recurse
        Apply to everything in a directory, too.
    force
        Remove all other entries first.

    Example::

        salt-g state.single acl.present /srv acl_type=user acl_name=damian perms=rwx
    """
    if not os.path.exists(name):
        return failed(name, f"{name} does not exist")
    known, kind = call("acl.getfacl", name, recursive=recurse), kind_of(acl_type)
    entries = kind.entries(known[name])
    if entries is None:
        return failed(name, "ACL Type does not exist")
    who = acl_name or kind.own_name(known[name])
    asked = {"acl_name": acl_name, "acl_type": acl_type}
    changes: dict[str, Any] = {"new": {**asked, "perms": perms}}
    if who not in entries:
        would, done = f"New permissions will be applied for {acl_name}: {perms}", "Applied new permissions"
    elif _is_reached(known, name, kind, who, perms, recurse):
        return as_wanted(name, "Permissions are in the desired state")
    else:
        before = letters(entries[who])
        changes["old"] = {**asked, "perms": before}
        would = f"Updated permissions will be applied for {acl_name}: {before} -> {perms}"
        done = "Updated permissions"
    if opts["test"]:
        return would_change(name, would, changes)
    problem = apply(name, acl_type, [acl_name], perms, recurse, force)
    if problem is not None:
        return failed(name, f"Error updating permissions for {acl_name}: {problem}")
    return changed(name, f"{done} for {acl_name}", changes)


def absent(
    name: str, acl_type: str, acl_name: str = "", perms: str = "", recurse: bool = False
) -> StateReturn:
    """Ensure that a user or group has no entry in the access list of the file or directory `name`.

    The arguments are those of `acl.present`; `perms` is ignored.

    Example::

        salt-g state.single acl.absent /srv acl_type=user acl_name=damian
    """
    if not os.path.exists(name):
        return failed(name, f"{name} does not exist")
    known, kind = call("acl.getfacl", name, recursive=recurse), kind_of(acl_type)
    if kind.entries(known[name]) is None:
        return failed(name, "ACL Type does not exist")
    who = acl_name or kind.own_name(known[name])
    if not any(who in (kind.entries(about) or {}) for about in known.values()):
        return as_wanted(name, "Permissions are in the desired state")
    if opts["test"]:
        return would_change(name, "Removing permissions")
    call("acl.delfacl", acl_type, acl_name, name, recursive=recurse)
    return outcome(name, True, "Removing permissions")


def _is_reached(known: dict[str, Any], name: str, kind: Kind, who: str, perms: str, recurse: bool) -> bool:
    """Return whether the permissions are as wanted; defaults exist on directories only."""
    if not recurse:
        return bool((kind.entries(known[name]) or {}).get(who) == number(perms))
    paths = [path for path in known if not kind.is_default or os.path.isdir(path)]
    return all(is_granted((kind.entries(known[path]) or {}).get(who), perms) for path in paths)
