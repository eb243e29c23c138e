"""The guard against plain jobs on many minions."""

import pytest

from salt_g.errors import ConfigError
from salt_g.master.publishing.rollout_guard import RolloutGuard, guard_of

GUARD = guard_of({"above": 50, "functions": ["state.*", "cmd.run"]})
TEST = {"__kwarg__": True, "test": True}


@pytest.mark.parametrize(
    ("fun", "arg", "number"),
    [
        ("state.apply", [], 51),
        ("cmd.run", ["x", TEST], 51),
        ("state.apply", ["test=False"], 51),
        (["test.ping", "state.apply"], [[], ["web"]], 51),
        (["state.apply", "test.ping"], [], 51),
        ("state.undo", ["last"], 51),
        ("state.apply", ["test=True", "test=False"], 51),
        ("test.try", ["state.apply"], 51),
        (["test.ping", "test.try"], [[], ["state.apply", "mods=web"]], 51),
    ],
    ids=str,
)
def test_a_plain_job_on_more_minions_is_refused(fun, arg, number):
    refusal = GUARD.refusal(fun, arg, number)

    assert "on 51 minions at once, but rollout_guard allows 50" in refusal
    assert "--rollout" in refusal and "--all-at-once" in refusal


@pytest.mark.parametrize(
    ("fun", "arg", "number"),
    [
        ("state.apply", [], 50),
        ("test.ping", [], 1000),
        ("state.apply", ["web", TEST], 1000),
        ("state.apply", ["test=True"], 1000),
        ("state.undo", ["last", TEST], 1000),
        (["test.ping", "state.apply"], [[], [TEST]], 1000),
        ("state.test", ["web"], 1000),
        ("state.apply", ["web", "test=True"], 1000),
        ("test.try", ["state.apply", TEST], 1000),
    ],
    ids=str,
)
def test_few_minions_tests_and_other_functions_pass(fun, arg, number):
    assert GUARD.refusal(fun, arg, number) == ""


def test_without_the_setting_nothing_is_refused_and_questions_never_are():
    assert guard_of({}) == guard_of(None) == RolloutGuard()
    assert RolloutGuard().refusal("state.apply", [], 10**6) == ""
    assert guard_of({"above": 1, "functions": ["*"]}).refusal("saltutil.find_job", ["1"], 9) == ""


@pytest.mark.parametrize(
    "setting",
    [
        50,
        {"above": 50},
        {"above": 50, "functions": ["x"], "more": 1},
        {"above": 0, "functions": ["x"]},
        {"above": True, "functions": ["x"]},
        {"above": 5, "functions": "state.*"},
        {"above": 5, "functions": [""]},
    ],
    ids=str,
)
def test_a_malformed_setting_ends_the_start(setting):
    with pytest.raises(ConfigError, match="rollout_guard"):
        guard_of(setting)


@pytest.mark.parametrize(
    ("fun", "arg", "advises_plan"),
    [
        ("state.apply_plan", ["7f3a91", {"__kwarg__": True, "accept_opaque": False}], True),
        ("state.apply_plan", ["/root/web.plan"], False),
        ("state.apply_plan", [], False),
        ("state.apply", ["7f3a91"], False),
    ],
    ids=str,
)
def test_the_advice_for_a_kept_plan_is_what_plans_take(fun, arg, advises_plan):
    refusal = GUARD.refusal(fun, arg, 51)

    assert (
        "use salt-g '*' 7f3a91 --rollout 2,10%,100%, or salt-g plan apply 7f3a91 --all-at-once" in refusal
    ) is advises_plan
    assert ("-b 50" in refusal) is not advises_plan


def test_a_call_nested_too_deeply_is_guarded():
    fun, arg = "state.apply", ["web"]
    for _ in range(6):
        fun, arg = "test.cross_test", [fun, arg]

        assert GUARD.refusal(fun, arg, 51)
