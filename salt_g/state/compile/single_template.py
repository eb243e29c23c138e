"""Standalone SLS text (`state.template_str`), which cannot include or extend."""

from __future__ import annotations

from typing import Any

from salt_g.shapes.high_data import HighData, MalformedChanges, SlsData
from salt_g.state.compile.diagnostics import Problems

#: Declarations that need other files. (`extends` is spelled as in stock.)
REFUSED = ("include", "exclude", "extends")


def declare_single(data: Any, name: str, problems: Problems) -> HighData:
    """Return rendered data in normal form, empty if it is malformed; messages refer to it as `name`."""
    if not data:
        return HighData({})
    if not isinstance(data, dict):
        problems.add(f"Template {name} does not render to a dictionary")
        return HighData({})
    for word in REFUSED:
        if word in data:
            problems.add(
                f"The '{word}' declaration found on '{name}' is invalid when rendering single templates"
            )
            return HighData({})
    try:
        return HighData.of({key: _declared(key, body, name, problems) for key, body in data.items()})
    except MalformedChanges as exc:
        problems.add(f"{exc.key} in template {name} {exc.fault}")
        return HighData({})


def _declared(state_id: Any, body: Any, name: str, problems: Problems) -> Any:
    if isinstance(body, str) and "." in body:
        module, function = body.split(".")[:2]
        return {module: [function]}
    if not isinstance(body, dict):
        problems.add(f"ID {state_id} in template {name} is not a dictionary")
        return body
    declared: SlsData = {}
    for key, arguments in body.items():
        module, _, function = str(key).partition(".")
        if arguments is None:
            problems.add(
                f"ID '{state_id}' in template {name} contains a short declaration ({key}) with a trailing "
                "colon. When not passing any arguments to a state, the colon must be omitted."
            )
        elif function and isinstance(arguments, list) and module in declared:
            problems.add(
                f"ID '{state_id}' in template '{name}' contains multiple state declarations of the same type"
            )
        elif function and isinstance(arguments, list):
            declared[module] = [*arguments, function.partition(".")[0]]
        else:
            declared[key] = arguments
    return declared
