"""The words of compound targets, and which of them look at what minions say of themselves.

A lower floor than the matchers: the grammar of ids, the rules about rights and the module `mine` read
words too, and none of them matches anything.
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
#: Words that combine others.
OPERATORS = frozenset(("and", "or", "not", "(", ")"))
#: A word: `<engine><delimiter?>@pattern` or a glob. A delimiter stands only where a value is nested.
WORD = re.compile(
    r"(?:(?P<engine>[EGIJLMNPRST])(?P<delimiter>(?<=[GIJP]).)?@)?(?P<pattern>.+)$",
    re.DOTALL,
)
#: Target types that look at what a minion says of itself: its grains, its addresses, its data.
SAID_BY_MINIONS = frozenset(("grain", "grain_pcre", "ipcidr", "range", "data"))
#: Target types that look at pillar, which the master makes.
OF_PILLAR = frozenset(("pillar", "pillar_pcre", "pillar_exact"))
#: What a target that gives a right may look at: ids, and pillar.
OF_IDS = frozenset(("glob", "list", "pcre", "managing_minion", "resource"))

#: Letters besides those of ENGINES: `D` is no engine of ours, and gives nothing.
_MORE_ENGINES = {**ENGINES, "N": "nodegroup", "D": "data"}
_LOOSE = re.compile(r"([GIJP])(?:.)?@(.*)|([A-Z])@(.*)", re.DOTALL)


def criteria(tgt: Any, tgt_type: str = "compound") -> Iterator[tuple[str, str]]:
    """Yield each criterion of a target.

    Words are read twice: as they stand, and with parentheses taken for spaces, so that no malformed
    expression hides one. A nodegroup is a criterion of its own.
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
    """Return whether a target looks at what minions say of themselves, nodegroups not regarded."""
    return any(kind in SAID_BY_MINIONS for kind, _ in criteria(tgt, tgt_type))
