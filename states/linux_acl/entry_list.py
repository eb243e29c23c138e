"""`acl.list_present` and `acl.list_absent`: permissions of several users or groups on a file."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change
from salt_g.states.linux_acl._lists import apply, kind_of, number


def list_present(
    name: str,
    acl_type: str,
    acl_names: list[str] | None = None,
    perms: str = "",
    recurse: bool = False,
    force: bool = False,
) -> StateReturn:
    """Ensure that each of `acl_names` has these permissions on the file or directory `name`.

    The other arguments are those of `acl.present`.

    Example::

        salt-g state.single acl.list_present /srv acl_type=user acl_names='[damian, homer]' perms=rwx
    """
    if not os.path.exists(name):
        return failed(name, f"{name} does not exist")
    names = list(acl_names or [])
    entries = kind_of(acl_type).entries(call("acl.getfacl", name)[name])
    if entries is None:
        return failed(name, "ACL Type does not exist")
    wanted, joined = number(perms), ", ".join(names)
    differing = [entries[each] for each in names if each in entries and entries[each] != wanted]
    missing = [each for each in names if each not in entries]
    if not differing and not missing:
        return as_wanted(name, "Permissions are in the desired state")
    asked = {"acl_name": joined, "acl_type": acl_type}
    changes: dict[str, Any] = {"new": {**asked, "perms": perms}}
    would, done = (
        f"New permissions will be applied for {names}: {perms}",
        f"Applied new permissions for {joined}",
    )
    if differing:
        before = str(differing[0])
        changes = {"new": {**asked, "perms": wanted}, "old": {**asked, "perms": before}}
        would = f"Updated permissions will be applied for {names}: {before} -> {perms}"
        done = f"Updated permissions for {names}"
    if opts["test"]:
        return would_change(name, would, changes)
    problem = apply(name, acl_type, names, perms, recurse, force)
    if problem is not None:
        return failed(name, f"Error updating permissions for {names}: {problem}")
    return changed(name, done, changes)


def list_absent(
    name: str, acl_type: str, acl_names: list[str] | None = None, recurse: bool = False
) -> StateReturn:
    """Ensure that none of `acl_names` has an entry in the access list of the file or directory `name`.

    `recurse` also removes the entries of everything in the directory.

    Example::

        salt-g state.single acl.list_absent /srv acl_type=user acl_names='[damian, homer]'
    """
    if not os.path.exists(name):
        return failed(name, f"{name} does not exist")
    entries = kind_of(acl_type).entries(call("acl.getfacl", name)[name])
    if entries is None:
        return failed(name, "ACL Type does not exist")
    there = [each for each in acl_names or [] if each in entries]
    if not there:
        return as_wanted(name, "Permissions are in the desired state")
    if opts["test"]:
        return would_change(name, "Removing permissions")
    for each in there:
        call("acl.delfacl", acl_type, each, name, recursive=recurse)
    return outcome(name, True, "Removing permissions")
