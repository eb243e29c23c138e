import contextlib

import pytest

from salt_g.data.run_record import RunHooks, RunRecord
from salt_g.errors import RunTaken, StoreBusy
from salt_g.event.bus import Bus
from salt_g.master.calls.runner_calls import CallEvents, RunnerCalls
from salt_g.process import secret_hiding
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import MasterCall
from tests.support.waiting import hub_until

RUNNERS = """
def add(a, b=1):
    __jid_event__.fire_event({"message": "adding"}, "progress")
    return a + b

def who():
    return [str(__jid__), str(__user__), __opts__["timeout"], sorted(__salt__)[:1]]

def fail():
    raise ValueError("oh dear")

def leave():
    raise SystemExit(3)

def states(good):
    return {"data": {"boss": {"a": {"result": good}}}, "outputter": "highstate", "retcode": 0}

def strange():
    return object()

def ask():
    return __import__("salt_g.api").api.services().client.cmd("*", "test.ping")

def large():
    return {str(n): "x" * 1000 for n in range(3000)}

def running():
    return __import__("salt_g.api").api.services().calls.running()
"""


class FakeJobs:
    """Jids in order, and stored jobs."""

    def __init__(self):
        self.kept = []
        self.count = 0

    def new_jid(self):
        self.count += 1
        return f"{self.count:020}"

    def save_load(self, jid, load):
        self.kept.append(("load", jid, load))

    def save_return(self, load):
        self.kept.append(("return", load["jid"], load))


class FakeClient:
    def __init__(self, user):
        self.user = user
        self.is_destroyed = False

    def cmd(self, tgt, fun, arg):
        return {"m1": self.user}

    def destroy(self):
        self.is_destroyed = True


@pytest.fixture
def compose(tmp_path):
    """Yield a function that returns (calls of these hooks, events of the bus, jobs, clients made)."""
    plugins = tmp_path / "runners"
    plugins.mkdir()
    (plugins / "mine.py").write_text(RUNNERS)
    opts = {"id": "boss", "timeout": 5, "runner_dirs": [str(plugins)], "cachedir": str(tmp_path)}
    bus, jobs, clients = Bus(), FakeJobs(), []

    def make_client(user):
        clients.append(FakeClient(user))
        return clients[-1]

    supervisor = Supervisor("test")
    parts = {"bus": bus, "jobs": jobs, "supervisor": supervisor, "make_client": make_client}
    with bus.subscribe(name="test") as events:
        yield lambda **hooks: (RunnerCalls(opts, **parts, hooks=RunHooks(**hooks)), events, jobs, clients)
    supervisor.wait()


@pytest.fixture
def master(compose):
    """Return (calls, events of the bus, jobs, clients that were made)."""
    return compose()


def tags_of(events):
    return [event.tag for event in iter(events.take, None)]


def test_a_call_is_reported_before_and_after(master):
    calls, events, _, _ = master

    outcome = calls.outcome(MasterCall("runner", "mine.add", [1], {"b": 2}, "eve"))

    jid = outcome["jid"]
    assert outcome.pop("_stamp").endswith("+00:00")
    assert outcome == {
        "fun": "runner.mine.add",
        "jid": jid,
        "user": "eve",
        "fun_args": [1, {"b": 2}],
        "return": 3,
        "success": True,
    }
    assert tags_of(events) == [f"salt/run/{jid}/{moment}" for moment in ("new", "progress", "ret")]


def test_users_runners_see_stocks_names(master):
    calls, *_ = master

    jid, user, timeout, runners = calls.run(MasterCall("runner", "mine.who", [], {}, "eve"))

    assert (len(jid), user, timeout) == (20, "eve", 5)
    assert runners == [sorted(runners)[0]]


def test_a_started_call_can_be_followed_by_its_tag(master):
    calls, events, _, _ = master

    begun = calls.start(MasterCall("runner", "mine.who", [], {}, "eve"), timeout=9)
    first, last = events.get(10), events.get(10)

    assert (first.tag, last.tag) == (f"{begun['tag']}/new", f"{begun['tag']}/ret")
    assert last.data["return"][2] == 9


@pytest.mark.parametrize(
    ("fun", "args", "retcode", "text"),
    [
        ("mine.nothing", [], 254, "'mine.nothing' is not available."),
        ("mine.fail", [], 1, "Exception occurred in runner mine.fail: Traceback (most recent call last):\n"),
        ("mine.leave", [], 1, "Exception occurred in runner mine.leave: "),
        ("mine.add", [], 1, "\nPassed invalid arguments: add() missing 1 required positional argument"),
    ],
)
def test_a_call_that_fails_says_why(master, fun, args, retcode, text):
    calls, *_ = master

    outcome = calls.outcome(MasterCall("runner", fun, args, {}, "eve"))

    assert outcome["return"].startswith(text)
    assert (outcome["success"], outcome["retcode"]) == (False, retcode)


def test_unknown_keywords_are_refused_before_the_call(master):
    calls, events, _, _ = master

    outcome = calls.outcome(MasterCall("runner", "mine.add", [1], {"c": 2}, "eve"))

    assert outcome["return"] == "The following keyword arguments are not valid: c=2"
    assert tags_of(events) == [f"salt/run/{outcome['jid']}/ret"]


def test_states_decide_whether_a_call_succeeded(master):
    calls, *_ = master

    assert calls.outcome(MasterCall("runner", "mine.states", [True], {}, "eve"))["success"] is True
    assert calls.outcome(MasterCall("runner", "mine.states", [False], {}, "eve"))["success"] is False


def test_a_value_without_a_form_on_the_bus_is_shown_as_text(master):
    calls, *_ = master

    assert calls.run(MasterCall("runner", "mine.strange", [], {}, "eve")).startswith("<object object")


def test_runners_are_kept_in_the_job_cache(master):
    calls, _, jobs, _ = master

    outcome = calls.outcome(MasterCall("runner", "mine.add", [1], {}, "eve"))

    (_, _, load), (_, _, kept) = jobs.kept
    assert (load["fun"], load["tgt"], load["user"]) == ("runner.mine.add", "boss", "eve")
    assert kept == {"jid": outcome["jid"], "id": "boss", "return": outcome}


def test_a_busy_store_does_not_stop_a_call(master, monkeypatch):
    calls, _, jobs, _ = master

    def refuse(jid, load):
        raise StoreBusy("store", "full")

    jobs.save_load = refuse

    assert calls.run(MasterCall("runner", "mine.add", [1], {}, "eve")) == 2


def test_the_client_of_a_call_is_the_users_and_ends_with_it(master):
    calls, _, _, clients = master

    assert calls.run(MasterCall("runner", "mine.ask", [], {}, "eve")) == {"m1": "eve"}
    assert [client.is_destroyed for client in clients] == [True]
    calls.run(MasterCall("runner", "mine.add", [1], {}, "eve"))
    assert len(clients) == 1


def test_a_call_that_cannot_be_announced_does_not_end_the_daemon(master, caplog):
    calls, events, _, _ = master

    calls.start(MasterCall("runner", "mine.add", [object()], {}, "eve"))
    begun = calls.start(MasterCall("runner", "mine.add", [1], {}, "eve"))

    assert [events.get(10).tag, events.get(10).tag, events.get(10).tag][-1] == f"{begun['tag']}/ret"
    assert "could not be finished" in caplog.text


def test_calls_under_way_are_known(master):
    calls, *_ = master

    assert [one["fun"] for one in calls.run(MasterCall("runner", "mine.running", [], {}, "eve"))] == [
        "runner.mine.running"
    ]
    assert calls.running() == []


def test_a_result_that_is_larger_than_other_events_is_reported_whole(master):
    calls, events, *_ = master

    outcome = calls.outcome(MasterCall("runner", "mine.large", [], {}, "root"))

    (reply,) = [event.data for event in iter(events.take, None) if event.tag.endswith("/ret")]
    assert reply["return"] == outcome["return"]
    assert sum(map(len, reply["return"].values())) == 3_000_000


def test_a_call_that_another_master_began_goes_on_once_its_minions_are_there(compose):
    waited, ended = [], []
    calls, events, jobs, _ = compose(begin=lambda *call: pytest.fail("it was noted before"), end=ended.append)
    jid = jobs.new_jid()
    noted = {"fun": "mine.add", "args": [1], "kwargs": {"b": 3}, "user": "eve", "timeout": None}

    assert calls.resume(jid, noted, RunRecord(lambda key, value: True), lambda: waited.append(True))

    event = [events.get(10).tag for _ in range(2)]
    assert event == [f"salt/run/{jid}/progress", f"salt/run/{jid}/ret"]
    hub_until(lambda: ended)
    assert (waited, ended, jobs.kept[-1][2]["return"]["return"]) == ([True], [jid], 4)


def test_a_call_that_another_master_has_is_left_without_an_outcome(master):
    calls, events, jobs, _ = master
    record = RunRecord(lambda key, value: False)
    with contextlib.suppress(RunTaken):
        record.check()
    noted = {"fun": "mine.add", "args": [1], "kwargs": {}, "user": "eve", "timeout": None}

    calls.resume("20260102030405678901", noted, record, lambda: None)

    assert [events.get(10).tag.rpartition("/")[2] for _ in range(2)] == ["progress", "left"]
    assert (events.get(0), jobs.kept) == (None, [])
    assert not calls.running()


def test_orchestrations_are_noted_with_what_it_takes_to_resume_them(compose):
    noted = []
    calls, *_ = compose(begin=lambda jid, about, to_resume: noted.append((about["fun"], to_resume)))

    calls.run(MasterCall("runner", "mine.add", [1], {}, "eve"))
    calls.run(MasterCall("runner", "state.orchestrate", [], {"nope": "x"}, "eve"))

    (plain, resumed) = noted
    assert plain == ("runner.mine.add", None)
    kwargs = resumed[1].pop("kwargs")
    assert resumed[1] == {"fun": "state.orchestrate", "args": [], "user": "eve", "timeout": None}
    assert sorted(kwargs) == ["nope", "orchestration_jid"]


PILLAR = {"db": {"password": "Fired-secret-1"}}


@pytest.fixture
def fired():
    """Yield a function that returns the data of an event that a function fires."""

    def fire(tag, data, patterns=("db:password",)):
        return CallEvents(Bus(), patterns).fire(tag, data).data

    with secret_hiding.forgotten():
        yield fire


def test_the_arguments_of_a_call_inside_show_no_pillar(fired):
    data = fired("salt/run/1/args", {"name": "state.orch", "kwargs": {"pillar": PILLAR}})

    assert data["kwargs"] == {"pillar": {"db": {"password": "<secret:db:password>"}}}


def test_known_secrets_are_hidden_in_any_event(fired):
    secret_hiding.add({"Fired-secret-2": "tls"})

    assert fired("my/tag", {"pillar": PILLAR, "text": "Fired-secret-2"}, ())["text"] == "<secret:tls>"


def test_functions_watch_the_bus():
    bus = Bus()

    with CallEvents(bus, ()).watch("my/") as watching:
        bus.fire("other/tag", {})
        bus.fire("my/tag", {"x": 1})

        assert watching.get(timeout=0).data["x"] == 1
