"""Rules in the kernel and in the file of saved rules."""

from __future__ import annotations

import json
import os
from typing import Any

from salt_g import safe_files
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import output
from salt_g.modules.nftables._program import FAMILIES, family_word, run_nft

#: File of rules for the next boot, or its directory.
_FILE = "/etc/nftables"
#: Name of the file in that directory.
_IN_DIRECTORY = "salt-all-in-one.nft"
#: Options that make `nft` print numbers instead of names, as in `priority 0`.
_NUMERIC = ("--numeric",) * 3


def version() -> str:
    """Return the version of the program.

    Example::

        salt-g nftables.version
    """
    return output(["nft", "--version"]).split()[1]


def list_tables(family: str = "ipv4") -> list[dict[str, Any]]:
    """Return {"family", "name", "handle"} of each table.

    Example::

        salt-g nftables.list_tables family=inet
    """
    return [item["table"] for item in _items("list", "tables", family_word(family)) if "table" in item]


def get_rules(family: str = "ipv4") -> list[str]:
    """Return the text of each table.

    Example::

        salt-g nftables.get_rules family=inet
    """
    word = family_word(family)
    return [run_nft(*_NUMERIC, "list", "table", word, table["name"]) for table in list_tables(family)]


def get_rules_json(family: str = "ipv4") -> list[dict[str, Any]]:
    """Return tables, chains, rules and sets in the program's JSON format.

    Example::

        salt-g nftables.get_rules_json family=inet
    """
    return _items("list", "ruleset", family_word(family))


def get_saved_rules(conf_file: str | None = None) -> list[str]:
    """Return the lines of the file for the next boot, without comments.

    Example::

        salt-g nftables.get_saved_rules /etc/nftables.conf
    """
    with open(conf_file or _FILE, encoding="utf-8") as file:
        return [line for line in file if line.strip() and not line.strip().startswith("#")]


def save(filename: str | None = None, family: str = "ipv4") -> str:
    """Write the rules of all families to a file and return them; `family` is accepted and ignored.

    Example::

        salt-g nftables.save /etc/nftables.conf
    """
    path = filename or _FILE
    if os.path.isdir(path):
        path = os.path.join(path, _IN_DIRECTORY)
    text = "#! nft -f\n"
    for word in FAMILIES:
        tables = get_rules(word)
        text += ("\n" if tables else "") + "\n".join(tables)
    text += "\n"
    try:
        with open(path, "w", encoding="utf-8", opener=safe_files.opener) as file:
            file.write(text)
    except OSError as exc:
        raise CommandExecutionError(f"Problem writing to configuration file: {exc}") from exc
    return text


def _items(*words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run_nft("--json", *words) or "{}").get("nftables", [])
    return found
