"""The reactor, with a bus in memory and a fake client."""

import contextlib

import gevent.queue
import pytest

from salt_g.event.bus import Bus
from salt_g.event.ring import Event
from salt_g.local_call import local_context
from salt_g.master.background.reactor import Reactor
from salt_g.master.settings import ReactorSettings
from salt_g.process.supervisor import Supervisor


class RecordedCalls:
    """Records publications and runner calls; implements what the reactor uses of both clients."""

    def __init__(self):
        self._calls = gevent.queue.Queue()

    def take(self, count=1):
        """Wait for this many calls."""
        return [self._calls.get(timeout=30) for _ in range(count)]

    def cmd_async(self, tgt, fun, arg=(), kwarg=None, **how):
        self._calls.put(("local", tgt, fun, list(arg), kwarg, how))

    def run(self, call):
        self._calls.put((call.kind, call.fun, list(call.args), dict(call.kwargs), call.user))


@pytest.fixture
def reactor(tmp_path):
    """Yield a function that makes a reactor over files of this text, its bus, and a record of its calls."""
    with contextlib.ExitStack() as stack:

        def make(text, tag="my/*", **opts):
            (tmp_path / "r.sls").write_text(text)
            bus, calls, supervisor = Bus(), RecordedCalls(), Supervisor("test")
            stack.callback(supervisor.stop)
            settings = {
                "id": "master",
                "cachedir": str(tmp_path / "cache"),
                "renderer": "jinja|yaml",
                "file_roots": {"base": [str(tmp_path)]},
                "skip_grains": True,
                "reactor": [{tag: [str(tmp_path / "r.sls")]}],
                **opts,
            }
            made = Reactor(
                ReactorSettings.of(settings),
                bus=bus,
                make_client=lambda user: calls,
                calls=calls,
                context=lambda: local_context(settings),
                supervisor=supervisor,
            )
            made.start()
            return made, bus, calls

        yield make


def test_an_event_starts_calls(reactor):
    text = """
ping:
  local.test.echo:
    - tgt: {{ data['id'] }}
    - args:
      - text: {{ tag }}
orch:
  runner.state.orchestrate:
    - mods: orch
"""
    _, bus, calls = reactor(text)

    bus.fire("my/tag", {"id": "m1"})

    assert calls.take(2) == [
        ("local", "m1", "test.echo", [], {"text": "my/tag"}, {}),
        ("runner", "state.orchestrate", [], {"mods": "orch"}, "Reactor"),
    ]


def test_a_minions_text_is_never_structure(reactor):
    text = (
        "a:\n  local.test.echo:\n    - tgt: {{ data['id'] }}\n    - args:\n      - text: {{ data['text'] }}\n"
    )
    _, bus, calls = reactor(text)
    evil = "x\n    - tgt: '*'\nb:\n  runner.cmd.run: []\n{{ 7 * 7 }}"

    bus.fire("my/tag", {"id": "m1", "text": evil})

    assert calls.take() == [("local", "m1", "test.echo", [], {"text": evil}, {})]


def test_data_may_be_handed_on_whole(reactor):
    text = "a:\n  local.test.echo:\n    - tgt: m1\n    - args:\n      - text: {{ data['inner'] | json }}\n"
    _, bus, calls = reactor(text)

    bus.fire("my/tag", {"inner": {"k": "v: w", "l": [1, "a\nb"]}})

    assert calls.take()[0][4] == {"text": {"k": "v: w", "l": [1, "a\nb"]}}


def test_its_own_events_start_nothing(reactor):
    bus, calls = reactor("a:\n  runner.test.arg:\n    - n: {{ data['n'] }}\n")[1:]

    bus.fire("my/tag", {"user": "Reactor", "n": 1})
    bus.fire("other/tag", {"n": 2})
    bus.fire("my/tag", {"n": 3})

    assert calls.take()[0][3] == {"n": 3}


def test_a_file_that_is_wrong_is_logged_and_the_next_event_counts(reactor, caplog):
    _, bus, calls = reactor("a:\n  runner.test.arg:\n    - n: {{ 10 // data['n'] }}\n")

    bus.fire("my/tag", {"n": 0})
    bus.fire("my/tag", {"n": 5})

    assert [call[3] for call in calls.take()] == [{"n": 2}]
    assert "cannot render" in caplog.text


def test_events_beyond_the_queue_are_dropped_and_counted(reactor):
    made, _bus, _calls = reactor(
        "a:\n  runner.test.ping: []\n", reactor_worker_hwm=2, reactor_worker_threads=1
    )
    event = Event("my/tag", {}, b"")

    for _ in range(5):
        made.react(event)

    assert (len(made), made.dropped) == (2, 3)


def test_reactions_are_listed_added_and_deleted_while_it_runs(reactor):
    made, bus, calls = reactor("a:\n  runner.test.ping: []\n", tag="no/such")
    path = made.reactions.entries()[0]["no/such"][0]
    answers = bus.subscribe("salt/reactors/manage/add-complete", name="test")

    bus.fire("salt/reactors/manage/add", {"event": "my/*", "reactors": [path]})
    answer = answers.get(30).data
    bus.fire("my/tag", {})

    assert answer["result"] == {"status": True, "comment": "Reactor added."}
    assert calls.take()[0][1] == "test.ping"


def test_a_reactor_that_is_not_leader_waits(reactor):
    made, bus, _calls = reactor("a:\n  runner.test.ping: []\n")
    answers = bus.subscribe("salt/reactors/manage/leader/value", name="test")

    bus.fire("salt/reactors/manage/set_leader", {"id": "master", "value": False})

    assert answers.get(30).data["result"] is False
    made.react(Event("my/tag", {}, b""))
    assert len(made) == 0


def test_a_file_that_calls_sys_exit_ends_no_reactor(reactor):
    text = """#!py
def run():
    if data["leaves"]:
        raise SystemExit(1)
    return {"x": {"local.test.ping": [{"tgt": "m1"}]}}
"""
    _, bus, calls = reactor(text)

    bus.fire("my/tag", {"leaves": True})
    bus.fire("my/tag", {"leaves": False})

    assert [call[:3] for call in calls.take()] == [("local", "m1", "test.ping")]
