"""Random SLS trees of each kind: the same results in stock Salt and in salt-g.

Both run in one long process each, so that thousands of trees can be tried: `SALT_G_TREES` is the number of
trees of each kind, `SALT_G_TREE_SEED` the first seed. A failure names its kind and seed.
"""

import os

import pytest

from tests.support.differences import differences
from tests.support.random_trees import KINDS, RandomTree, comparable
from tests.support.state_twins import StateTwins

FIRST = int(os.environ.get("SALT_G_TREE_SEED") or 1)
COUNT = int(os.environ.get("SALT_G_TREES") or 2)


@pytest.fixture(scope="module")
def state_twins(stock_bin, tmp_path_factory):
    """Yield stock and salt-g on one directory of states."""
    with StateTwins(tmp_path_factory.mktemp("trees"), stock_bin) as twins:
        yield twins


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_random_tree_gives_the_results_of_stock(kind, seed, state_twins):
    tree = RandomTree(kind, seed)
    tree.write(state_twins.states)

    for is_test in (True, False):
        stock, ours = state_twins.run(tree, is_test=is_test)
        if isinstance(stock, dict) and "exception" in stock:
            # Stock dies of some trees: where groups of aggregated states wait for each other, it recurses.
            continue
        if tree.asks_again or tree.is_cut_by_chance(stock, ours):
            # Both are described in docs/differences.md.
            continue
        with_order = not tree.has_groups
        pair = [comparable(tree, one, with_order=with_order) for one in (stock, ours)]
        found = list(differences(*pair))
        assert not found, f"{kind}, seed {seed}, test={is_test}: (path, stock, ours)"
