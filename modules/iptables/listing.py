"""Rules in the kernel and in the file of saved rules.

Shapes: {table: {chain: {"policy", "packet count", "byte count", "rules": [{option: [value]}],
"rules_comment": {comment: rule}}}}. A negated value begins with `!` and a space.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
from collections.abc import Iterator
from typing import Any

from salt_g import safe_files
from salt_g.api import call
from salt_g.modules._programs import output
from salt_g.modules.iptables._program import program, saved_file

log = logging.getLogger(__name__)

_OPTIONS = {
    "-A": "append",
    "-p": "protocol",
    "-s": "source",
    "-d": "destination",
    "-j": "jump",
    "-g": "goto",
    "-i": "in-interface",
    "-o": "out-interface",
    "-f": "fragment",
    "-c": "set-counters",
    "-m": "match",
    "--sport": "source_port",
    "--source-port": "source_port",
    "--dport": "destination_port",
    "--destination-port": "destination_port",
    "--sports": "source-ports",
    "--dports": "destination-ports",
    "--src-cc": "source-country",
    "--dst-cc": "destination-country",
}
_CHAIN = re.compile(r":(\S+) (\S+) \[(\d+):(\d+)\]")


def version(family: str = "ipv4") -> str:
    """Return the version of iptables.

    Example::

        salt-g iptables.version
    """
    return output([program(family), "--version"]).split()[1]


def get_rules(family: str = "ipv4") -> dict[str, Any]:
    """Return the rules of the kernel.

    The result is {table: {chain: {"policy", "packet count", "byte count", "rules": [{option: [value]}],
    "rules_comment": {comment: rule}}}}.

    Example::

        salt-g iptables.get_rules family=ipv6
    """
    return parsed(current(family))


def get_saved_rules(conf_file: str | None = None, family: str = "ipv4") -> dict[str, Any]:
    """Return the rules in the file for the next boot, as `iptables.get_rules` does.

    `conf_file` is the file to read; the default depends on the distribution.

    Example::

        salt-g iptables.get_saved_rules /etc/iptables/rules.v4
    """
    with open(conf_file or saved_file(family), encoding="utf-8") as file:
        return parsed(file.read())


def save(filename: str | None = None, family: str = "ipv4") -> str:
    """Write the rules of the kernel to the file for the next boot.

    The setting `iptables.save_filters` lists regular expressions of lines that are left out.

    Example::

        salt-g iptables.save /etc/iptables/rules.v4
    """
    path = filename or saved_file(family)
    safe_files.make_directories(os.path.dirname(path) or ".")
    saved: str = call("file.write", path, _filtered(current(family)))
    return saved


def current(family: str, *words: str) -> str:
    """Return the rules of the kernel as text."""
    return output([f"{program(family)}-save", *words])


def parsed(text: str) -> dict[str, Any]:
    """Return the rules of a text in the form of `iptables-save`."""
    tables: dict[str, Any] = {}
    table: dict[str, Any] = {}
    for line in text.splitlines():
        chain = _CHAIN.match(line)
        if line.startswith("*"):
            table = tables.setdefault(line[1:].strip(), {})
        elif chain:
            name, policy, packets, size = chain.groups()
            table[name] = {
                "policy": policy,
                "packet count": packets,
                "byte count": size,
                "rules": [],
                "rules_comment": {},
            }
        elif line.startswith("-A"):
            _add_rule(table, dict(_options(shlex.split(line))))
    return tables


def _add_rule(table: dict[str, Any], found: dict[str, list[str]]) -> None:
    chain = table[found.pop("append")[0]]
    chain["rules"].append(found)
    if "comment" in found:
        chain["rules_comment"][found["comment"][0].strip('"')] = found


def _options(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each option once with its values; a repeated option (`-m`) has several."""
    gathered: dict[str, list[list[str]]] = {}
    parts: list[str] = []
    for at, word in enumerate(words):
        is_negation = word == "!" and words[at + 1 : at + 2] and words[at + 1].startswith("-")
        if word.startswith("-"):
            parts = ["!"] if at and words[at - 1] == "!" else []
            gathered.setdefault(_OPTIONS.get(word, word.lstrip("-")), []).append(parts)
        elif not is_negation:
            parts.append(word)
    for option, values in gathered.items():
        yield option, [" ".join(value) for value in values]


def _filtered(text: str) -> str:
    patterns = []
    for pattern in call("config.option", "iptables.save_filters", []) or []:
        try:
            patterns.append(re.compile(pattern))
        except re.error as exc:
            log.warning("Skipping regex rule: '%s': %s", pattern, exc)
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not any(pattern.search(line) for pattern in patterns))
