"""Random compound targets, most of them malformed, with minions and nodegroups for them."""

from __future__ import annotations

import random

#: Nodegroups; where they have operators they are in parentheses, because stock puts none around them.
NODEGROUPS = {
    "ab": "( m1 or m2 )",
    "deb": ["(", "G@os:Debian", "and", "N@ab", ")"],
    "empty": "",
    "itself": "N@itself",
    "plain": ["m1", "m3"],
    "broken": "( m1 or",
}
#: (grains, pillar) by minion.
MINIONS = {
    "m1": (
        {"os": "Debian", "ipv4": ["10.0.0.1"], "roles": ["a", "b"]},
        {"role": "web", "a": {"b": ["c"]}},
    ),
    "m2": ({"os": "CentOS", "ipv4": ["192.168.0.1"], "roles": ["b"]}, {"role": "db"}),
    "m3": ({"os": "Suse", "ipv4": ["10.0.0.3"]}, {"x": 1}),
}
_OPERATORS = ["and", "or", "not", "(", ")"]
_WORDS_TEXT = (
    "m1 m2 m* * zz m[12] [!m1]* m? G@os:Debian G@os:Cent* G|@os|Debian G@roles:a P@os:(Deb|Cent).* "
    "P@roles:^a$ L@m1,m2 L@m3 L@m1, E@m[12] E@m(1|3) E@.* I@role:web I@role:* I@a:b:c J@role:(web|db) "
    "S@10.0.0.1 S@10.0.0.0/8 N@ab N@deb N@plain N@empty M@m1 T@ssh:x "
    "E@(m1 E@m[ P@os:( J@a:b:(c S@bogus N@none N@itself N@broken G@ X@y D@a:b @ E@ N@ L@ G@os g@os:Debian "
    "m1,m2 (m1 m2) ((m1 not( (not () [] Not AND & | None True 0 lambda:1 and, (N@ab N@ab) (G@os:Debian "
    "G@os:Debian) L@m1) S@10.0.0.1) if # \\ ' \""
)
_WORDS = _WORDS_TEXT.split()


def random_target(seed: int) -> str:
    """Return an expression: random words, or a well-formed one after damage."""
    dice = random.Random(f"target {seed}")
    if dice.random() < 0.5:
        words = [dice.choice(dice.choice((_OPERATORS, _WORDS))) for _ in range(dice.randrange(1, 8))]
        return " ".join(words)
    words = _well_formed(dice, 3)
    for _ in range(dice.choice([0, 0, 1, 1, 2])):
        place = dice.randrange(len(words))
        words[place : place + dice.randrange(3)] = dice.choice(
            ([dice.choice(_OPERATORS)], words[place : place + 1])
        )
        if dice.random() < 0.2:
            words[:2] = ["".join(words[:2])]
    return " ".join(words)


def _well_formed(dice: random.Random, depth: int) -> list[str]:
    form = dice.random()
    if depth <= 0 or form < 0.4:
        return [dice.choice(_WORDS)]
    if form < 0.55:
        return ["not", *_well_formed(dice, depth - 1)]
    if form < 0.7:
        return ["(", *_well_formed(dice, depth - 1), ")"]
    return [*_well_formed(dice, depth - 1), dice.choice(["and", "or"]), *_well_formed(dice, depth - 1)]
