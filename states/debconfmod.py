"""Answers to debconf questions of packages."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, grains, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change

__virtualname__ = "debconf"
__func_alias__ = {"set_": "set"}


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") != "Debian":
        return False, "debconf state only runs on Debian systems"
    if "debconf.show" not in functions:
        return False, "debconf module could not be loaded"
    return __virtualname__


def set_(name: str, data: dict[str, dict[str, Any]], **kwargs: Any) -> StateReturn:
    """Ensure that the questions of the package `name` are answered.

    `data` is {question: {"type": ..., "value": ...}}; a password's value is never shown.

    Example::

        salt-g state.single debconf.set tzdata data='{"tzdata/Areas": {"type": "select", "value": "Europe"}}'
    """
    known = call("debconf.show", name) or []
    changes: dict[str, Any] = {}
    problems: list[str] = []
    for question, wanted in data.items():
        kind, answer = wanted["type"], _answer(wanted)
        if [question, kind, answer] in known:
            continue
        if opts["test"]:
            changes[question] = f"New value: {'(password hidden)' if kind == 'password' else answer}"
        elif call("debconf.set", name, question, kind, answer):
            changes[question] = "(password hidden)" if kind == "password" else answer
        else:
            changes[question] = "Failed to set!"
            problems.append(question)
    if not changes:
        return as_wanted(name, "All specified answers are already set")
    if problems:
        return failed(name, "Some settings failed to be applied.", changes)
    same = [question for question in data if question not in changes]
    comment = f"Unchanged answers: {' '.join(same)} " if same else ""
    return outcome(name, None if opts["test"] else True, comment, changes)


def set_file(
    name: str,
    source: str,
    template: str | None = None,
    context: Any = None,
    defaults: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Set the answers in the file `source`.

    With `template` (`jinja`), that engine renders the file first, with `context` over `defaults`.

    Example::

        salt-g state.single debconf.set_file answers source=salt://answers.selections
    """
    for what, value in (("Context", context), ("Defaults", defaults)):
        if value is not None and not isinstance(value, dict):
            return failed(name, f"{what} must be formed as a dict")
    if opts["test"]:
        return would_change(name, "Debconf selections would have been set.")
    if template:
        is_set = call("debconf.set_template", source, template, context or {}, defaults or {}, **kwargs)
    else:
        is_set = call("debconf.set_file", source, **kwargs)
    if is_set:
        return outcome(name, True, "Debconf selections were set.")
    return failed(name, "Unable to set debconf selections from file.")


def _answer(wanted: dict[str, Any]) -> str:
    if wanted["type"] == "boolean":
        return "true" if wanted["value"] else "false"
    return str(wanted["value"])
