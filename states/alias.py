"""States of mail aliases."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change


def present(name: str, target: Any) -> StateReturn:
    """Ensure that mail for `name` is delivered to `target`, an address or a list of them.

    Example::

        salt-g state.single alias.present root target=admin@example.com
    """
    if call("aliases.has_target", name, target):
        return as_wanted(name, f"Alias {name} already present")
    if opts["test"]:
        return would_change(name, f"Alias {name} -> {target} is set to be added")
    call("aliases.set_target", name, target)
    return changed(name, f"Set email alias {name} -> {target}", {"alias": name})


def absent(name: str) -> StateReturn:
    """Ensure that the alias does not exist.

    Example::

        salt-g state.single alias.absent root
    """
    if not call("aliases.get_target", name):
        return as_wanted(name, f"Alias {name} already absent")
    if opts["test"]:
        return would_change(name, f"Alias {name} is set to be removed")
    call("aliases.rm_alias", name)
    return changed(name, f"Removed alias {name}", {"alias": name})
