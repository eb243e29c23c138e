"""Random compound targets, also malformed ones: they never select more minions than in stock Salt.

`SALT_G_TARGETS` is their number, `SALT_G_TREE_SEED` the first seed.
"""

import json
import logging
import os
import pathlib
import subprocess

import pytest

from salt_g.errors import TargetError
from salt_g.match.compound import check_compound
from salt_g.match.matchers import MinionView, matches
from tests.support.random_targets import MINIONS, NODEGROUPS, random_target

FIRST = int(os.environ.get("SALT_G_TREE_SEED") or 1)
COUNT = int(os.environ.get("SALT_G_TARGETS") or 1500)
PROGRAM = pathlib.Path(__file__).with_name("random_trees") / "stock_targets.py"


@pytest.fixture
def _quiet():
    """Silence the log: most of the targets are malformed, and each is logged."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def refusal(target):
    """Return the reason why a master refuses a target that selects a minion, '' if it does not."""
    try:
        check_compound(target, NODEGROUPS)
    except TargetError as exc:
        return str(exc)
    return ""


@pytest.mark.usefixtures("_quiet")
def test_a_random_target_selects_the_minions_of_stock_or_is_refused(stock_bin, tmp_path):
    targets = sorted({random_target(seed) for seed in range(FIRST, FIRST + COUNT)})
    request = {"minions": MINIONS, "nodegroups": NODEGROUPS, "targets": targets}
    done = subprocess.run(
        [str(stock_bin / "python3"), str(PROGRAM), str(tmp_path)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )

    minions = [MinionView(id, *data, NODEGROUPS) for id, data in MINIONS.items()]
    different = {}
    for target, stock in zip(targets, json.loads(done.stdout), strict=True):
        ours = [minion.id for minion in minions if matches(target, "compound", minion)]
        if ours != stock and not refusal(target):
            different[target] = {"stock": stock, "ours": ours}

    assert not different
    assert sum(1 for target in targets if not refusal(target)) > COUNT / 10
