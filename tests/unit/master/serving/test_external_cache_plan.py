import pytest

from salt_g.master.serving.external_cache_plan import CopyPlan, compare


@pytest.mark.parametrize(
    ("ours", "theirs", "seen", "is_intact", "plan"),
    [
        pytest.param({}, {"a": 5}, {}, True, CopyPlan(["a"], [], []), id="only there"),
        pytest.param({"a": 5}, {}, {}, True, CopyPlan([], ["a"], []), id="only here"),
        pytest.param({"a": 4}, {"a": 5}, {}, True, CopyPlan(["a"], [], []), id="newer there"),
        pytest.param({"a": 6}, {"a": 5}, {}, True, CopyPlan([], ["a"], []), id="newer here"),
        pytest.param({"a": 5}, {"a": 5}, {}, True, CopyPlan([], [], []), id="of the same second"),
        pytest.param({"a": 9}, {"a": 5}, {"a": 5}, True, CopyPlan([], [], []), id="a clock that is behind"),
        pytest.param({"a": 9}, {"a": 6}, {"a": 5}, True, CopyPlan(["a"], [], []), id="changed by another"),
        pytest.param({"a": 9}, {}, {"a": 5}, True, CopyPlan([], [], ["a"]), id="removed by another"),
        pytest.param({"a": 9}, {}, {"a": 5}, False, CopyPlan([], ["a"], []), id="lost by the server"),
    ],
)
def test_two_banks_are_compared(ours, theirs, seen, is_intact, plan):
    assert compare(ours, theirs, seen, is_intact=is_intact) == plan
