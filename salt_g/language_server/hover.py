"""Description of the name at the cursor, as Markdown.

The description of a pillar key has the files that set it and the type of the value, never the value, which
can be a secret.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import salt_g.language_server.sls_place as roles
import salt_g.language_server.targets as targets
from salt_g.language_server.completion import kind_of
from salt_g.language_server.documents import Document, Position, span
from salt_g.language_server.function_docs import documentation
from salt_g.language_server.overlay import TreeFile
from salt_g.language_server.project import Project, pillar_places
from salt_g.language_server.targets import CursorTarget, target_at
from salt_g.lint.function_catalogue import FunctionCatalogue

#: Maximum number of states listed for an ID, and maximum length of a response (characters).
MAX_STATES = 20
MAX_TEXT = 20_000


class Hover:
    """Provider of descriptions of names in the files of a project."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def at(self, document: Document, place: TreeFile | None, position: Position) -> dict[str, Any] | None:
        """Return the description of the name at a position, or None if nothing is known about it."""
        target = target_at(document, place, position, self._project.top())
        text = self._text(target, place) if target is not None else ""
        if target is None or not text:
            return None
        line = document.line(position.line)
        return {
            "contents": {"kind": "markdown", "value": text[:MAX_TEXT]},
            "range": span(line, position.line, target.start, target.end),
        }

    def _text(self, target: CursorTarget, place: TreeFile | None) -> str:
        context = self._project.lint.context
        if target.kind == targets.STATE_FUNCTION:
            return _function(context.states, target.name)
        if target.kind == targets.EXECUTION_FUNCTION:
            return _function(context.functions, target.name)
        if target.kind == targets.ARGUMENT:
            return _argument(context.states, target.about, target.name)
        if target.kind == targets.STATE:
            return self._states(target)
        if target.kind == targets.PILLAR:
            return self._pillar(target.path)
        if target.kind == targets.GRAINS:
            return self._grain(target.path)
        if target.kind == targets.FILE:
            path = self._project.file(target.name, place.saltenv if place is not None else "base")
            return f"`{path}`" if path else ""
        return ""

    def _states(self, target: CursorTarget) -> str:
        lines = []
        states = self._project.states.named(target.name, target.about)
        for state in states[:MAX_STATES]:
            path, line = self._project.states.place_of(state)
            shown = os.path.basename(path) if path else state.sls
            name = f", name `{state.name}`" if state.name != state.state_id else ""
            lines.append(f"- `{state.fun}` of `{state.state_id}`{name}: SLS `{state.sls}`, {shown}:{line}")
        if len(states) > MAX_STATES:
            lines.append(f"- and {len(states) - MAX_STATES} more")
        return "\n".join(lines)

    def _pillar(self, path: tuple[str, ...]) -> str:
        name = ":".join(path)
        value, is_there = _at(self._project.lint.context.pillar, path)
        if not is_there:
            return f"pillar has no key `{name}`"
        places = [f"- {path}:{line}" for path, line in pillar_places(self._project, path)]
        origin = "\n".join(["", "from:", "", *places]) if places else "\n\nnot from a file of `pillar_roots`"
        return f"pillar `{name}`: {kind_of(value)}\n{origin}"

    def _grain(self, path: tuple[str, ...]) -> str:
        """Return the description of a grain; a recorded value is not shown, because it can be secret."""
        context = self._project.lint.context
        name = ":".join(path)
        value, is_there = _at(context.grains, path)
        if not is_there:
            return f"no grain `{name}` is recorded"
        if context.is_recorded or isinstance(value, (dict, list)):
            return f"grain `{name}`: {kind_of(value)}"
        return f"grain `{name}`: `{value}` on {context.grains.get('os', 'this system')}"


def _function(functions: FunctionCatalogue, name: str) -> str:
    described = documentation(functions, name)
    if described is None:
        return ""
    return f"```python\n{described.call()}\n```\n\n{_markdown(described.text)}".rstrip()


def _argument(functions: FunctionCatalogue, function: str, name: str) -> str:
    described = documentation(functions, function)
    if described is not None and name in described.parameters:
        default = described.parameters[name]
        description = f"required by `{function}`" if default is None else f"`{function}`, default `{default}`"
        about = [
            part
            for part in re.split(r"\n\s*\n", described.text)
            if re.search(rf"\b{re.escape(name)}\b", part)
        ]
        return "\n\n".join([f"`{name}`: {description}", *map(_markdown, about)])
    if name in roles.COMMON_ARGUMENTS:
        kind = "requisite" if name in roles.REQUISITE_KEYS else "argument"
        return f"`{name}`: {kind} of every state"
    return (
        f"`{name}`: passed on by `{function}`" if described is not None and described.takes_keywords else ""
    )


def _markdown(text: str) -> str:
    """Convert a docstring to Markdown: the `::` before an example becomes `:`."""
    return re.sub(r"(?m)^(.*)::$", r"\1:", text)


def _at(values: Any, path: tuple[str, ...]) -> tuple[Any, bool]:
    for key in path:
        if not isinstance(values, Mapping) or key not in values:
            return None, False
        values = values[key]
    return values, True
