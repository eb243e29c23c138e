from types import SimpleNamespace

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.runners import state

GOOD = {"test_|-a_|-a_|-nop": {"result": True, "changes": {}}}
BAD = {"test_|-a_|-a_|-nop": {"result": False, "changes": {}}}


@pytest.fixture
def orchestration(call_context, progress):
    """Enter a runner's call in which the state functions return `running`; return their arguments."""

    def enter(running, **services):
        given = []

        def run(*args, **kwargs):
            given.append((args, kwargs))
            return running

        names = ("sls", "single", "high", "show_sls", "pause", "resume", "soft_kill", "graph")
        call_context(
            functions={f"state.{name}": run for name in names},
            opts={"id": "boss_master", "saltenv": None, "pillarenv": None, "timeout": 5},
            progress=progress,
            **services,
        )
        return given

    return enter


def test_orchestrate_returns_the_run_under_the_id_of_the_master(orchestration):
    given = orchestration(GOOD)

    found = state.orchestrate("deploy", pillar={"a": 1}, orchestration_jid="7")

    assert found == {"data": {"boss_master": GOOD}, "outputter": "highstate", "retcode": 0}
    args, kwargs = given[0]
    assert args == ("deploy", None, None)
    assert kwargs["pillar"] == {"a": 1}
    assert kwargs["orchestration_jid"] == "7"
    assert kwargs["saltenv"] == "base"


@pytest.mark.parametrize("running", [BAD, ["No matching sls found"], {}])
def test_orchestrate_that_failed_has_retcode_1(orchestration, running):
    orchestration(running)

    assert state.orchestrate("deploy")["retcode"] == 1


def test_orchestrate_has_its_short_and_its_old_name():
    assert state.orch is state.orchestrate
    assert state.sls is state.orchestrate


def test_pillar_that_is_not_a_mapping_is_refused(orchestration):
    orchestration(GOOD)

    for run in (state.orchestrate, state.orchestrate_show_sls, state.graph):
        with pytest.raises(InvocationError, match="Pillar data must be formatted as a dictionary"):
            run("deploy", pillar="x")


def test_a_single_state_is_reported_before_the_run_is_over(orchestration, progress):
    orchestration(GOOD)

    found = state.orchestrate_single("salt.runner", "test.arg")

    assert found == {"boss_master": GOOD}
    assert progress.fired == [("progress", {"data": found, "outputter": "highstate"})]


def test_show_sls_names_the_master(orchestration):
    orchestration({"a": {}})

    assert state.orchestrate_show_sls("deploy") == {"boss_master": {"a": {}}}


def test_graph_of_minions_asks_them(orchestration, fake_client):
    client = fake_client(state_graph={"m1": "digraph"})
    orchestration(GOOD, client=client)

    assert state.graph("web", tgt="m1", timeout=9) == {"m1": "digraph"}
    tgt, fun, arg, kwargs = client.calls[0]
    assert (tgt, fun, arg) == ("m1", "state.graph", ["web"])
    assert kwargs["timeout"] == 9


def test_event_prints_what_is_meant_and_ends_after_count(orchestration, fake_events, progress):
    events = fake_events(
        SimpleNamespace(tag="other", data={}),
        SimpleNamespace(tag="salt/job/1/new", data={"b": 1, "a": 2}),
        SimpleNamespace(tag="salt/job/2/new", data={}),
    )
    orchestration(GOOD, events=events)

    state.event("salt/job/*", count=1, pretty=True)

    assert progress.written == ['salt/job/1/new\t{\n    "a": 2,\n    "b": 1\n}']


def test_event_does_not_print_its_own_output_event(orchestration, fake_events, progress):
    events = fake_events(SimpleNamespace(tag="salt/run/7/output", data={}), SimpleNamespace(tag="x", data={}))
    orchestration(GOOD, events=events)

    with api.use(api.current().replace(job={"jid": "7"})):
        state.event(count=1)

    assert progress.written == ["x\t{}"]


def test_event_follows_the_master_only(orchestration):
    orchestration(GOOD)

    with pytest.raises(CommandExecutionError, match="salt-g call state.event"):
        state.event(node="minion")
