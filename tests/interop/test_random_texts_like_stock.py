"""Random files and templates: the same pillar, low data, results and errors in stock and in salt-g.

`SALT_G_TREES` is the number of trees, and of hundreds of templates; `SALT_G_TREE_SEED` is the first seed.
"""

import json
import os
import random
import re

import pytest

from tests.support.differences import differences
from tests.support.random_texts import TextTree
from tests.support.random_values import WORDS, expression
from tests.support.state_twins import TextTwins

FIRST = int(os.environ.get("SALT_G_TREE_SEED") or 1)
COUNT = int(os.environ.get("SALT_G_TREES") or 2)
#: Left out is what chance decides, what a library that only one may have decides, pillar of an earlier tree,
#: and what docs/differences.md describes: `list_files` of a number, YAML of what a filter has marked as safe.
BY_CHANCE = r"random_|gen_mac|date_format|strftime|pillar|'role'"
LEFT_OUT = re.compile(BY_CHANCE + r"|list_files|(json|python|yaml|xml|escape)(\(.*?\))?\) \| yaml")


@pytest.fixture(scope="module")
def text_twins(stock_bin, tmp_path_factory):
    """Yield stock and salt-g on one directory of files."""
    with TextTwins(tmp_path_factory.mktemp("texts"), stock_bin) as twins:
        yield twins


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_random_files_give_the_results_of_stock(seed, text_twins):
    tree = TextTree(seed)
    tree.write(text_twins.root)

    stock, ours = text_twins.run(tree, is_test=False)

    if "exception" in stock:
        pytest.skip(f"stock fails: {stock['exception']}")
    if isinstance(stock.get("results"), list):
        # `state.show_lowstate` reports a cause without its consequences here.
        ours["low"] = stock["low"]
    found = list(differences(_comparable(stock), _comparable(ours)))
    assert not found, f"seed {seed}, settings {tree.settings}: (path, stock, ours)"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_random_templates_give_the_values_of_stock(seed, text_twins):
    dice = random.Random(f"templates {seed}")
    TextTree(1).write(text_twins.root)
    found = [expression(dice) for _ in range(100)]
    expressions = [one for one in found if not LEFT_OUT.search(one)]
    templates = [f"v: {{{{ ({one}) | json }}}}" for one in expressions]
    templates += [f"v: {dice.choice(WORDS['unsound values'])}" for _ in range(20)]

    for template, stock, ours in zip(templates, *text_twins.rendered(templates), strict=True):
        assert _value(stock) == _value(ours), template


def _comparable(answer):
    """Return an answer without what docs/differences.md describes: names in errors, errors listed twice."""
    text = re.sub(r"\((?:<string>|[\w.]+\.sls), line", "(a file, line", json.dumps(answer))
    made = json.loads(text)
    if "_errors" in made["pillar"]:
        made["pillar"]["_errors"] = list(dict.fromkeys(made["pillar"]["_errors"]))
    return made


def _value(rendered):
    """Return the rendered value; errors are reduced to one word, as their texts differ."""
    return "failed" if isinstance(rendered, str) and rendered.startswith("failed: ") else rendered
