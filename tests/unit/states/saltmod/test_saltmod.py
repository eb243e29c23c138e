from types import SimpleNamespace

import pytest

from salt_g import api
from salt_g.states import saltmod

OK = {"test_|-a_|-a_|-nop": {"result": True, "changes": {}}}
CHANGED = {"test_|-a_|-a_|-nop": {"result": True, "changes": {"a": 1}}}
BAD = {"test_|-a_|-a_|-nop": {"result": False, "changes": {}}}


@pytest.fixture
def orchestration(call_context, fake_events):
    """Enter an orchestration whose minions return `answers`; return (calls, events)."""

    def enter(answers=None, *, outcome=None, opts=None, events=()):
        calls, bus = [], fake_events(*events)

        def cmd(tgt, fun, **request):
            calls.append((tgt, fun, request))
            return answers or {}

        def on_master(name, *args, **kwargs):
            calls.append((name, args, kwargs))
            return outcome[name] if isinstance(outcome, dict) and name in outcome else outcome

        functions = {"saltutil.cmd": cmd, "saltutil.runner": on_master, "saltutil.wheel": on_master}
        context = call_context(
            functions={**functions, "check.length": lambda value: len(value) > 1},
            opts={"__role": "master", "file_client": "local", "id": "boss_master", **(opts or {})},
            events=bus,
        )
        low = {"__orchestration_jid__": "77", "__env__": "base"}
        running = api.use(context.replace(low=low, job={"user": "root"}))
        stack.append(running)
        running.__enter__()
        return calls, bus

    stack = []
    yield enter
    for running in reversed(stack):
        running.__exit__(None, None, None)


def answer(running, **more):
    return {"ret": running, "out": "highstate", "jid": "5", **more}


def test_state_passes_on_its_arguments(orchestration):
    calls, bus = orchestration({"m1": answer(CHANGED)})

    found = saltmod.state(
        "web", "m*", sls=["a", "b"], pillar={"x": 1}, saltenv="dev", batch=2, timeout=9, queue=True
    )

    tgt, fun, request = calls[0]
    assert (tgt, fun, request["arg"]) == ("m*", "state.sls", ["a,b"])
    assert request["kwarg"] == {"pillar": {"x": 1}, "saltenv": "dev", "queue": True, "concurrent": False}
    assert (request["batch"], request["timeout"], request["tgt_type"]) == ("2", 9, "glob")
    assert bus.fired == [("salt/run/77/args", {"type": "state", "tgt": "m*", "name": "web", "args": request})]
    assert found == {
        "name": "web",
        "changes": {"out": "highstate", "ret": {"m1": CHANGED}},
        "result": True,
        "comment": "States ran successfully. Updating m1.",
        "__jid__": "5",
    }


@pytest.mark.parametrize(
    ("given", "fun", "arg"),
    [
        ({"highstate": True, "sls": "a"}, "state.highstate", []),
        ({"top": "t.sls"}, "state.top", ["t.sls"]),
        ({"sls": "a"}, "state.sls", ["a"]),
    ],
)
def test_state_chooses_the_function_by_what_is_given(orchestration, given, fun, arg):
    calls, _ = orchestration({"m1": answer(OK)})

    saltmod.state("web", "*", **given)

    assert calls[0][1] == fun
    assert calls[0][2]["arg"] == arg


@pytest.mark.parametrize(
    ("given", "comment"),
    [
        ({"sls": "a", "tset": True}, "The argument 'tset' is not known, nearest: 'test'; no execution made"),
        ({"sls": "a", "Test": True}, "The argument 'Test' is not known, nearest: 'test'; no execution made"),
        ({}, "No highstate or sls specified, no execution made"),
        ({"sls": "a", "allow_fail": "x"}, "Passed invalid value for 'allow_fail', must be an int"),
        ({"sls": "a", "concurrent": "yes"}, "Must pass in boolean for value of 'concurrent'"),
        ({"sls": "a"}, "No minions returned"),
    ],
)
def test_state_that_cannot_be_run_says_why(orchestration, given, comment):
    orchestration({})

    found = saltmod.state("web", "*", **given)

    assert (found["result"], found["comment"]) == (False, comment)


def test_state_without_minions_is_fine_where_none_are_expected(orchestration):
    orchestration({})

    found = saltmod.state("web", "*", sls="a", expect_minions=False)

    assert (found["result"], found["comment"]) == (True, "States ran successfully.")


def test_state_names_those_that_changed_nothing(orchestration):
    orchestration({"m1": answer(CHANGED), "m2": answer(OK)})

    found = saltmod.state("web", "*", sls="a")

    assert found["comment"] == "States ran successfully. Updating m1. No changes made to m2."


@pytest.mark.parametrize(
    ("answers", "comment"),
    [
        ({"m1": answer(BAD)}, "Run failed on minions: m1"),
        ({"m1": answer(["x", "y"])}, "Run failed on minions: m1\nMinion m1 returned errors: x; y"),
        ({"m1": answer([])}, "Run failed on minions: m1\nMinion m1 returned an empty error list."),
        ({"m1": {"failed": True}}, "Run failed on minions: m1\nMinion m1 did not return a state result."),
        ({"m1": {}}, "Run failed on minions: m1\nMinion m1 did not return a state result."),
        (
            {"m1": answer("boom")},
            "Run failed on minions: m1\nMinion m1 returned 'boom' instead of a state result.",
        ),
    ],
)
def test_state_that_failed_says_on_which_minions_and_why(orchestration, answers, comment):
    orchestration(answers)

    found = saltmod.state("web", "*", sls="a")

    assert (found["result"], found["comment"]) == (False, comment)
    assert "m1" in found["changes"]["ret"]


def test_hosts_by_ssh_have_their_own_form_of_answers_and_errors(orchestration):
    error = {"stdout": "", "stderr": "no such SLS\n", "retcode": 1, "parsed": None, "_error": "non-zero"}
    calls, _ = orchestration(
        {"h1": {"return": CHANGED, "retcode": 0}, "h2": {"return": error, "retcode": 1},
         "h3": {"return": "h3 cannot be reached", "retcode": 255}}
    )  # fmt: skip

    found = saltmod.state("web", "h*", sls="a", ssh=True, roster="ansible")

    assert (calls[0][2]["ssh"], calls[0][2]["roster"]) == (True, "ansible")
    assert found["result"] is False
    assert found["comment"] == (
        "Run failed on minions: h2, h3\nHost h2 failed: no such SLS\n"
        "Minion h3 returned 'h3 cannot be reached' instead of a state result."
    )
    assert found["changes"]["ret"]["h1"] == CHANGED
    assert found["changes"]["ret"]["h2"] is False


def test_warnings_of_states_on_minions_are_repeated_once(orchestration):
    def warned(*result):
        return answer({tag: {**ret, "warnings": list(result)} for tag, ret in OK.items()})

    orchestration({"m1": warned("a", "b"), "m2": warned("a"), "m3": answer(OK), "m4": answer(["error"])})
    many = [str(number) for number in range(12)]

    assert saltmod.state("web", "*", sls="a")["warnings"] == ["m1, m2: a", "m1: b"]
    orchestration({"m1": warned(*many)})
    assert saltmod.state("web", "*", sls="a")["warnings"][-2:] == ["m1: 9", "2 further warnings"]


def test_some_minions_may_fail(orchestration):
    orchestration({"m1": answer(BAD), "m2": answer(BAD)})

    assert saltmod.state("web", "*", sls="a", allow_fail=2)["result"] is True
    assert saltmod.state("web", "*", sls="a", fail_minions="m1, m2")["result"] is True
    assert saltmod.state("web", "*", sls="a", fail_minions=["m1"])["result"] is False
    assert saltmod.state("web", "*", sls="a", fail_minions=7)["warnings"] == [
        "'fail_minions' needs to be a list or a comma separated string. Ignored."
    ]


def test_test_mode_goes_to_the_minions_and_shows_in_the_result(orchestration):
    calls, _ = orchestration({"m1": answer(CHANGED)}, opts={"test": True})

    found = saltmod.state("web", "*", sls="a")

    assert calls[0][2]["kwarg"]["test"] is True
    assert found["result"] is None


def test_state_runs_here_where_there_is_no_master(call_context):
    call_context(
        functions={"state.sls": lambda mods, **kwargs: CHANGED},
        opts={"__role": "minion", "file_client": "local"},
    )

    assert saltmod.state("web", "*", sls="a")["comment"] == "States ran successfully. Updating unit."


def test_function_runs_on_minions(orchestration):
    calls, bus = orchestration({"m1": {"ret": "up", "retcode": 0, "jid": "5"}})

    found = saltmod.function("cmd.run", "*", arg=["uptime"], kwarg={"cwd": "/"})

    assert calls[0][2]["kwarg"] == {"cwd": "/"}
    assert bus.fired[0][1]["type"] == "function"
    assert found == {
        "name": "cmd.run",
        "changes": {"ret": {"m1": "up"}},
        "result": True,
        "comment": "Function ran successfully. Function cmd.run ran on m1.",
        "__jid__": "5",
    }


@pytest.mark.parametrize("expected", [{"ret": "", "retcode": 3}, {"ret": False}, {"failed": True}])
def test_function_that_failed_names_the_minions(orchestration, expected):
    orchestration({"m1": expected, "m2": {"ret": True}})

    found = saltmod.function("cmd.run", "*")

    assert found["result"] is False
    assert found["comment"] == (
        "Running function cmd.run failed on minions: m1 Function cmd.run ran on m1, m2."
    )


def test_a_function_can_judge_the_returns(orchestration):
    orchestration({"m1": {"ret": "x"}, "m2": {"ret": "xx"}})

    found = saltmod.function("cmd.run", "*", fail_function="check.length")

    assert "failed on minions: m1 " in found["comment"]


def test_a_function_without_minions_fails(orchestration):
    orchestration({})

    assert saltmod.function("cmd.run", "*")["comment"] == "No minions responded"


def test_function_takes_arguments_as_text_with_a_warning(orchestration):
    calls, _ = orchestration({"m1": {"ret": 1}})

    found = saltmod.function("cmd.run", "*", arg="a b")

    assert calls[0][2]["arg"] == ["a", "b"]
    assert found["warnings"] == ["Please specify 'arg' as a list of arguments."]


def test_in_test_mode_nothing_is_run_but_states(orchestration):
    calls, _ = orchestration(opts={"test": True})

    found = [
        saltmod.function("cmd.run", "web*"),
        saltmod.runner("a.b"),
        saltmod.wheel("a.b"),
        saltmod.wait_for_event("a/*", ["m1"]),
        saltmod.parallel_runners("p", {"one": None}),
    ]

    assert calls == []
    assert {one["result"] for one in found} == {None}
    assert [one["comment"] for one in found] == [
        "Function cmd.run would be executed on target web*",
        "Runner function 'a.b' would be executed.",
        "Wheel function 'a.b' would be executed.",
        "Orchestration would wait for event 'a/*'",
        "Runner functions would be executed: one.",
    ]


def test_runner_returns_what_the_function_returned(orchestration):
    calls, _ = orchestration(outcome={"return": {"a": 1}, "success": True, "jid": "6"})

    found = saltmod.runner("a.b", x=1)

    assert calls[0] == (
        "a.b",
        (),
        {"full_return": True, "__orchestration_jid__": "77", "__env__": "base", "__pub_user": "root", "x": 1},
    )
    assert found == {
        "name": "a.b",
        "changes": {"return": {"a": 1}},
        "result": True,
        "comment": "Runner function 'a.b' executed.",
        "__jid__": "6",
    }


@pytest.mark.parametrize("outcome", [{"return": 1, "success": False}, {"return": {"Error": "x"}}])
def test_runner_and_wheel_can_fail(orchestration, outcome):
    orchestration(outcome=outcome)

    assert saltmod.runner("a.b")["comment"] == "Runner function 'a.b' failed."
    assert saltmod.wheel("a.b")["result"] is False


def test_parallel_runners_run_all_and_join_their_changes(orchestration):
    def run(changes):
        data = {"boss_master": {"salt_|-a_|-a_|-state": {"result": True, "changes": changes}}}
        return {"return": {"data": data, "outputter": "highstate"}, "success": True}

    orchestration(outcome={"one": run({"out": "highstate", "ret": {"m1": CHANGED}}), "state.orch": run({})})

    found = saltmod.parallel_runners(
        "p", {"one": None, "two": [{"name": "state.orch"}, {"kwarg": {"mods": "x"}}]}
    )

    assert found["result"] is True
    assert found["comment"] == "All runner functions executed successfully."
    assert found["changes"] == {"one": {"boss_master": {"salt_|-a_|-a_|-state": {"m1": CHANGED}}}}


def test_parallel_runners_name_those_that_failed(orchestration):
    outcome = {"one": {"return": "x", "success": False}, "two": {"return": {"exit_code": 1}, "success": True}}
    orchestration(outcome={**outcome, "three": {"return": 3, "success": True}})

    found = saltmod.parallel_runners("p", {"one": None, "two": None, "three": None})

    assert (found["result"], found["comment"]) == (False, "Runners one, two failed.")
    assert found["changes"] == {"ret": {"one": "x", "two": {"exit_code": 1}, "three": 3}}


def test_parallel_runners_take_one_name_and_no_list(orchestration):
    orchestration(outcome={"return": 1, "success": True})

    assert saltmod.parallel_runners("p", "a.b")["changes"] == {"ret": {"a.b": 1}}
    assert (
        saltmod.parallel_runners("p", ["a.b"])["comment"] == "The runners parameter must be a string or dict."
    )


def test_wait_for_event_ends_when_each_id_was_seen(orchestration):
    orchestration(
        events=(
            SimpleNamespace(tag="other", data={"id": "m1"}),
            SimpleNamespace(tag="a/1", data={"id": "m1"}),
            SimpleNamespace(tag="a/2", data={"data": {"id": ["m3", "m2"]}}),
        )
    )

    found = saltmod.wait_for_event("a/*", ["m1", "m2"])

    assert found["result"] is True
    assert found["changes"] == {"minions_seen": ["m1", "m2"]}
    assert found["comment"].startswith("All events seen in ")


def test_wait_for_event_gives_up_in_time(orchestration):
    orchestration(events=(SimpleNamespace(tag="a/1", data={"id": "m1"}),))

    found = saltmod.wait_for_event("a/*", ["m1", "m2"], timeout=0)

    assert (found["result"], found["comment"]) == (False, "Timeout value reached.")
    assert found["changes"] == {"minions_seen": ["m1"]}
