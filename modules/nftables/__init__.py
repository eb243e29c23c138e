"""Packet filter rules of the kernel, managed with `nft`.

Begin with `rule.py`, which builds a rule from keywords. Functions that change or check something, except
`set_policy`, return {"result": bool, "comment": text}, as callers of stock's module expect. Tested with the
real program in a network namespace.
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.modules.nftables.chains import (
    check_chain,
    check_table,
    delete_chain,
    delete_table,
    flush,
    get_policy,
    new_chain,
    new_table,
    set_policy,
)
from salt_g.modules.nftables.listing import (
    get_rules,
    get_rules_json,
    get_saved_rules,
    list_tables,
    save,
    version,
)
from salt_g.modules.nftables.rule import build_rule
from salt_g.modules.nftables.rules import append, check, delete, get_rule_handle, insert

__all__ = [
    "append",
    "build_rule",
    "check",
    "check_chain",
    "check_table",
    "delete",
    "delete_chain",
    "delete_table",
    "flush",
    "get_policy",
    "get_rule_handle",
    "get_rules",
    "get_rules_json",
    "get_saved_rules",
    "insert",
    "list_tables",
    "new_chain",
    "new_table",
    "save",
    "set_policy",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("nft"):
        return True
    return False, (f"The nftables execution module failed to load: nftables is not installed.{hint('nft')}")
