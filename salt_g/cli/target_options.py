"""Options that set the target and its type.

Shared by `salt-g cmd`, `salt-g cp` and `salt-g match`.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection

#: (short, long, target type, help)
_OPTIONS = (
    ("-E", "--pcre", "pcre", "the target is a regular expression on ids"),
    ("-L", "--list", "list", "the target is a list of ids, separated by commas or spaces"),
    ("-G", "--grain", "grain", "the target is a grain and a glob: os:Debian"),
    ("-P", "--grain-pcre", "grain_pcre", "the target is a grain and a regular expression"),
    ("-N", "--nodegroup", "nodegroup", "the target is a nodegroup of the master's settings"),
    ("-R", "--range", "range", "the target is a range expression"),
    ("-C", "--compound", "compound", "the target is a compound expression: 'G@os:Debian and web* or L@a,b'"),
    ("-I", "--pillar", "pillar", "the target is a pillar value and a glob: role:web"),
    ("-J", "--pillar-pcre", "pillar_pcre", "the target is a pillar value and a regular expression"),
    ("-S", "--ipcidr", "ipcidr", "the target is an address or a network"),
)


def add_targets(parser: argparse.ArgumentParser, *, taken: Collection[str] = ()) -> None:
    """Add the options for targets; parsing sets `tgt_type` to the target type, 'glob' by default.

    `taken` are short options that have another meaning in the program.
    """
    group = parser.add_argument_group("target options")
    kinds = group.add_mutually_exclusive_group()
    for short, long, tgt_type, text in _OPTIONS:
        names = [name for name in (short, long) if name not in taken]
        kinds.add_argument(
            *names, dest="tgt_type", action="store_const", const=tgt_type, default="glob", help=text
        )
    group.add_argument(
        "--delimiter", metavar="TEXT", default=":", help="separator between keys of nested grains and pillar"
    )


def target_of(word: str, tgt_type: str) -> str | list[str]:
    """Return the target from an argument; a list is split at commas or, if it has none, at spaces."""
    if tgt_type != "list":
        return word
    return word.replace(" ", "").split(",") if "," in word else word.split()
