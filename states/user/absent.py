"""`user.absent`: removal of a user."""

from __future__ import annotations

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def absent(name: str, purge: bool = False, force: bool = False, local: bool = False) -> StateReturn:
    """Ensure that a user does not exist.

    purge
        Also remove the home directory and mail spool.
    force
        Remove the user even while logged in.
    local
        Use local users only.

    Example::

        salt-g state.single user.absent frank purge=True
    """
    user = call("user.info", name, **({"root": "/"} if local else {}))
    if not user:
        return as_wanted(name, f"User {name} is not present")
    if opts.get("test"):
        return would_change(name, f"User {name} set for removal")
    groups = call("user.list_groups", name)
    if not call("user.delete", name, purge, force, local=local):
        return failed(name, f"Failed to remove user {name}")
    gone = {f"{group} group": "removed" for group in groups if not call("group.info", group)}
    return changed(name, f"Removed user {name}", {**gone, name: "removed"})
