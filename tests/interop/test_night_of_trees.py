"""The night of random trees: a short run of it, its mode without files, and its shrinking of trees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.batch_twins import BatchTwins
from tests.support.random_trees import RandomTree
from tests.support.tree_shrinking import shrunk
from tests.support.tree_verdicts import Judge, plain_verdict

NIGHTS = Path(__file__).parents[1] / "nights"


@pytest.fixture(scope="module")
def batch_twins(stock_bin, tmp_path_factory):
    """Yield stock and salt-g on trees in memory."""
    with BatchTwins(tmp_path_factory.mktemp("batches"), stock_bin) as twins:
        yield twins


def test_a_short_night_finds_the_results_of_stock(stock_bin, tmp_path):
    words = ("--kind", "requisites", "--kind", "extend", "--trees", "3", "--seed", "7")
    figures = tmp_path / "figures.json"

    done = subprocess.run(
        [sys.executable, str(NIGHTS), "trees", *words, "--json", str(figures)],
        env={**os.environ, "SALT_G_STOCK_BIN": str(stock_bin), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    values = {figure["name"]: figure["value"] for figure in json.loads(figures.read_text())["figures"]}
    assert values["requisites: same"] == values["extend: same"] == 3
    assert values["runs from files too"] == 4
    assert values["otherwise from files"] == 0


def test_a_run_leaves_nothing_to_the_next_one_of_its_batch(batch_twins):
    trees = [RandomTree("aggregate", seed) for seed in range(3)]
    runs = [(tree.files, tree.settings, is_test) for tree in trees for is_test in (False, True)]

    together = [batch_twins.steady(pair) for pair in batch_twins.run_all([*runs, *reversed(runs)])]

    assert together[: len(runs)] == together[: len(runs) - 1 : -1]


def test_a_difference_that_no_order_of_sets_explains_is_reported(batch_twins):
    judge = Judge(batch_twins)
    tree = RandomTree("requisites", 3)
    ((stock, ours),) = batch_twins.run_all([(tree.files, tree.settings, False)])
    tag, result = next((tag, ret) for tag, ret in ours.items() if ret["result"] and ret["changes"])
    ours[tag] = {**result, "comment": "another"}

    verdict = judge.verdict(tree, False, stock, ours)

    assert verdict.name == "different"
    assert [path for path, _, _ in verdict.found if "comment" in path] == [f"0.{tag}.comment"]
    assert plain_verdict(tree, stock, stock).name == "same"


@pytest.mark.parametrize(
    ("seed", "name"),
    [
        (1000155, "described: stock goes on after failhard"),
        (1000622, "order of stock's sets"),
        (1002101, "order of stock's sets"),
        (1001372, "same"),
    ],
)
def test_a_known_deviation_of_stock_has_a_name(batch_twins, seed, name):
    tree = RandomTree("aggregate", seed)
    is_test = name.startswith("order")
    ((stock, ours),) = batch_twins.run_all([(tree.files, tree.settings, is_test)])

    assert Judge(batch_twins).verdict(tree, is_test, stock, ours).name == name


def test_parts_irrelevant_to_a_difference_are_removed():
    needed = {"test.nop": [{"require": [{"test": "b"}]}]}
    files = {
        "t": {
            "include": ["t.a", "t.b"],
            "extend": {"c": {"test": [{"order": 1}]}},
            "a": {"test.nop": [{"require": [{"test": "b"}, {"test": "c"}]}, {"order": 3}]},
        },
        "t.a": {"b": {"test.nop": [], "joined.installed": []}, "c": {"test.nop": []}},
        "t.b": {"d": {"test.nop": []}},
    }

    def differ(candidates):
        return [
            "b" in one.get("t.a", {}) and '{"test": "b"}' in json.dumps(one["t"].get("a", {}))
            for one in candidates
        ]

    assert shrunk(files, differ) == {
        "t": {"a": needed},
        "t.a": {"b": {"test.nop": []}},
    }
