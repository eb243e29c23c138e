"""Compare versions by operator, as in `>=1.2, <2`.

Why its own file: package modules pick the version to install by such a condition, and package
states check what is installed by the same one; neither may import the other. Which of two
versions is newer is the caller's knowledge (`order`), because it differs by package format.
Source: stock docs of `pkg.installed` (argument `version`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

#: (operator, version)
Condition = tuple[str, str]
#: order(a, b) is negative, 0 or positive, or None when it cannot tell.
Order = Callable[[str, str], "int | None"]

_CONDITION = re.compile(r"(<=>|!=|>=|<=|>>|<<|<>|>|<|=)?\s?([^<>=]+)")
#: The results of `order` with which each operator is content.
_CONTENT: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "==": lambda order: order == 0,
    ">=": lambda order: order >= 0,
    ">": lambda order: order > 0,
    "!=": lambda order: order != 0,
}


def numbers(version: str) -> list[int]:
    """Return the numbers of a version, to compare releases by; what stands behind a `+` does not count."""
    return [int(number) for number in re.findall(r"\d+", version.partition("+")[0])]


def split_comparison(text: str) -> Condition:
    """Return the operator ('' when there is none) and the version of a condition."""
    found = _CONDITION.fullmatch(text)
    return (found.group(1) or "", found.group(2)) if found else ("", text)


def conditions(text: str) -> list[Condition]:
    """Return the conditions of a comma-separated list; no operator and `=` mean `==`."""
    text = text.strip()
    pairs = [split_comparison(part.strip()) for part in text.split(",")] if text else []
    return [("==" if oper in ("", "=") else oper, version) for oper, version in pairs]


def satisfies(version: Any, oper: str, wanted: Any, order: Order) -> bool:
    """Return whether `version oper wanted` holds; an unknown operator never does."""
    content = _CONTENT.get(oper)
    result = order(version, wanted) if content else None
    return content is not None and result is not None and content(result)


def first_match(condition: str, available: Iterable[str], order: Order) -> str | None:
    """Return the first available version that fulfils one condition, None when none does."""
    oper, wanted = split_comparison(condition)
    return next((version for version in available if satisfies(version, oper or "==", wanted, order)), None)
