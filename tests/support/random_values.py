"""Random YAML values and Jinja expressions.

Shapes: `WORDS` maps kinds of values to lists of texts; the unsound ones are errors, or ambiguous.
"""

from __future__ import annotations

import json
import pathlib
import random
from typing import Any

WORDS: dict[str, Any] = json.loads(
    (pathlib.Path(__file__).parents[1] / "interop" / "random_trees" / "values.json").read_text()
)


def expression(dice: random.Random) -> str:
    """Return a Jinja expression: a value, filters behind it or a test of it; many are errors."""
    made: str = dice.choice(WORDS["operands"])
    chance = dice.random()
    if chance < 0.08:
        return f"({made}) is {dice.choice(WORDS['tests'])}"
    while chance < 0.75:
        made = f"{'(' + made + ')' if ' ' in made else made} | {dice.choice(WORDS['filters'])}"
        chance = dice.random() + 0.3
    return made
