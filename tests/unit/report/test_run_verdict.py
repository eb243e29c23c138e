"""Verdicts on returns."""

import pytest

from salt_g.report.run_verdict import run_verdict


def run(*results):
    return {
        f"test_|-{n}_|-{n}_|-nop": {"result": result, "changes": changes, "comment": ""}
        for n, (result, changes) in enumerate(results)
    }


@pytest.mark.parametrize(
    ("result", "verdict", "counts"),
    [
        ({"return": True, "retcode": 0, "success": True}, "ok", {}),
        ({"return": "no", "retcode": 1}, "failed", {}),
        ({"return": None, "success": False}, "failed", {}),
        ({"return": {}}, "ok", {}),
        ({"return": run((True, {}), (True, {"a": 1}))}, "changed", {"ok": 1, "changed": 1}),
        ({"return": run((None, {})), "retcode": 0}, "would change", {"would change": 1}),
        ({"return": run((False, {}), (True, {})), "retcode": 2}, "failed", {"failed": 1, "ok": 1}),
        ({"return": run((True, {})), "retcode": 1}, "failed", {"ok": 1}),
    ],
)
def test_the_worst_state_decides(result, verdict, counts):
    assert run_verdict(result) == (verdict, counts)
