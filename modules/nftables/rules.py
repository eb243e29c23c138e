"""Rules: test, addition and removal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from salt_g.modules.nftables._program import Answer, answer, changed, family_word, run_nft
from salt_g.modules.nftables.chains import missing_place
from salt_g.modules.nftables.rule import canonical

_LISTED = re.compile(r"\s*(.*?) # handle (\d+)")


def check(
    table: str = "filter", chain: str | None = None, rule: str | None = None, family: str = "ipv4"
) -> Answer:
    """Return whether a chain has a rule.

    Example::

        salt-g nftables.check filter input rule='tcp dport 22 accept'
    """
    problem = _problem(table, chain, rule, family)
    if problem:
        return problem
    where = f"Rule {rule} in chain {chain} in table {table} in family {family}"
    is_there = _handle(table, chain, rule, family) is not None
    return answer(is_there, f"{where} exists" if is_there else f"{where} does not exist")


def get_rule_handle(
    table: str = "filter", chain: str | None = None, rule: str | None = None, family: str = "ipv4"
) -> dict[str, Any]:
    """Return {"result": True, "handle": text}, the kernel's handle of a rule.

    Example::

        salt-g nftables.get_rule_handle filter input rule='tcp dport 22 accept'
    """
    problem = _problem(table, chain, rule, family)
    if problem:
        return problem
    handle = _handle(table, chain, rule, family)
    if handle is None:
        return answer(False, f"Could not find rule {rule}")
    return {"result": True, "handle": handle}


def append(
    table: str = "filter", chain: str | None = None, rule: str | None = None, family: str = "ipv4"
) -> Answer:
    """Add a rule to the end of a chain; the result is False if the chain already has it.

    Example::

        salt-g nftables.append filter input rule='tcp dport 22 accept'
    """
    return _problem(table, chain, rule, family) or _added("add", [], table, chain, rule, family)


def insert(
    table: str = "filter",
    chain: str | None = None,
    position: int | None = None,
    rule: str | None = None,
    family: str = "ipv4",
) -> Answer:
    """Put a rule at the beginning of a chain, or before the rule with the handle `position`.

    The result is False if the chain already has the rule.

    Example::

        salt-g nftables.insert filter input rule='tcp dport 22 accept'
    """
    place = ["position", str(position)] if position else []
    return _problem(table, chain, rule, family) or _added("insert", place, table, chain, rule, family)


def delete(
    table: str,
    chain: str | None = None,
    position: int | None = None,
    rule: str | None = None,
    family: str = "ipv4",
) -> Answer:
    """Remove a rule from a chain; the rule is given as text or by its handle (`position`).

    Example::

        salt-g nftables.delete filter input rule='tcp dport 22 accept'
    """
    if position and rule:
        return answer(False, "Only specify a position or a rule, not both")
    problem = missing_place(table, chain, family)
    if problem:
        return problem
    handle = str(position) if position else _handle(table, chain, rule, family)
    if handle is None:
        where = f"Rule {rule} in chain {chain} in table {table} in family {family}"
        return answer(False, f"{where} does not exist")
    return changed(
        ["delete", "rule", family_word(family), table, str(chain), "handle", handle],
        f'Deleted rule "{rule}" in chain {chain} in table {table} in family {family}.',
        f'Failed to delete rule "{rule}" in chain {chain}  table {table} in family {family}',
    )


def _problem(table: str, chain: str | None, rule: str | None, family: str) -> Answer | None:
    """Return the error for a missing argument, table or chain, or None if all are there."""
    if not chain:
        return answer(False, "Chain needs to be specified")
    if not rule:
        return answer(False, "Rule needs to be specified")
    return missing_place(table, chain, family)


def _added(
    verb: str, place: list[str], table: str, chain: str | None, rule: str | None, family: str
) -> Answer:
    where = f"chain {chain} in table {table} in family {family}"
    if _handle(table, chain, rule, family) is not None:
        return answer(False, f"Rule {rule} {where} already exists")
    # nft requires the quotes around words with spaces, such as a log prefix.
    words = [f'"{word}"' if re.search(r"\s", word) else word for word in shlex.split(str(rule))]
    return changed(
        [verb, "rule", family_word(family), table, str(chain), *place, *words],
        f'Added rule "{rule}" {where}.',
        f'Failed to add rule "{rule}" {where}.',
    )


def _handle(table: str, chain: str | None, rule: str | None, family: str) -> str | None:
    wanted = canonical(str(rule))
    return next((handle for text, handle in _listed(table, chain, family) if canonical(text) == wanted), None)


def _listed(table: str, chain: str | None, family: str) -> Iterator[tuple[str, str]]:
    """Yield (text, handle) of the rules of a chain."""
    for line in run_nft("--handle", "list", "chain", family_word(family), table, str(chain)).splitlines():
        found = _LISTED.fullmatch(line)
        if found and not found.group(1).endswith("{"):
            yield found.group(1), found.group(2)
