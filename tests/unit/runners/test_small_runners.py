"""Runners of a few lines each: config, doc, error, event, match, rollout, salt, test."""

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, TargetError
from salt_g.runners import config, doc, error, event, match, rollout, salt
from salt_g.runners import test as test_runner


def test_config_get_steps_into_nested_settings(call_context):
    call_context(opts={"file_roots": {"base": ["/srv"]}, "nothing": None})

    assert config.get("file_roots:base") == ["/srv"]
    assert config.get("file_roots,base", delimiter=",") == ["/srv"]
    assert config.get("nothing") is None
    assert config.get("no:such", default=7) == 7


def test_error_raises_the_named_exception(call_context):
    assert error.error() == {}
    with pytest.raises(ValueError, match="oh"):
        error.error("ValueError", "oh")
    with pytest.raises(CommandExecutionError):
        error.error("CommandExecutionError")
    with pytest.raises(RuntimeError):
        error.error("NoSuchException")


def test_event_send_fires_the_tag_as_it_is(call_context, fake_events):
    events = fake_events()
    call_context(events=events)

    assert event.send("my/tag", {"a": 1}) is True
    assert events.fired == [("my/tag", {"a": 1})]


def test_doc_runner_gathers_what_functions_say_of_themselves(call_context):
    call_context(tables={"runners": {"test.arg": test_runner.arg}})

    assert doc.runner()["test.arg"].startswith("Return the arguments")


def test_doc_execution_joins_the_answers_of_all_minions(call_context, fake_client):
    answers = {"m1": {"a.b": "A"}, "m2": {"c.d": "C"}, "m3": False}
    call_context(opts={"timeout": 5}, client=fake_client(sys_doc=answers))

    assert doc.execution() == {"a.b": "A", "c.d": "C"}


def test_salt_cmd_calls_an_execution_function_here(call_context):
    from salt_g import api

    def look(*args, **kwargs):
        return args, kwargs, dict(api.pillar)

    call_context(functions={"mod.look": look}, pillar={"secret": 1})

    assert salt.cmd("mod.look", 1, a=2, __pub_jid="7") == ((1,), {"a": 2}, {})
    assert salt.cmd("mod.look", with_pillar=True) == ((), {}, {"secret": 1})
    assert salt.cmd("no.such") == "'no.such' is not available."


def test_salt_execute_runs_on_minions(call_context, fake_client):
    client = fake_client(test_ping={"m1": True})
    call_context(opts={"timeout": 5}, client=client)

    assert salt.execute("*", "test.ping") == {"m1": True}
    assert client.calls[0][3]["timeout"] == 5


def test_arguments_without_those_of_the_job(call_context):
    assert test_runner.arg(1, a=2, __b=3) == {"args": [1], "kwargs": {"a": 2}}
    assert test_runner.raw_arg(1, __b=3) == {"args": [1], "kwargs": {"__b": 3}}


def test_stdout_print_prints_at_the_command_line(call_context, progress):
    call_context(progress=progress)

    assert test_runner.stdout_print() == "bar"
    assert progress.written == ["foo"]


class FakeTargetExplain:
    def explain(self, tgt, tgt_type, *, delimiter):
        if tgt == "(":
            raise TargetError("a closing parenthesis is missing")
        return {"m1": {"matched": True, "terms": []}}

    def matches(self, expr, id):
        if expr == "(":
            raise TargetError("a closing parenthesis is missing")
        return id == "m1"


def test_match_explain_reports_what_is_wrong_with_a_target(call_context):
    context = call_context(target_explain=FakeTargetExplain())

    assert match.explain("m*") == {"m1": {"matched": True, "terms": []}}
    assert match.explain("(", "compound") == {"Error": "a closing parenthesis is missing"}
    assert context.scratch["retcode"] == 1


def test_compound_matches_is_false_for_undecidable_targets(call_context):
    call_context(target_explain=FakeTargetExplain())

    assert match.compound_matches("m*", "m1") == {"res": "m1"}
    assert match.compound_matches("m*", "m2") == {"res": False}
    assert match.compound_matches("(", "m1") == {"res": False}


class Rollouts:
    """One rollout, with the jid 1; `.orders` are the orders for it."""

    def __init__(self):
        self.orders = []

    def all(self):
        return [{"jid": "1"}]

    def status(self, jid):
        return {"jid": jid} if jid == "1" else None

    def order(self, jid, action, user):
        self.orders.append((jid, action, user))
        return jid == "1"


def test_rollouts_are_shown_and_steered_in_the_name_of_the_user(call_context, caplog):
    rollouts = Rollouts()
    context = call_context(rollouts=rollouts)

    with api.use(context.replace(job={"user": "ann"})):
        assert (rollout.list(), rollout.status(1)) == ([{"jid": "1"}], {"jid": "1"})
        with pytest.raises(CommandExecutionError, match="this master knows no rollout 2"):
            rollout.status("2")
        assert [rollout.pause("1"), rollout.resume(1), rollout.stop("2")] == [True, True, False]
    assert rollouts.orders == [("1", "pause", "ann"), ("1", "resume", "ann"), ("2", "stop", "ann")]
    assert "2: no running rollout has this jid" in caplog.text
