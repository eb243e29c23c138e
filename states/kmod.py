"""States of kernel modules."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, outcome, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "kmod.available" in functions else (False, "kmod module could not be loaded")


def present(name: str, persist: bool = False, mods: Any = None) -> StateReturn:
    """Ensure that a module (or all of `mods`) is loaded, and with `persist` also at boot.

    Example::

        salt-g state.single kmod.present kvm
    """
    wanted = list(mods) if isinstance(mods, (list, tuple)) else [name]
    there = set(call("kmod.mod_list"))
    if persist:
        there &= set(call("kmod.mod_list", True))
    already = [mod for mod in wanted if mod in there]
    comments = (
        [f"{_named(already)} {'is' if len(already) == 1 else 'are'} already present"] if already else []
    )
    missing = [mod for mod in wanted if mod not in there]
    if not missing:
        return as_wanted(name, comments[0])
    if opts["test"]:
        verb = "is" if len(missing) == 1 else "are"
        return would_change(name, "\n".join([*comments, f"{_named(missing)} {verb} set to be loaded"]))
    known = set(call("kmod.available"))
    unknown = [mod for mod in missing if mod not in known]
    if unknown:
        comments.append(f"{_named(unknown)} {'is' if len(unknown) == 1 else 'are'} unavailable")
    return _change(name, "load", [mod for mod in missing if mod in known], (persist,), comments, not unknown)


def absent(name: str, persist: bool = False, comment: bool = True, mods: Any = None) -> StateReturn:
    """Ensure that a module (or all of `mods`) is not loaded, and with `persist` not at boot either.

    With `persist`, lines that load it at boot are commented out, or removed if `comment` is False.

    Example::

        salt-g state.single kmod.absent kvm
    """
    wanted = list(mods) if isinstance(mods, (list, tuple)) else [name]
    there = set(call("kmod.mod_list"))
    if persist:
        there |= set(call("kmod.mod_list", True))
    targets = [mod for mod in wanted if mod in there]
    if not targets:
        return as_wanted(name, f"{_named(wanted)} {'is' if len(wanted) == 1 else 'are'} already removed")
    if opts["test"]:
        verb = "is" if len(targets) == 1 else "are"
        return would_change(name, f"{_named(targets)} {verb} set to be removed")
    return _change(name, "remove", targets, (persist, comment), [], True)


def _named(mods: list[str]) -> str:
    return f"Kernel module{'' if len(mods) == 1 else 's'} {', '.join(mods)}"


def _change(
    name: str, verb: str, mods: list[str], arguments: tuple[Any, ...], comments: list[str], is_good: bool
) -> StateReturn:
    """Load or remove modules one by one; a module already handled as a dependency counts as done."""
    done = {"load": "loaded", "remove": "removed"}[verb]
    changes: dict[str, str] = {}
    well, badly, problems = [], [], []
    for mod in mods:
        returned = [mod] if mod in changes else call(f"kmod.{verb}", mod, *arguments)
        if isinstance(returned, str):
            problems.append(f"Failed to {verb} kernel module {mod}: {returned}")
        elif returned:
            well.append(mod)
            changes.update(dict.fromkeys(returned, done))
        else:
            badly.append(mod)
    if well:
        comments.append(f"{done.capitalize()} {_named(well)[0].lower()}{_named(well)[1:]}")
    if badly:
        comments.append(f"Failed to {verb} {_named(badly)[0].lower()}{_named(badly)[1:]}")
    result = is_good and not badly and not problems
    return outcome(name, result, "\n".join([*comments, *problems]), changes)
