"""Chains and their policies."""

from __future__ import annotations

from typing import Any

from salt_g.modules.iptables._program import change
from salt_g.modules.iptables.listing import current, get_rules, get_saved_rules

_NO_CHAIN = "Error: Chain needs to be specified"


def get_policy(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> str | None:
    """Return the policy of a chain in the kernel, or None if there is no such chain.

    Example::

        salt-g iptables.get_policy filter INPUT
    """
    return _policy(get_rules(family), table, chain) if chain else _NO_CHAIN


def get_saved_policy(
    table: str = "filter", chain: str | None = None, conf_file: str | None = None, family: str = "ipv4"
) -> str | None:
    """Return the policy of a chain in the file of saved rules, or None if there is no such chain.

    `conf_file` is that of `iptables.get_saved_rules`.

    Example::

        salt-g iptables.get_saved_policy filter INPUT conf_file=/etc/iptables/rules.v4
    """
    return _policy(get_saved_rules(conf_file, family), table, chain) if chain else _NO_CHAIN


def set_policy(
    table: str = "filter", chain: str | None = None, policy: str | None = None, family: str = "ipv4"
) -> str:
    """Set the policy of a chain; return the error text, '' on success.

    Example::

        salt-g iptables.set_policy filter INPUT ACCEPT
    """
    if not chain:
        return _NO_CHAIN
    if not policy:
        return "Error: Policy needs to be specified"
    return change(family, "-t", table, "-P", chain, policy)["stderr"]


def check_chain(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> bool | str:
    """Return whether a chain exists.

    Example::

        salt-g iptables.check_chain filter INPUT
    """
    if not chain:
        return _NO_CHAIN
    return any(line.startswith(f":{chain} ") for line in current(family, "-t", table).splitlines())


def new_chain(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> bool | str:
    """Create a chain; return True, or the error text.

    Example::

        salt-g iptables.new_chain filter web
    """
    return change(family, "-t", table, "-N", chain)["stderr"] or True if chain else _NO_CHAIN


def delete_chain(table: str = "filter", chain: str | None = None, family: str = "ipv4") -> bool | str:
    """Remove a chain without rules; return True, or the error text.

    Example::

        salt-g iptables.delete_chain filter web
    """
    return change(family, "-t", table, "-X", chain)["stderr"] or True if chain else _NO_CHAIN


def flush(table: str = "filter", chain: str = "", family: str = "ipv4") -> str:
    """Remove the rules of a chain, or of all in the table if none is named; return the error text, or ''.

    Example::

        salt-g iptables.flush filter INPUT
    """
    return change(family, "-t", table, "-F", *([chain] if chain else []))["stderr"]


def _policy(rules: dict[str, Any], table: str, chain: str) -> str | None:
    policy: str | None = rules.get(table, {}).get(chain, {}).get("policy")
    return policy
