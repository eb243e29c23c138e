"""Our own SLS trees: the same results in stock Salt and in salt-g.

A tree is a folder below `trees/`: `states/`, perhaps `pillar/`, and `case.yaml` with

    about    what the tree is like
    minion   settings; `{SANDBOX}` is the directory that the states may write into
    envs     {saltenv: folder below states/ and pillar/}
    files    {path in the sandbox: text} that are there before
    sls      argument of the state functions; without it the top file decides
    first    commands (lists of words) to run before, compared as well
    real     false where states would change this machine: they run in test mode only
    unordered  true where stock walks sets: lists and lines are compared sorted
    needs    programs without which the tree is skipped
    differs  {dotted path of a result: reason} where salt-g differs on purpose
"""

import os
import pathlib
import shutil

import pytest
import yaml

from tests.support.differences import differences

TREES = pathlib.Path(__file__).with_name("trees")


def missing(spec):
    needed = [name for name in spec.get("needs", []) if name != "root" and shutil.which(name) is None]
    return needed + ["root"] * ("root" in spec.get("needs", []) and os.geteuid() != 0)


def steps(spec):
    words = [spec["sls"]] if "sls" in spec else []
    show = "state.show_low_sls" if words else "state.show_lowstate"
    yield from spec.get("first", [])
    yield [show, *words]
    yield ["state.apply", *words, "test=True"]
    if spec.get("real", True):
        yield ["state.apply", *words]
        yield ["state.apply", *words]


def in_order(value):
    """Return a value with its lists and the lines of its texts sorted."""
    if isinstance(value, dict):
        return {key: in_order(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted((in_order(item) for item in value), key=repr)
    return sorted(value.split("\n")) if isinstance(value, str) else value


@pytest.mark.parametrize("name", sorted(path.name for path in TREES.iterdir()))
def test_tree_gives_the_results_of_stock(name, twins):
    spec = yaml.safe_load((TREES / name / "case.yaml").read_text())
    if missing(spec):
        pytest.skip(f"needs {', '.join(missing(spec))}")
    machines = twins(TREES / name, **spec)

    found = {}
    for number, words in enumerate(steps(spec), 1):
        results = map(in_order, machines.run(*words)) if spec.get("unordered") else machines.run(*words)
        found[f"{number}. {' '.join(words)}"] = list(differences(*results))
    found["files"] = list(differences(*machines.files()))

    unlisted = {
        step: [entry for entry in entries if entry[0] not in spec.get("differs", {})]
        for step, entries in found.items()
    }
    assert not any(unlisted.values()), "\n".join(
        f"{step}: {path}\n  stock: {stock!r}\n  ours:  {ours!r}"
        for step, entries in unlisted.items()
        for path, stock, ours in entries
    )
