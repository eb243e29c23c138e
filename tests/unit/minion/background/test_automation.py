"""Schedule, beacons and engines of a minion: their start, and the effects of their events."""

from types import SimpleNamespace

import gevent.event
import gevent.queue
import pytest

from salt_g import api
from salt_g.event.bus import Bus
from salt_g.minion.background.automation import MinionAutomation
from salt_g.minion.refresh_events import PILLAR_DONE
from salt_g.minion.settings import AutomationSettings
from salt_g.process.supervisor import Supervisor
from salt_g.services.plugins import Services
from tests.support.waiting import hub_turns, hub_until

EVERY_SECOND = {"tick": {"function": "test.ping", "seconds": 1}}


class Plugins:
    """Tables of beacons and engines: one beacon with one event in each round."""

    def __init__(self, started):
        self.tables = {
            "beacons": {
                "mine.beacon": lambda config: [{"tag": "seen"}],
                "mine.validate": lambda config: (True, ""),
            },
            "engines": {"mine.start": lambda: started.set() or gevent.event.Event().wait()},
        }

    def table(self, kind):
        return self.tables.get(kind, {})


@pytest.fixture
def automation(tmp_path):
    """Yield a function that starts parts of a minion.

    It has `.bus`, `.jobs`, `.sent`, `.pillar`, `.connected` and `.started`.
    """
    supervisor = Supervisor("test")

    def make(**settings):
        bus, jobs, sent = Bus(), gevent.queue.Queue(), gevent.queue.Queue()
        connected, started, pillar = gevent.event.Event(), gevent.event.Event(), {}
        services = Services(plugins=lambda: Plugins(started))
        opts = {"id": "m1", "conf_file": str(tmp_path / "minion"), "loop_interval": 0.01, **settings}
        context = api.CallContext(opts=opts, grains={}, pillar=pillar, services=services)
        made = MinionAutomation(
            AutomationSettings.of(opts),
            bus=bus,
            connected=connected,
            jobs=SimpleNamespace(find=lambda jid: None, running=list),
            call_data=lambda: SimpleNamespace(context=lambda: context, pillar=pillar, grains={}),
            run_job=jobs.put,
            send=sent.put,
            supervisor=supervisor,
        )
        made.bus, made.jobs, made.sent, made.pillar = bus, jobs, sent, pillar
        made.connected, made.started = connected, started
        made.start()
        return made

    yield make
    supervisor.stop()


def test_nothing_begins_before_a_master_is_connected(automation):
    made = automation(schedule=EVERY_SECOND, beacons={"mine": []}, engines=["mine"])
    hub_turns(20)
    assert (made.jobs.qsize(), made.sent.qsize(), made.started.is_set()) == (0, 0, False)

    made.connected.set()

    assert made.sent.get(timeout=30)[0]["tag"] == "salt/beacon/m1/mine/seen"
    assert made.jobs.get(timeout=30)["fun"] == "test.ping"
    assert made.started.wait(30)


def test_schedule_and_beacons_may_begin_without_a_master(automation):
    made = automation(
        schedule=EVERY_SECOND,
        beacons={"mine": []},
        engines=["mine"],
        scheduler_before_connect=True,
        beacons_before_connect=True,
    )

    assert made.sent.get(timeout=30) and made.jobs.get(timeout=30)
    assert not made.started.is_set()


def test_pillar_brings_its_own_beacons_and_jobs(automation):
    made = automation()
    made.connected.set()
    made.pillar.update(beacons={"mine": []}, schedule=EVERY_SECOND)

    made.bus.fire(PILLAR_DONE, {"complete": True})

    assert made.sent.get(timeout=30)[0]["tag"] == "salt/beacon/m1/mine/seen"
    assert made.jobs.get(timeout=30)["schedule"] == "tick"


def test_beacons_alone_are_refreshed_by_their_own_event(automation):
    made = automation()
    made.pillar["beacons"] = {"mine": []}

    made.bus.fire("beacons_refresh", {})

    hub_until(lambda: "mine" in made.beacons.settings.all())


@pytest.mark.parametrize(
    ("tag", "answer"),
    [
        ("manage_schedule", "/salt/minion/minion_schedule_list_complete"),
        ("manage_beacons", "/salt/minion/minion_beacons_list_complete"),
    ],
)
def test_questions_about_them_are_answered_on_the_bus(automation, tag, answer):
    made = automation(schedule=EVERY_SECOND, beacons={"mine": []})
    events = made.bus.watch(answer)

    made.bus.fire(tag, {"func": "list", "where": None})

    assert events.get(30).tag == answer
