"""The walk over the graph, with the real `test` states."""

import pytest

from salt_g import api
from salt_g.errors import CompileError
from salt_g.loader.dunders import stock_dunders


def test_results_have_stocks_keys_in_the_order_of_execution(state_engine):
    engine = state_engine({"a": {"b": "test.succeed_with_changes", "a": {"test.nop": [{"name": "n"}]}}})

    running = engine.apply_sls(["a"])

    assert list(running) == ["test_|-b_|-b_|-succeed_with_changes", "test_|-a_|-n_|-nop"]
    ret = running["test_|-a_|-n_|-nop"]
    assert (ret["__sls__"], ret["__run_num__"], ret["__id__"]) == ("a", 1, "a")
    assert ret["duration"] >= 0
    assert len(ret["start_time"]) >= len("12:00:00")


def test_an_unknown_function_fails_its_state_alone(state_engine, results):
    engine = state_engine({"a": {"x": "no.such", "n": "test.nop"}})

    running = engine.apply_sls(["a"])

    assert running["no_|-x_|-x_|-such"] == {
        "result": False,
        "name": "x",
        "changes": {},
        "comment": "State 'no.such' was not found in SLS 'a'\nReason: 'no.such' is not available.\n",
        "__run_num__": 0,
    }
    assert results(running)["n"] is True


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ("nothing", "Malformed state return. Data must be a dictionary type."),
        ({"name": "x", "result": True, "comment": ""}, "'Changes' should be a dictionary."),
        (
            {"changes": {}, "comment": ""},
            "The following keys were not present in the state return: name, result.",
        ),
    ],
)
def test_a_rubbish_return_fails_its_state(state_engine, returned, text, one):
    engine = state_engine({"a": {"x": "my.fun"}}, states={"my.fun": lambda name: returned})

    ret = one(engine.apply_sls(["a"]))

    assert ret == {
        "result": False,
        "name": "later",
        "changes": {},
        "comment": f"An exception occurred in this state: {text}",
    }


def test_a_state_that_raises_fails_with_its_traceback(state_engine, results):
    def broken(name):
        raise ValueError("odd")

    engine = state_engine({"a": {"x": "my.fun", "n": "test.nop"}}, states={"my.fun": broken})

    running = engine.apply_sls(["a"])

    text = running["my_|-x_|-x_|-fun"]["comment"]
    assert text.startswith("An exception occurred in this state: Traceback (most recent call last):")
    assert text.endswith("ValueError: odd\n")
    assert results(running)["n"] is True


def test_a_list_as_comment_becomes_lines_and_a_result_a_truth_value(state_engine, one):
    ret = {"name": "x", "changes": {}, "result": 1, "comment": ["a", "b"]}
    engine = state_engine({"a": {"x": "my.fun"}}, states={"my.fun": lambda name: dict(ret)})

    made = one(engine.apply_sls(["a"]))

    assert made["comment"] == "a\nb"
    assert made["result"] is True


def test_functions_get_copies_of_their_lists(state_engine):
    def greedy(name, items):
        items.clear()
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine(
        {"a": {"x": {"my.fun": [{"items": [1]}, {"names": ["p", "q"]}]}}}, states={"my.fun": greedy}
    )
    high = engine.high_of_sls(["a"]).as_mapping()
    items = high["x"]["my"][0]["items"]

    engine.apply_high(high)

    assert items == [1]


def test_a_state_sees_its_chunk_its_environment_and_what_ran(state_engine):
    seen = {}

    def look(name):
        context = api.current()
        seen.update(low=context.low["__id__"], ran=list(context.running), saltenv=context.saltenv)
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine(
        {"a": {"n": "test.nop", "x": {"my.look": [{"saltenv": "dev"}]}}}, states={"my.look": look}
    )

    engine.apply_sls(["a"])

    assert seen == {"low": "x", "ran": ["test_|-n_|-n_|-nop"], "saltenv": "dev"}


def test_a_preview_is_in_test_mode_and_the_run_is_not(state_engine):
    modes = []

    def look(name):
        modes.append(api.opts["test"])
        return {
            "name": name,
            "changes": {"x": 1},
            "result": None if api.opts["test"] else True,
            "comment": "",
        }

    engine = state_engine(
        {"a": {"p": {"test.nop": [{"prereq": [{"my": "x"}]}]}, "x": "my.look"}}, states={"my.look": look}
    )

    engine.apply_sls(["a"])

    assert modes == [True, False]


def test_mod_init_is_called_until_it_returns_true(state_engine):
    calls = []

    def init(low):
        calls.append(low["__id__"])
        return len(calls) == 2

    engine = state_engine(
        {"a": {"x": "test.nop", "y": "test.nop", "z": "test.nop"}}, states={"test.mod_init": init}
    )

    engine.apply_sls(["a"])

    assert calls == ["x", "y"]


def test_mock_calls_nothing(state_engine, one):
    engine = state_engine({"a": {"x": "test.fail_without_changes"}})

    ret = one(engine.apply_sls(["a"], mock=True))

    assert (ret["result"], ret["comment"]) == (True, "Not called, mocked")


def test_no_log_hides_every_value_that_says_something(state_engine, one):
    ret = {
        "name": "x",
        "changes": {"out": "secret", "code": 0, "none": "", "pins": [7319, 0.5, True, None]},
        "result": True,
        "comment": "secret",
    }
    engine = state_engine(
        {"a": {"x": {"my.fun": [{"no_log": True}]}}}, states={"my.fun": lambda name: dict(ret)}
    )

    made = one(engine.apply_sls(["a"]))

    assert "secret" not in str(made)
    assert made["changes"] == {
        "out": "**********",
        "code": 0,
        "none": "",
        "pins": ["**********"] * 3 + [None],
    }


def test_sub_states_get_tags_of_their_own(state_engine):
    sub = {"changes": {}, "result": True, "low": {"state": "s", "__id__": "i", "name": "n", "fun": "f"}}
    ret = {"name": "x", "changes": {}, "result": True, "comment": "", "sub_state_run": [sub]}
    engine = state_engine({"a": {"x": "my.fun"}}, states={"my.fun": lambda name: dict(ret)})

    running = engine.apply_sls(["a"])

    assert list(running) == ["my_|-x_|-x_|-fun", "s_|-i_|-n_|-f"]
    assert "sub_state_run" not in running["my_|-x_|-x_|-fun"]


def test_a_single_state_keeps_the_states_that_it_ran(state_engine):
    sub = {"changes": {}, "result": True, "low": {"state": "s", "__id__": "i", "name": "n", "fun": "f"}}
    ret = {"name": "x", "changes": {}, "result": True, "comment": "", "sub_state_run": [sub]}
    engine = state_engine({}, states={"my.fun": lambda name: dict(ret)})

    running = engine.apply_low({"state": "my", "fun": "fun", "name": "x"})

    assert list(running) == ["my_|-x_|-x_|-fun"]
    assert running["my_|-x_|-x_|-fun"]["sub_state_run"] == [sub]


def test_retry_adds_up_attempts(state_engine):
    left = [False, False, True]

    def flaky(name):
        return {"name": name, "changes": {}, "result": left.pop(0), "comment": "c"}

    engine = state_engine(
        {"a": {"x": {"my.fun": [{"retry": {"attempts": 5, "interval": 7}}]}, "n": "test.nop"}},
        states={"my.fun": flaky},
    )

    running = engine.apply_sls(["a"])

    ret = running["my_|-x_|-x_|-fun"]
    assert ret["comment"].splitlines() == [
        'Attempt 1: Returned a result of "False", with the following comment: "c"',
        'Attempt 2: Returned a result of "False", with the following comment: "c"',
        "c",
    ]
    assert engine.slept.count(7) == 2
    assert ret["duration"] > 14000
    assert running["test_|-n_|-n_|-nop"]["__run_num__"] == 3


def test_retry_in_test_mode_only_reports_its_plan(state_engine, one):
    engine = state_engine({"a": {"x": {"test.nop": [{"retry": True}]}}}, opts={"test": True})

    assert one(engine.apply_sls(["a"]))["comment"] == (
        "Success!  The state would be retried every 30 seconds (with a splay of up to 0 seconds) "
        "a maximum of 2 times or until a result of True is returned"
    )


def test_a_malformed_return_does_not_report_the_plan_of_its_retry(state_engine, one):
    engine = state_engine(
        {"a": {"x": {"my.fun": [{"retry": True}]}}},
        states={"my.fun": lambda name: {"name": name, "changes": False, "result": True, "comment": ""}},
        opts={"test": True},
    )

    assert one(engine.apply_sls(["a"]))["comment"] == (
        "An exception occurred in this state: 'Changes' should be a dictionary."
    )


def test_a_disabled_function_vanishes_from_the_run(state_engine):
    engine = state_engine({"a": {"x": "test.nop"}}, grains={"state_runs_disabled": ["test.nop"]})

    assert engine.apply_sls(["a"]) == {}


def test_a_soft_kill_ends_the_run_before_the_state(state_engine, results):
    jid = "20260101120000000000"
    engine = state_engine({"a": {"x": "test.nop", "y": "test.nop"}}, job={"jid": jid})
    engine.pauses.kill(jid, "y")

    running = engine.apply_sls(["a"])

    assert list(results(running)) == ["x"]
    assert engine.pauses.jids() == []


def test_a_pause_with_a_duration_ends(state_engine):
    jid = "20260101120000000000"
    engine = state_engine({"a": {"x": "test.nop"}}, job={"jid": jid})
    engine.pauses.pause(jid, duration=1)
    moments = iter(range(100))

    assert engine.pauses.may_run(jid, "x", sleep=lambda seconds: None, clock=lambda: next(moments)) is True


def test_reload_pillar_gives_later_states_the_new_one(state_engine):
    class Pillars:
        def compile(self, **options):
            return {"new": True}

    seen = []

    def look(name):
        seen.append(dict(api.pillar))
        return {"name": name, "changes": {}, "result": True, "comment": ""}

    engine = state_engine(
        {"a": {"x": {"my.look": [{"reload_pillar": True}]}, "y": "my.look"}},
        states={"my.look": look},
        pillar={"old": True},
        pillars=Pillars(),
    )

    engine.apply_sls(["a"])

    assert seen == [{"old": True}, {"new": True}]


def test_compile_errors_are_raised_all_at_once(state_engine):
    engine = state_engine({"a": {"x": {"test": [{"y": 1}]}, "z": {"test.nop": {"y": 1}}}})

    with pytest.raises(CompileError) as caught:
        engine.apply_sls(["a"])

    assert len(caught.value.messages) == 2


def test_one_id_runs_with_what_it_needs(state_engine, results):
    engine = state_engine(
        {"a": {"x": {"test.nop": [{"require": [{"test": "y"}]}]}, "y": "test.nop", "z": "test.nop"}}
    )

    assert list(results(engine.apply_id("x", ["a"]))) == ["y", "x"]
    assert engine.apply_id("gone", ["a"]) == {}


def test_ten_thousand_chained_states_run_without_recursion(state_engine):
    tree = {"s0": "test.nop"}
    tree |= {f"s{n}": {"test.nop": [{"require": [{"test": f"s{n - 1}"}]}]} for n in range(1, 10000)}
    engine = state_engine({"a": tree})

    running = engine.apply_sls(["a"])

    assert len(running) == 10000


def test_a_chunk_may_choose_the_provider_of_its_module(state_engine):
    class Chosen:
        def __init__(self, providers):
            self.providers = providers

        def table(self, kind):
            return {"pkg.who": lambda: self.providers["pkg"]}

    def ask(name):
        who = api.call("pkg.who")
        return {"name": name, "changes": {}, "result": True, "comment": who}

    engine = state_engine(
        {"a": {"x": {"pkg.ask": [{"provider": "other"}]}, "y": "pkg.ask"}},
        states={"pkg.ask": ask},
        functions={"pkg.who": lambda: "usual"},
    )
    api.services().plugins.with_providers = Chosen

    running = engine.apply_sls(["a"])

    assert [ret["comment"] for ret in running.values()] == ["other", "usual"]


def test_a_state_that_raises_for_another_reason_is_reported_with_its_place(state_engine, caplog):
    def written(name: str):
        raise ValueError("secret of the state")

    data = {"x": {"f.written": []}, "y": {"f.written": [{"no_log": True}]}}
    engine = state_engine({"a": data}, states={"f.written": written})

    engine.apply_sls(["a"])

    result = api.current().scratch["places"]
    assert result == [
        "salt://a.sls (base): f.written: failed with ValueError: secret of the state (ID 'x')",
        "salt://a.sls (base): f.written: failed with ValueError (ID 'y')",
    ]


def test_users_states_see_the_chunks_of_their_run(state_engine):
    dunders = stock_dunders("states")

    def sees(name):
        chunks = [low["__id__"] for low in dunders["__lowstate__"]]
        return {
            "name": name,
            "result": True,
            "changes": {},
            "comment": f"{chunks} {dunders['__instance_id__']}",
        }

    engine = state_engine({"a": {"x": {"mine.sees": []}, "y": {"test.nop": []}}}, states={"mine.sees": sees})

    comment = engine.apply_sls(["a"])["mine_|-x_|-x_|-sees"]["comment"]

    assert comment.startswith("['x', 'y'] ")
    assert not dunders["__lowstate__"]


def test_a_users_mod_watch_finds_its_requisites_among_the_keywords(state_engine):
    def plain(name, **kwargs):
        return {"name": name, "result": True, "changes": {}, "comment": str(sorted(kwargs))}

    def mod_watch(name, sfun, **kwargs):
        seen = {kind: [low["__id__"] for low in chunks] for kind, chunks in kwargs["__reqs__"].items()}
        return {"name": name, "result": True, "changes": {"seen": seen}, "comment": ""}

    watching = {"mine.plain": [{"watch": [{"test": "y"}]}, {"own": 1}]}
    engine = state_engine(
        {"a": {"y": {"test.succeed_with_changes": []}, "x": watching}},
        states={"mine.plain": plain, "mine.mod_watch": mod_watch},
    )

    assert engine.apply_sls(["a"])["mine_|-x_|-x_|-plain"]["changes"] == {"seen": {"watch": ["y"]}}


def test_a_state_with_runas_names_its_user_during_its_call_and_leaves_nothing_behind(state_engine, one):
    seen = []

    def who(name):
        inside = stock_dunders()["__context__"]
        seen.append((api.current().run_as.user, inside.get("runas"), inside.get("runas_password")))
        inside["kept"] = True
        return {"name": name, "result": True, "changes": {}, "comment": ""}

    engine = state_engine(
        {"a": {"x": {"my.who": [{"runas": "web"}, {"runas_password": "secret"}]}, "y": "my.who"}},
        states={"my.who": who},
    )
    engine.apply_sls(["a"])

    assert seen == [("web", "web", "secret"), (None, None, None)]
    assert dict(api.scratch) == {"kept": True}
