"""Random YAML values and Jinja expressions.

Shapes: `WORDS` are lists of texts by what they are; unsound ones are errors, or not what they look like.
"""

import json
import pathlib

WORDS = json.loads(
    (pathlib.Path(__file__).parents[1] / "interop" / "random_trees" / "values.json").read_text()
)


def expression(dice):
    """Return a Jinja expression: a value, filters behind it or a test of it; many are errors."""
    made = dice.choice(WORDS["operands"])
    chance = dice.random()
    if chance < 0.08:
        return f"({made}) is {dice.choice(WORDS['tests'])}"
    while chance < 0.75:
        made = f"{'(' + made + ')' if ' ' in made else made} | {dice.choice(WORDS['filters'])}"
        chance = dice.random() + 0.3
    return made
