"""Plans where one side is stock's: no plan is made, and the reason is shown."""

import pytest


def test_plans_need_our_master_and_our_minion(fleet):
    fleet.write({"states/plan.sls": "x:\n  test.succeed_with_changes: []\n"})
    if fleet.tools != "ours":
        pytest.skip("stock's tools have no --save")

    saved = fleet.salt("m1", "state.apply", "plan", "test=True", "--save", "x", as_json=False)

    if fleet.master.whose == "ours":
        assert "0 minions, 0 would change" in saved.out
        assert "without m1: made no plan: it runs stock Salt" in saved.out
        assert saved.code == 1
    else:
        assert "the master does not keep plans" in saved.err
        assert saved.code == 2
