"""Version conditions, such as `>=1.2, <2`.

The caller supplies the comparison of two versions (`order`), because it differs by package format.
Source: stock docs of `pkg.installed` (argument `version`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

#: (operator, version)
Condition = tuple[str, str]
#: Comparison order(a, b): negative, 0 or positive, or None if the versions are not comparable.
Order = Callable[[str, str], "int | None"]

_CONDITION = re.compile(r"(<=>|!=|>=|<=|>>|<<|<>|>|<|=)?\s?([^<>=]+)")
#: {operator: whether a result of `order` satisfies it}
_CONTENT: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "==": lambda order: order == 0,
    ">=": lambda order: order >= 0,
    ">": lambda order: order > 0,
    "!=": lambda order: order != 0,
}


def numbers(version: str) -> list[int]:
    """Return the numeric parts of a version for comparing releases; text after a `+` is ignored."""
    return [int(number) for number in re.findall(r"\d+", version.partition("+")[0])]


def split_comparison(text: str) -> Condition:
    """Return the operator ('' if none) and the version of a condition."""
    found = _CONDITION.fullmatch(text)
    return (found.group(1) or "", found.group(2)) if found else ("", text)


def conditions(text: str) -> list[Condition]:
    """Return the conditions of a comma-separated list; a missing operator and `=` mean `==`."""
    text = text.strip()
    pairs = [split_comparison(part.strip()) for part in text.split(",")] if text else []
    return [("==" if oper in ("", "=") else oper, version) for oper, version in pairs]


def satisfies(version: Any, oper: str, wanted: Any, order: Order) -> bool:
    """Return whether `version oper wanted` is true; False also for an unknown operator or order."""
    content = _CONTENT.get(oper)
    result = order(version, wanted) if content else None
    return content is not None and result is not None and content(result)


def first_match(condition: str, available: Iterable[str], order: Order) -> str | None:
    """Return the first available version that satisfies a condition, or None if none does."""
    oper, wanted = split_comparison(condition)
    return next((version for version in available if satisfies(version, oper or "==", wanted, order)), None)
