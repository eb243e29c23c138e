"""Packet filter rules of the kernel, managed with `iptables` and `ip6tables`.

Begin with `rule.py`, which builds rules from keywords; `listing.py` reads the existing rules.
A `family` is `ipv4` or `ipv6`. Tested with the real programs in a network namespace.
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.modules.iptables.chains import (
    check_chain,
    delete_chain,
    flush,
    get_policy,
    get_saved_policy,
    new_chain,
    set_policy,
)
from salt_g.modules.iptables.listing import get_rules, get_saved_rules, save, version
from salt_g.modules.iptables.rule import build_rule
from salt_g.modules.iptables.rules import append, check, delete, insert

__all__ = [
    "append",
    "build_rule",
    "check",
    "check_chain",
    "delete",
    "delete_chain",
    "flush",
    "get_policy",
    "get_rules",
    "get_saved_policy",
    "get_saved_rules",
    "insert",
    "new_chain",
    "save",
    "set_policy",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("iptables"):
        return True
    return False, "The iptables execution module cannot be loaded: iptables not installed." + hint("iptables")
