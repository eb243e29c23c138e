"""Lines of `salt-g plan`."""

import pytest

from salt_g.cli.cmd.plan_lines import list_line

RECORD = {
    "id": "7f3a91",
    "made": 1795857430.0,
    "until": 1795943830.0,
    "user": "ann",
    "fun": "state.apply",
    "arg": ["web", {"test": True}],
    "name": "web.plan",
    "approvals": [],
    "applied": [],
}


@pytest.mark.parametrize(
    ("change", "minions", "states", "words"),
    [(9, 12, 34, "9 of 12 minions, 34 states"), (1, 1, 1, "1 of 1 minion, 1 state")],
)
def test_the_list_counts_minions_and_states(change, minions, states, words):
    counts = {"change": change, "minions": minions, "states": states}

    line = list_line({**RECORD, "counts": counts})

    assert f"ann  state.apply web test=True  (web.plan)  {words}  until" in line
