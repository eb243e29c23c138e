"""Rules built from keywords, and comparison of rules.

`nft` prints rules differently from how they were written, so rules are compared in a normal form (see
`canonical`).
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.modules.nftables._program import family_word

#: Keywords that make `word { value }`, in the order of the rule.
_SETS = {
    "connstate": "ct state",
    "icmp-type": "icmp type",
    "icmpv6-type": "icmpv6 type",
    "pkttype": "meta pkttype",
}
#: Keywords that stand at the end of a rule, with their words.
_VERDICTS = {
    "jump": "",
    "target": "",
    "j": "",
    "redirect-to": "redirect to ",
    "to-port": "redirect to ",
    "to-ports": "--to-ports ",
    "to-source": "",
    "to-destination": "",
    "reject-with": "reject with ",
}
_QUOTES = re.compile(r'"')
_COUNTED = re.compile(r"\bcounter packets \d+ bytes \d+")
_LEFT_OUT = re.compile(r"\bmeta (?=[io]ifname\b)")
_SET = re.compile(r"\{\s*([^{}]*?)\s*\}")


def build_rule(
    table: str | None = None,
    chain: str | None = None,
    command: str | None = None,
    position: Any = "",
    full: Any = None,
    family: str = "ipv4",
    **kwargs: Any,
) -> dict[str, Any]:
    """Return {"result", "comment", "rule"} with the text of a rule, with `full` the whole command line.

    Keywords are `if`, `of` (interfaces), `proto`, `connstate`, `icmp-type`, `icmpv6-type`, `pkttype`,
    `counter`, `saddr` or `source`, `daddr` or `destination`, `dport`, `sport`, `dports`, `sports`, `jump`,
    `redirect-to`, `to-source`, `to-destination`, `reject-with`.

    Example::

        salt-g nftables.build_rule proto=tcp dport=22 connstate=new jump=accept
    """
    rule = _rule(kwargs, family_word(family))
    made = {"result": True, "comment": "Successfully built rule" if rule else "", "rule": rule}
    if str(full).lower() != "true":
        return made
    for what, value in (("Table", table), ("Chain", chain), ("Command", command)):
        if not value:
            return {"result": False, "comment": f"{what} needs to be specified", "rule": rule}
    verb = str(command).lower() if str(command).lower() == "insert" else str(command)
    place = f"position {position} " if verb == "insert" and position else ""
    return {**made, "rule": f"nft {verb} rule {family_word(family)} {table} {chain} {place}{rule}"}


def canonical(rule: str) -> str:
    """Return the normal form of a rule, in which equal rules are equal texts.

    Sets are sorted; quotes, packet counters and optional words are removed.
    """
    text = _LEFT_OUT.sub("", _COUNTED.sub("counter", _QUOTES.sub("", rule)))
    return " ".join(_SET.sub(_ordered, text).split())


def _rule(given: dict[str, Any], family: str) -> str:
    words = []
    for key, word in (("if", "meta iifname"), ("of", "meta oifname")):
        if key in given:
            words.append(f"{word} {given[key]}")
    words += [f"{word} {{ {given[key]} }}" for key, word in _SETS.items() if key in given]
    if "counter" in given:
        words.append("counter")
    for word, keys in (("saddr", ("saddr", "source")), ("daddr", ("daddr", "destination"))):
        value = next((given[key] for key in keys if given.get(key)), None)
        if value is not None:
            words.append(f"{family} {word} {value}")
    words += _ports(given)
    words += [f"{word}{given[key]}" for key, word in _VERDICTS.items() if key in given]
    return " ".join(words)


def _ports(given: dict[str, Any]) -> list[str]:
    proto = f"{given['proto']} " if given.get("proto") else ""
    words = []
    for key in ("dport", "sport"):
        if key in given:
            words.append(f"{proto}{key} {{ {str(given[key]).replace(':', '-')} }}")
    for key in ("dports", "sports"):
        if key in given:
            ports = given[key] if isinstance(given[key], list) else str(given[key]).split(",")
            ordered = sorted((int(port) for port in ports), reverse=True)
            words.append(f"{proto}{key[:-1]} {{ {', '.join(map(str, ordered))} }}")
    return words


def _ordered(found: re.Match[str]) -> str:
    items = sorted(item.strip() for item in found.group(1).split(","))
    return items[0] if len(items) == 1 else f"{{ {', '.join(items)} }}"
