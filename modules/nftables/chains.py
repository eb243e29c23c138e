"""Tables, chains and their policies."""

from __future__ import annotations

from typing import Any

from salt_g.modules.nftables._program import Answer, answer, changed, family_word
from salt_g.modules.nftables.listing import get_rules_json, list_tables

_NO_TABLE = "Table needs to be specified"
_NO_CHAIN = "Chain needs to be specified"


def check_table(table: str | None = None, family: str = "ipv4") -> Answer:
    """Return whether a table exists.

    Example::

        salt-g nftables.check_table filter
    """
    if not table:
        return answer(False, _NO_TABLE)
    is_there = table in [item["name"] for item in list_tables(family)]
    return answer(is_there, f"Table {table} in family {family} {'exists' if is_there else 'does not exist'}")


def check_chain(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> Answer:
    """Return whether a chain exists.

    Example::

        salt-g nftables.check_chain filter input
    """
    if not chain:
        return answer(False, _NO_CHAIN)
    is_there = _chain(table, chain, family) is not None
    where = f"Chain {chain} in table {table} in family {family}"
    return answer(is_there, f"{where} {'exists' if is_there else 'does not exist'}")


def missing_place(table: str, chain: str | None, family: str) -> Answer | None:
    """Return the result for a missing table or chain, or None if both exist."""
    for found in (check_table(table, family), check_chain(table, chain, family)):
        if not found["result"]:
            return found
    return None


def new_table(table: str, family: str = "ipv4") -> Answer:
    """Create a table unless it exists.

    Example::

        salt-g nftables.new_table filter
    """
    there = check_table(table, family)
    if there["result"] or not table:
        return there
    where = f"Table {table} in family {family}"
    words = ["add", "table", family_word(family), table]
    return changed(words, f"{where} created", f"{where} could not be created")


def delete_table(table: str, family: str = "ipv4") -> Answer:
    """Delete a table and everything in it.

    Example::

        salt-g nftables.delete_table filter
    """
    there = check_table(table, family)
    if not there["result"]:
        return there
    where = f"Table {table} in family {family}"
    words = ["delete", "table", family_word(family), table]
    return changed(words, f"{where} deleted", f"{where} could not be deleted")


def new_chain(
    table: str = "filter",
    chain: str | None = None,
    table_type: str | None = None,
    hook: str | None = None,
    priority: Any = None,
    family: str = "ipv4",
) -> Answer:
    """Create a chain; `table_type`, `hook` and `priority` together make it a base chain.

    Example::

        salt-g nftables.new_chain filter input table_type=filter hook=input priority=0
    """
    if not chain:
        return answer(False, _NO_CHAIN)
    there = check_table(table, family)
    if not there["result"]:
        return there
    where = f"Chain {chain} in table {table} in family {family}"
    if _chain(table, chain, family) is not None:
        return answer(False, f"{where} already exists")
    hooked = (table_type, hook, priority)
    if any(part is not None for part in hooked) and any(part is None for part in hooked):
        return answer(False, "Table_type, hook, and priority required.")
    words = ["--", "add", "chain", family_word(family), table, chain]
    if hook is not None:
        words.append(f"{{ type {table_type} hook {hook} priority {priority}; }}")
    return changed(words, f"{where} created", f"{where} could not be created")


def delete_chain(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> Answer:
    """Delete a chain without rules.

    Example::

        salt-g nftables.delete_chain filter input
    """
    if not chain:
        return answer(False, _NO_CHAIN)
    problem = missing_place(table, chain, family)
    if problem:
        return problem
    where = f"Chain {chain} in table {table} in family {family}"
    words = ["delete", "chain", family_word(family), table, chain]
    return changed(words, f"{where} deleted", f"{where} could not be deleted")


def flush(table: str = "filter", chain: str = "", family: str = "ipv4") -> Answer:
    """Remove the rules of a chain, or of all chains of the table if none is named.

    Example::

        salt-g nftables.flush filter input
    """
    problem = missing_place(table, chain, family) if chain else check_table(table, family)
    if problem and not problem["result"]:
        return problem
    word = family_word(family)
    if chain:
        words, where = ["flush", "chain", word, table, chain], f"from chain {chain} in table {table}"
    else:
        words, where = ["flush", "table", word, table], f"from table {table}"
    where = f"{where} in family {family}."
    return changed(words, f"Flushed rules {where}", f"Failed to flush rules {where}")


def get_policy(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> str | None:
    """Return the policy of a chain, or None if it has none.

    Example::

        salt-g nftables.get_policy filter input
    """
    if not chain:
        return f"Error: {_NO_CHAIN}"
    policy: str | None = (_chain(table, chain, family) or {}).get("policy")
    return policy


def set_policy(
    table: str = "filter", chain: str | None = None, policy: str | None = None, family: str = "ipv4"
) -> bool | str:
    """Set the policy of a chain that has a hook; return whether that succeeded.

    Example::

        salt-g nftables.set_policy filter input accept
    """
    if not chain:
        return f"Error: {_NO_CHAIN}"
    if not policy:
        return "Error: Policy needs to be specified"
    found = _chain(table, chain, family) or {}
    if not {"type", "hook", "prio"} <= found.keys():
        return False
    hooked = f"type {found['type']} hook {found['hook']} priority {found['prio']};"
    words = ["add", "chain", family_word(family), table, chain, f"{{ {hooked} policy {policy}; }}"]
    return bool(changed(words, "", "")["result"])


def _chain(table: str, chain: str, family: str) -> dict[str, Any] | None:
    chains = (item["chain"] for item in get_rules_json(family) if "chain" in item)
    return next((item for item in chains if (item["table"], item["name"]) == (table, chain)), None)
