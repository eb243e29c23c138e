"""onlyif, unless, creates, check_cmd, global conditions."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.state.run.conditions import Conditions


def conditions(**functions):
    table = {"cmd.retcode": shell, "test.true": lambda: True, "test.false": lambda: False, **functions}
    return Conditions(table, shell=lambda: "/bin/sh", scratch={})


def shell(command, **options):
    if command == "broken":
        raise CommandExecutionError("no such directory")
    return {"true": 0, "false": 1}[command]


@pytest.mark.parametrize(
    ("low", "reason"),
    [
        ({"onlyif": "true"}, None),
        ({"onlyif": "false"}, "onlyif condition is false"),
        ({"onlyif": ["true", "false"]}, "onlyif condition is false"),
        ({"onlyif": "broken"}, "onlyif condition is false"),
        ({"onlyif": []}, None),
        ({"onlyif": [False]}, None),
        ({"onlyif": [{"fun": "test.true"}]}, None),
        ({"onlyif": [{"fun": "test.false"}]}, "onlyif condition is false"),
        ({"onlyif": [{"nofun": 1}]}, None),
        ({"unless": "true"}, "unless condition is true"),
        ({"unless": "false"}, None),
        ({"unless": ["true", "false"]}, None),
        ({"unless": ["true", "true"]}, "unless condition is true"),
        ({"unless": "broken"}, "unless condition is true"),
        ({"unless": []}, None),
        ({"unless": [{"fun": "test.false"}, {"fun": "test.true"}]}, None),
        ({"unless": [{"fun": "test.true"}]}, "unless condition is true"),
        ({"onlyif": "true", "unless": "true"}, "onlyif condition is true\nunless condition is true"),
        ({"creates": "/"}, "/ exists"),
        ({"creates": ["/", "/"]}, "All files in creates exist"),
        ({"creates": ["/", "/no/such"]}, None),
        ({"unless": "true", "creates": "/no/such"}, "unless condition is true\nCreates files not found"),
    ],
)
def test_a_condition_that_does_not_hold_gives_the_reason_to_skip(low, reason):
    assert conditions().reason_to_skip(low) == reason


def test_shell_conditions_share_the_options_of_the_state():
    seen = {}

    def remember(command, **options):
        seen.update(options)
        return 0

    low = {"onlyif": "x", "cwd": "/srv", "env": {"A": "1"}, "runas": "web", "cmd_opts_exclude": ["runas"]}
    conditions(**{"cmd.retcode": remember}).reason_to_skip(low)

    assert seen == {
        "cwd": "/srv",
        "env": {"A": "1"},
        "shell": "/bin/sh",
        "ignore_retcode": True,
        "python_shell": True,
    }


def test_a_function_condition_gets_arguments_and_a_path_into_its_result():
    checks = conditions(**{"my.fun": lambda *args, **kwargs: {"args": args, "deep": kwargs}})

    assert checks.reason_to_skip({"onlyif": [{"fun": "my.fun", "args": [1], "get_return": "args"}]}) is None
    assert checks.reason_to_skip({"onlyif": [{"fun": "my.fun", "get_return": "deep:no"}]}) is not None


def test_a_function_condition_fails_by_its_own_retcode_and_no_older_one():
    scratch = {"retcode": 1}
    checks = Conditions({"test.true": lambda: True}, shell=lambda: None, scratch=scratch)

    assert checks.reason_to_skip({"onlyif": [{"fun": "test.true"}]}) is None


def test_an_unknown_function_condition_raises():
    with pytest.raises(KeyError, match=r"no\.such"):
        conditions().reason_to_skip({"onlyif": [{"fun": "no.such"}]})


def test_conditions_leave_the_chunk_as_it_is():
    low = {"onlyif": [{"fun": "test.true", "get_return": "a"}]}

    conditions().reason_to_skip(low)

    assert low == {"onlyif": [{"fun": "test.true", "get_return": "a"}]}


def test_check_cmd_decides_the_result(state_engine):
    tree = {
        "ok": {"test.fail_without_changes": [{"check_cmd": ["true", "true"]}]},
        "bad": {"test.nop": [{"check_cmd": "false"}]},
    }
    engine = state_engine({"a": tree}, functions={"cmd.retcode": shell}, grains={"shell": "/bin/sh"})

    running = engine.apply_sls(["a"])

    assert [ret["result"] for ret in running.values()] == [True, False]
    assert [ret["comment"] for ret in running.values()] == [
        "check_cmd determined the state succeeded",
        "check_cmd determined the state failed",
    ]


def test_a_skipped_state_does_not_fire_its_watch(state_engine):
    tree = {
        "c": "test.succeed_with_changes",
        "w": {"test.nop": [{"onlyif": "false"}, {"watch": [{"test": "c"}]}]},
    }
    engine = state_engine({"a": tree}, functions={"cmd.retcode": shell}, grains={"shell": "/bin/sh"})

    ret = engine.apply_sls(["a"])["test_|-w_|-w_|-nop"]

    assert (ret["result"], ret["comment"], ret["skip_watch"]) == (True, "onlyif condition is false", True)


def test_global_conditions_keep_functions_from_being_called(state_engine):
    engine = state_engine(
        {"a": {"x": "test.nop"}},
        functions={"match.compound": lambda target: target == "unit"},
        opts={"global_state_conditions": {"test": ["not unit"]}},
    )

    (ret,) = engine.apply_sls(["a"]).values()

    assert ret["result"] is None
    assert ret["comment"] == "Failed to meet global state conditions. State not called."
