"""Test mode of a job, recognized alike by every minion and by every state of it."""

import pytest

from salt_g.loader.job_arguments import split_arguments
from salt_g.loader.test_runs import is_test_run


@pytest.mark.parametrize(
    "value",
    [None, False, 0, 1, 1.0, float("nan"), "", "False", "True", "yes", "1", [], [1], {}, {"a": 1}],
    ids=repr,
)
def test_other_values_are_no_test_runs(value):
    assert not is_test_run("state.apply", {"test": value})


@pytest.mark.parametrize(
    ("fun", "arg", "is_test"),
    [
        ("state.test", [], True),
        ("state.test", ["web", "test=False"], True),
        ("state.apply", ["web", "test=True"], True),
        ("state.apply", ["web", "test=1"], False),
        ("state.apply", ["web", "test=yes"], True),
        ("state.apply", ["web", "test=True", "test=False"], False),
        ("state.apply", ["web", "test=False", "test=True"], True),
        ("state.apply", ["web", "test=True", {"__kwarg__": True, "test": False}], False),
        ("state.apply", ["web", {"__kwarg__": True, "test": True}, {"__kwarg__": True, "test": None}], False),
        ("state.apply", ["web", {"test": True}], False),
        ("state.apply", ["web", "tset=True"], False),
        ("state.apply", ["web", True], False),
        ("state.undo", ["last", "test=True"], True),
        ("state.undo", ["last"], False),
        ("state.low", ["test=True"], False),
        ("state.template", ["/srv/web.sls", "test=True"], False),
        ("state.apply_plan", ["web.plan", "test=True"], False),
        ("state.tests", [], False),
        ("cmd.run", ["x", "test=True"], False),
    ],
    ids=str,
)
def test_the_last_of_repeated_keywords_decides(fun, arg, is_test):
    assert is_test_run(fun, split_arguments(arg)[1]) is is_test
