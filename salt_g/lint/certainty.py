"""Certainty of findings: whether a finding could disappear with other pillar or grains.

A compile has one pillar, often an empty one, and unknown values have no items. A state that is missing here
may therefore exist on a minion, made by a loop, a condition or a macro with the minion's data.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from salt_g.formats.indented_blocks import block_end, line_with
from salt_g.lint.positions import lines_of
from salt_g.lint.possible_declarations import declarations_in
from salt_g.lint.sls_check import Compilation, SlsProblem
from salt_g.lint.template_variables import is_set_in_branch

#: Rules about names that another SLS of the tree may declare, or the same SLS with other data.
RESOLVED_ELSEWHERE = ("unknown-requisite", "unknown-extend")
#: Words of Jinja errors that other data could prevent: missing attributes or items, and empty sequences.
_OF_DATA = ("has no attribute", "has no element", "sequence was empty", "No aggregated item")
#: Beginning of messages of errors that Python raised about values, in contrast to Jinja's own errors.
_OF_VALUES = re.compile(r"(Rendering SLS '?\S+ (failed|failed, render error): )?Jinja error: ")
#: End of a Jinja condition or loop.
_END = re.compile(r"\{%-?\s*(endif|endfor)\s*-?%\}\s*$")
#: Variables that only an SLS of a reactor has, and lines that only such an SLS contains.
_OF_REACTORS = ("data", "tag")
_REACTION = re.compile(r"^\s+(- )?(tgt|(local|runner|wheel|caller)\.[\w.]+):", re.MULTILINE)
#: Pattern of Jinja's message about an undefined variable.
_UNDEFINED = re.compile(r"Jinja variable '(\w+)' is undefined")


class _Use(NamedTuple):
    """Use of an undefined variable, with the lines of its template; `line` counts from 1, 0 if unknown."""

    name: str
    template: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        """The text of the template."""
        return "\n".join(self.template)


def depends_on_data(one: Compilation) -> bool:
    """Return whether templates of a compile used values that are unknown or may differ on minions."""
    return one.has_unknown or one.asks_pillar


def may_vanish(one: Compilation, found: SlsProblem) -> bool:
    """Return whether other data, or an SLS that could not be read here, may resolve a finding."""
    if found.rule in RESOLVED_ELSEWHERE and one.is_incomplete:
        return True
    undefined = _undefined(one, found)
    if undefined is not None and _is_of_reactor(undefined):
        return True
    if not depends_on_data(one):
        return False
    if undefined is not None and (_is_stored(undefined) or _is_set(undefined)):
        return True
    if found.rule == "render":
        return _is_about_data(one, found)
    if found.rule == "malformed-state":
        return _is_made_by_template(one, found)
    return found.rule in RESOLVED_ELSEWHERE and _may_be_declared(one, found.problem.wanted)


def _is_about_data(one: Compilation, found: SlsProblem) -> bool:
    message = found.problem.message
    if any(words in message for words in _OF_DATA):
        return True
    failure = one.rendering.failures.get(found.problem.sls)
    if failure is not None and failure.fault.is_rendered:
        return _is_below_condition(one, found) or one.rendering.is_sound_with_plain_values(found.problem.sls)
    is_missing = failure is not None and failure.is_missing
    return _OF_VALUES.match(message) is not None and not is_missing


def _undefined(one: Compilation, found: SlsProblem) -> _Use | None:
    """Return the use of an undefined variable that a finding reports, or None if its place is unknown."""
    named = _UNDEFINED.search(found.problem.message) if found.rule == "render" else None
    place = one.places.source_line(found.problem) if named else None
    if named is None or place is None or place[1].name:
        return None
    return _Use(named[1], lines_of(place[0]), place[1].line)


def _is_of_reactor(use: _Use) -> bool:
    """Return whether the variable belongs to an event, because the file is an SLS of a reactor."""
    return use.name in _OF_REACTORS and _REACTION.search(use.text) is not None


def _is_stored(use: _Use) -> bool:
    """Return whether the variable is an item of a mapping (`m.x`), which other data may have set."""
    text = use.template[use.line - 1] if use.line else ""
    found = re.findall(rf"(\.\s*)?\b{use.name}\b", text)
    return bool(found) and all(found)


def _is_set(use: _Use) -> bool:
    """Return whether the template sets the variable in a condition."""
    return use.line > 0 and is_set_in_branch(use.text, use.name, use.line)


def _is_below_condition(one: Compilation, found: SlsProblem) -> bool:
    """Return whether a YAML error is in lines that directly follow the end of a condition or loop.

    With other data, the condition or loop would have printed the line to which these lines belong.
    """
    place = one.places.source_line(found.problem)
    if place is None or place[1].name:
        return False
    before = [text for text in lines_of(place[0])[: max(place[1].line - 1, 0)] if text.strip()]
    while before and before[-1].startswith(" ") and _END.search(before[-1]) is None:
        before.pop()
    return bool(before) and _END.search(before[-1]) is not None


def _is_made_by_template(one: Compilation, found: SlsProblem) -> bool:
    """Return whether the body of a malformed declaration contains template expressions or statements."""
    for word in _declared_words(found):
        for path in one.places.paths().values():
            lines = lines_of(path)
            line, _ = line_with(lines, f"{word}:")
            if line:
                body = lines[line : block_end(lines, line)]
                return any("{%" in text or "{{" in text for text in body)
    place = one.places.source_line(found.problem)
    return place is not None and bool(place[1].name)


def _declared_words(found: SlsProblem) -> list[str]:
    """Return the possible names (IDs, `include` or `extend`) of the malformed declaration in a finding."""
    message = found.problem.message
    if message.startswith(("Include Declaration", "Extension value")):
        return ["include" if message.startswith("Include") else "extend"]
    named = re.match(r"(?:The type|ID) '?(.+?)'? in ", message)
    return [text for text in (named[1] if named else "", str(found.problem.state_id or "")) if text]


def _may_be_declared(one: Compilation, wanted: str) -> bool:
    """Return whether an ID or name in the source, completed by a template, may match the wanted one."""
    if re.search(r"[*?\[]", wanted):
        return True
    return any(declarations_in(lines_of(path)).may_complete(wanted) for path in one.places.paths().values())
