"""States of the alternatives system, which links a common name to one of several programs.

Source: the `alternatives` states of Salt 3007, which formulas still use.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

__func_alias__ = {"set_": "set"}


def install(name: str, link: str, path: str, priority: int) -> StateReturn:
    """Ensure that a program is one of the alternatives for a name.

    name
        The name of the group, such as `editor`.
    link
        The generic path, such as /usr/bin/editor.
    path
        The program.
    priority
        Automatic mode selects the program with the highest priority.

    Example::

        salt-g state.single alternatives.install editor link=/usr/bin/editor path=/bin/nano priority=40
    """
    asked: dict[str, Any] = {"link": link, "path": path, "priority": priority}
    if call("alternatives.check_exists", name, path):
        return as_wanted(name, f"Alternative {path} for {name} is already registered", **asked)
    if opts.get("test"):
        return would_change(
            name, f"Alternative will be set for {name} to {path} with priority {priority}", **asked
        )
    printed = call("alternatives.install", name, link, path, priority)
    if not call("alternatives.check_exists", name, path):
        return failed(name, f"Alternative for {name} not installed: {printed}", **asked)
    returned = f"Alternative for {name} set to path {path} with priority {priority}"
    if not call("alternatives.check_installed", name, path):
        returned = f"Alternative {path} for {name} registered with priority {priority} and not set to default"
    return changed(name, returned, {"name": name, **asked}, **asked)


def remove(name: str, path: str) -> StateReturn:
    """Ensure that a program is not among the alternatives for a name; a name without any is an error.

    Example::

        salt-g state.single alternatives.remove editor path=/bin/nano
    """
    if not call("alternatives.check_exists", name, path):
        current = call("alternatives.show_current", name)
        if current:
            return as_wanted(name, f"Alternative for {name} is set to it's default path {current}", path=path)
        return failed(name, f"Alternative for {name} doesn't exist", path=path)
    if opts.get("test"):
        return would_change(name, f"Alternative for {name} will be removed", path=path)
    call("alternatives.remove", name, path)
    current = call("alternatives.show_current", name)
    if current:
        returned = f"Alternative for {name} removed. Falling back to path {current}"
        return changed(name, returned, {"path": current}, path=path)
    return as_wanted(name, f"Alternative for {name} removed", path=path)


def auto(name: str) -> StateReturn:
    """Ensure that a name is in automatic mode, which selects the program with the highest priority.

    Example::

        salt-g state.single alternatives.auto editor
    """
    first_line = call("alternatives.display", name).partition("\n")[0]
    if first_line.endswith(" auto mode"):
        return as_wanted(name, f"{name} already in auto mode")
    if opts.get("test"):
        return would_change(name, f"{name} will be put in auto mode")
    return changed(name, "", {"result": call("alternatives.auto", name)})


def set_(name: str, path: str) -> StateReturn:
    """Ensure that a program is selected for a name.

    Example::

        salt-g state.single alternatives.set editor path=/usr/bin/vim.tiny
    """
    asked: dict[str, Any] = {"path": path}
    if call("alternatives.show_current", name) == path:
        return as_wanted(name, f"Alternative for {name} already set to {path}", **asked)
    if not call("alternatives.check_exists", name, path):
        return failed(name, f"Alternative {path} for {name} doesn't exist", **asked)
    if opts.get("test"):
        return would_change(name, f"Alternative for {name} will be set to path {path}", **asked)
    call("alternatives.set", name, path)
    if call("alternatives.show_current", name) != path:
        return failed(name, f"Alternative for {name} not updated", **asked)
    return changed(name, f"Alternative for {name} set to path {path}", asked, **asked)
