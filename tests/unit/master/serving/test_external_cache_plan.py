import pytest

from salt_g.master.serving.external_cache_plan import Plan, compare


@pytest.mark.parametrize(
    ("ours", "theirs", "seen", "is_intact", "plan"),
    [
        pytest.param({}, {"a": 5}, {}, True, Plan(["a"], [], []), id="only there"),
        pytest.param({"a": 5}, {}, {}, True, Plan([], ["a"], []), id="only here"),
        pytest.param({"a": 4}, {"a": 5}, {}, True, Plan(["a"], [], []), id="newer there"),
        pytest.param({"a": 6}, {"a": 5}, {}, True, Plan([], ["a"], []), id="newer here"),
        pytest.param({"a": 5}, {"a": 5}, {}, True, Plan([], [], []), id="of the same second"),
        pytest.param({"a": 9}, {"a": 5}, {"a": 5}, True, Plan([], [], []), id="a clock that is behind"),
        pytest.param({"a": 9}, {"a": 6}, {"a": 5}, True, Plan(["a"], [], []), id="changed by another"),
        pytest.param({"a": 9}, {}, {"a": 5}, True, Plan([], [], ["a"]), id="removed by another"),
        pytest.param({"a": 9}, {}, {"a": 5}, False, Plan([], ["a"], []), id="lost by the server"),
    ],
)
def test_two_banks_are_compared(ours, theirs, seen, is_intact, plan):
    assert compare(ours, theirs, seen, is_intact=is_intact) == plan
