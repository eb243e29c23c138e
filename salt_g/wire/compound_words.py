"""Words of compound targets, and which of them depend on data reported by minions.

Separate from the matchers, because the grammar of ids, the permission rules and the module `mine` parse words
without matching anything.
Shapes: a criterion is (target type, pattern).
Source: wire specification, section 12; stock docs "Compound matchers".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

#: Engine letter to target type; `N` (a nodegroup) is expanded while parsing.
ENGINES = {
    "E": "pcre",
    "G": "grain",
    "I": "pillar",
    "J": "pillar_pcre",
    "L": "list",
    "M": "managing_minion",
    "P": "grain_pcre",
    "R": "range",
    "S": "ipcidr",
    "T": "resource",
}
#: Operators and parentheses.
OPERATORS = frozenset(("and", "or", "not", "(", ")"))
#: A word: `<engine><delimiter?>@pattern` or a glob. A delimiter is permitted only for nested values.
WORD = re.compile(
    r"(?:(?P<engine>[EGIJLMNPRST])(?P<delimiter>(?<=[GIJP]).)?@)?(?P<pattern>.+)$",
    re.DOTALL,
)
#: Target types that depend on data reported by the minion: its grains, its addresses, its data.
SAID_BY_MINIONS = frozenset(("grain", "grain_pcre", "ipcidr", "range", "data"))
#: Target types that depend on pillar, which the master compiles.
OF_PILLAR = frozenset(("pillar", "pillar_pcre", "pillar_exact"))
#: Target types that depend on ids; permissions may use them and those of OF_PILLAR.
OF_IDS = frozenset(("glob", "list", "pcre", "managing_minion", "resource"))

#: ENGINES with two more letters; `D` is unsupported and matches nothing.
_MORE_ENGINES = {**ENGINES, "N": "nodegroup", "D": "data"}
_LOOSE = re.compile(r"([GIJP])(?:.)?@(.*)|([A-Z])@(.*)", re.DOTALL)


def criteria(tgt: Any, tgt_type: str = "compound") -> Iterator[tuple[str, str]]:
    """Yield each criterion of a target.

    Words are read twice: unchanged, and with parentheses replaced by spaces, so that a malformed expression
    cannot hide a criterion. A nodegroup counts as one criterion.
    """
    if tgt_type != "compound":
        yield tgt_type, str(tgt)
        return
    text = " ".join(map(str, tgt)) if isinstance(tgt, (list, tuple)) else str(tgt)
    for word in dict.fromkeys((*text.split(), *text.replace("(", " ").replace(")", " ").split())):
        found = _LOOSE.match(word)
        if found is not None:
            letter, pattern = (found[1], found[2]) if found[1] else (found[3], found[4])
            yield _MORE_ENGINES.get(letter, "unknown"), pattern
        elif word not in OPERATORS:
            yield "glob", word


def looks_at_minions_word(tgt: Any, tgt_type: str) -> bool:
    """Return whether a target depends on data reported by minions; nodegroups are not expanded."""
    return any(kind in SAID_BY_MINIONS for kind, _ in criteria(tgt, tgt_type))
