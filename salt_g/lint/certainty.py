"""Findings that other data may remove: those about what a template makes of pillar or of unknown values.

A compile knows one pillar, often an empty one, and unknown values have no items. So what is missing from
its states may be made by a loop, a condition or a macro whose data the minion has.
"""

from __future__ import annotations

import re

from salt_g.formats.indented_blocks import block_end, line_with
from salt_g.lint.positions import lines_of
from salt_g.lint.sls_check import Compilation, SlsProblem

#: Rules about names that another SLS of the tree, or other data, may declare.
RESOLVED_ELSEWHERE = ("unknown-requisite", "unknown-extend")
#: Words of Jinja's errors about attributes, items and ends of sequences that data may have.
_OF_DATA = ("has no attribute", "has no element", "sequence was empty", "No aggregated item")
#: Beginning of the texts of errors that Python raised about values, not Jinja about a template.
_OF_VALUES = re.compile(r"(Rendering SLS '?\S+ (failed|failed, render error): )?Jinja error: ")
#: An ID or a name in the source that a template completes.
_DECLARED = re.compile(r"^(?: {0,8}(?!-)(?P<id>\S.*):|\s*-\s+name:\s*(?P<name>\S.*))\s*$")
_EXPRESSION = re.compile(r"\{\{.*?\}\}")
#: End of a condition or loop.
_END = re.compile(r"\{%-?\s*(endif|endfor)\s*-?%\}\s*$")
#: Least number of characters that a completed name must have by itself to stand for a wanted one.
_LEAST_LITERAL = 3


def depends_on_data(one: Compilation) -> bool:
    """Return whether templates of a compile used values that are not known or may be other ones."""
    return one.has_unknown or one.asks_pillar


def may_vanish(one: Compilation, found: SlsProblem) -> bool:
    """Return whether other data, or an SLS that could not be read here, may resolve a finding."""
    if found.rule in RESOLVED_ELSEWHERE and one.is_incomplete:
        return True
    if not depends_on_data(one):
        return False
    if found.rule == "render":
        return _is_about_data(one, found)
    if found.rule == "malformed-state":
        return _is_made_by_template(one, found)
    return found.rule in RESOLVED_ELSEWHERE and _may_be_declared(one, found.problem.wanted)


def _is_about_data(one: Compilation, found: SlsProblem) -> bool:
    message = found.problem.message
    if any(words in message for words in _OF_DATA) or _is_stored(one, found):
        return True
    failure = one.rendering.failures.get(found.problem.sls)
    if failure is not None and failure.fault.is_rendered:
        return _is_below_condition(one, found)
    is_missing = failure is not None and failure.is_missing
    return _OF_VALUES.match(message) is not None and not is_missing


def _is_stored(one: Compilation, found: SlsProblem) -> bool:
    """Return whether an undefined variable comes out of a mapping (`m.x`): data may have set it before."""
    named = re.search(r"Jinja variable '(\w+)' is undefined", found.problem.message)
    place = one.places.source_line(found.problem) if named else None
    if named is None or place is None or place[1].name or not place[1].line:
        return False
    text = "".join(lines_of(place[0])[place[1].line - 1 : place[1].line])
    uses = re.findall(rf"(\.\s*)?\b{named[1]}\b", text)
    return bool(uses) and all(uses)


def _is_below_condition(one: Compilation, found: SlsProblem) -> bool:
    """Return whether an error of YAML is at lines that begin behind the end of a condition or loop.

    With other data that would have left the line to which these belong.
    """
    place = one.places.source_line(found.problem)
    if place is None or place[1].name:
        return False
    before = [text for text in lines_of(place[0])[: max(place[1].line - 1, 0)] if text.strip()]
    while before and before[-1].startswith(" ") and _END.search(before[-1]) is None:
        before.pop()
    return bool(before) and _END.search(before[-1]) is not None


def _is_made_by_template(one: Compilation, found: SlsProblem) -> bool:
    """Return whether the body of a malformed declaration has expressions or statements of a template."""
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
    """Return the name that a finding calls malformed: an ID, `include` or `extend`."""
    message = found.problem.message
    if message.startswith(("Include Declaration", "Extension value")):
        return ["include" if message.startswith("Include") else "extend"]
    named = re.match(r"(?:The type|ID) '?(.+?)'? in ", message)
    return [text for text in (named[1] if named else "", str(found.problem.state_id or "")) if text]


def _may_be_declared(one: Compilation, wanted: str) -> bool:
    """Return whether an ID or name of the source that a template completes may become the wanted one."""
    if re.search(r"[*?\[]", wanted):
        return True
    return any(
        re.fullmatch(pattern, wanted) for path in one.places.paths().values() for pattern in _patterns(path)
    )


def _patterns(path: str) -> list[str]:
    """Return regular expressions for the IDs and names of a file that a template completes."""
    found = []
    for text in lines_of(path):
        declared = _DECLARED.match(text) if "{{" in text else None
        if declared is None:
            continue
        literal = _EXPRESSION.split((declared["id"] or declared["name"]).strip("'\""))
        if len(literal) > 1 and sum(map(len, literal)) >= _LEAST_LITERAL:
            found.append(".*".join(map(re.escape, literal)))
    return found
