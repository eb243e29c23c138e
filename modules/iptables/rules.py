"""Rules: test, addition and removal."""

from __future__ import annotations

from typing import Any

from salt_g.modules._programs import succeeds
from salt_g.modules.iptables._program import change, program, words_of
from salt_g.modules.iptables.listing import get_rules

_NO_CHAIN = "Error: Chain needs to be specified"
_NO_RULE = "Error: Rule needs to be specified"


def check(
    table: str = "filter", chain: str | None = None, rule: str | None = None, family: str = "ipv4"
) -> bool | str:
    """Return whether a chain has a rule.

    Example::

        salt-g iptables.check filter INPUT rule='-m state --state RELATED,ESTABLISHED -j ACCEPT'
    """
    if not chain:
        return _NO_CHAIN
    if not rule:
        return _NO_RULE
    return succeeds([program(family), "-t", table, "-C", chain, *words_of(rule)])


def append(
    table: str = "filter", chain: str | None = None, rule: str | None = None, family: str = "ipv4"
) -> bool | str:
    """Append a rule to a chain unless the chain has it; return whether it was added.

    Example::

        salt-g iptables.append filter INPUT rule='-m state --state RELATED,ESTABLISHED -j ACCEPT'
    """
    if not chain:
        return _NO_CHAIN
    if not rule:
        return _NO_RULE
    if check(table, chain, rule, family) is True:
        return False
    return not change(family, "-t", table, "-A", chain, *words_of(rule))["stderr"]


def insert(
    table: str = "filter",
    chain: str | None = None,
    position: int | None = None,
    rule: str | None = None,
    family: str = "ipv4",
) -> bool | str:
    """Insert a rule into a chain; return the error text, '' on success, False if the chain has the rule.

    position
        Position in the chain, from 1; negative numbers count from the end (-1: before the last rule).

    Example::

        salt-g iptables.insert filter INPUT position=3 rule='-m state --state RELATED,ESTABLISHED -j ACCEPT'
    """
    if not chain:
        return _NO_CHAIN
    if not position:
        return "Error: Position needs to be specified or use append (-A)"
    if not rule:
        return _NO_RULE
    place = int(position)
    if place < 0:
        place = max(1, len(get_rules(family)[table][chain]["rules"]) + place + 1)
    if check(table, chain, rule, family) is True:
        return False
    return change(family, "-t", table, "-I", chain, str(place), *words_of(rule))["stderr"]


def delete(
    table: str,
    chain: str | None = None,
    position: int | None = None,
    rule: str | None = None,
    family: str = "ipv4",
) -> str:
    """Remove a rule from a chain, given by text or position; return the error text, '' on success.

    Example::

        salt-g iptables.delete filter INPUT position=3
    """
    if position and rule:
        return "Error: Only specify a position or a rule, not both"
    words: list[Any] = [str(position)] if position else words_of(rule or "")
    return change(family, "-t", table, "-D", str(chain), *words)["stderr"]
