"""Programs of stock that salt-g does not have, and the replacement for each.

A link with such a name, and `salt-g NAME` without a function, are refused with advice about the replacement.
"""

from __future__ import annotations

import sys

import salt_g.cli.exit_codes as exit_codes

#: {name of the program: what to do}
ABSENT = {
    "salt-cloud": "machines are created by other tools; salt-g key invite admits them",
    "salt-proxy": "devices are resources of a minion, of the type network_device or one of your own",
    "salt-syndic": "minions may have several masters, which may share a database (cluster: true)",
    "spm": "file trees are copied into file_roots, or served by the file server backend git",
}
_PAGE = "docs/migration.md"


def sentence(word: str) -> str:
    """Return why salt-g lacks the stock program `word` (with or without `salt-`); '' if `word` names none."""
    name = word if word in ABSENT else f"salt-{word}"
    return f"salt-g has no {name}: {ABSENT[name]} ({_PAGE})" if name in ABSENT else ""


def refuse(word: str) -> int:
    """Print why salt-g lacks the program `word`; return the exit code."""
    print(sentence(word), file=sys.stderr)
    return exit_codes.USAGE
