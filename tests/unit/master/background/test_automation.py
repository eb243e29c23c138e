"""The automatic parts of a master: those enabled by the settings, with a shared context."""

import gevent.queue
import pytest

from salt_g.event.bus import Bus
from salt_g.local_call import local_context
from salt_g.master.background.automation import MasterAutomation
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until

RETURNER = (
    "def event_return(events):\n    with open({path!r}, 'a') as file:\n        file.write(events[0]['tag'])\n"
)
REACTION = "do:\n  runner.test.arg:\n    - args:\n      - word: reacted\n"


class Calls:
    """Records the calls of runners."""

    def __init__(self):
        self.run_calls = gevent.queue.Queue()

    def run(self, call):
        self.run_calls.put((call.kind, call.fun, list(call.args) or dict(call.kwargs), call.user))


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def automation(tmp_path, supervisor):
    """Return a function that starts parts of a master.

    It has `.bus`, `.calls`, and `.contexts`, the contexts made for them.
    """

    def make(**settings):
        opts = {
            "id": "master",
            "cachedir": str(tmp_path / "cache"),
            "renderer": "jinja|yaml",
            "file_roots": {"base": [str(tmp_path)]},
            "skip_grains": True,
            **settings,
        }
        bus, calls, contexts = Bus(), Calls(), []

        def context():
            contexts.append(local_context(opts))
            return contexts[-1]

        made = MasterAutomation(
            opts,
            bus=bus,
            calls=calls,
            make_client=lambda user: None,
            context=context,
            supervisor=supervisor,
        )
        made.bus, made.calls, made.contexts = bus, calls, contexts
        made.start()
        return made

    return make


def test_without_settings_only_the_reactor_listens_because_reactions_may_be_added(automation):
    made = automation()

    assert len(made.bus.subscriptions) == 1
    assert made.contexts == []


def test_an_event_runs_its_reaction(automation, tmp_path):
    (tmp_path / "reaction.sls").write_text(REACTION)
    made = automation(reactor=[{"my/tag": [str(tmp_path / "reaction.sls")]}])

    made.bus.fire("my/tag", {})

    kind, fun, args, user = made.calls.run_calls.get(timeout=30)
    assert (kind, fun, args, user) == ("runner", "test.arg", {"word": "reacted"}, "Reactor")


def test_scheduled_runners_are_called(automation):
    made = automation(schedule={"now": {"function": "test.arg", "args": ["tick"], "seconds": 1}}, user="root")

    assert made.calls.run_calls.get(timeout=30) == ("runner", "test.arg", ["tick"], "root")


def test_events_go_to_returners_and_contexts_are_shared_for_a_while(automation, tmp_path):
    (tmp_path / "mods").mkdir()
    (tmp_path / "mods" / "mine.py").write_text(RETURNER.format(path=str(tmp_path / "seen")))
    made = automation(event_return="mine", returner_dirs=[str(tmp_path / "mods")])

    for tag in ("one", "two"):
        made.bus.fire(tag, {})
        hub_until(lambda tag=tag: tag in _text(tmp_path / "seen"))

    assert len(made.contexts) == 1


def _text(path):
    return path.read_text() if path.exists() else ""
