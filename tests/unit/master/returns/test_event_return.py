"""Events and jobs to returners, on a bus in memory."""

import gevent
import gevent.queue
import pytest

from salt_g import api
from salt_g.event.bus import Bus
from salt_g.master.returns.event_return import EventReturn
from salt_g.master.returns.external_job_cache import ExternalJobCache
from salt_g.plugin_services import Services
from salt_g.process.supervisor import Supervisor


class Plugins:
    """Tables of one kind: returners."""

    def __init__(self, functions):
        self.functions = functions

    def table(self, kind):
        return self.functions


@pytest.fixture
def told():
    """What returners were told, in order."""
    return gevent.queue.Queue()


@pytest.fixture
def begin(told):
    """Factory: begin a part with these settings; returns its bus."""
    supervisor = Supervisor("test")

    def fail(*given):
        raise RuntimeError("disk full")

    functions = {
        "a.event_return": lambda events: told.put([event["tag"] for event in events]),
        "b.event_return": fail,
        "a.save_load": lambda jid, load, minions: told.put(("load", jid, load["fun"], minions)),
        "a.prep_jid": lambda passed_jid: None,
        "a.returner": lambda load: told.put(("return", load["jid"], load["id"], load["return"])),
        "c.save_load": lambda jid, load, minions: told.put(("load of c", jid)),
        "c.prep_jid": lambda passed_jid: None,
        "d.clean_old_jobs": lambda: told.put("old jobs of d"),
    }

    def make(part, **opts):
        bus = Bus()
        context = api.CallContext(
            opts={}, grains={}, pillar={}, services=Services(plugins=lambda: Plugins(functions))
        )
        part(opts, bus=bus, context=lambda: context, supervisor=supervisor).start()
        return bus

    yield make
    supervisor.stop()


def take(told, count=1):
    return [told.get(timeout=30) for _ in range(count)]


def test_each_event_goes_to_the_returner_at_once(begin, told):
    bus = begin(EventReturn, event_return="a")

    bus.fire("x/1", {})
    bus.fire("x/2", {})

    assert take(told, 2) == [["x/1"], ["x/2"]]


def test_events_are_gathered(begin, told):
    bus = begin(EventReturn, event_return=["a"], event_return_queue=3)

    for number in range(7):
        bus.fire(f"x/{number}", {})

    assert take(told, 2) == [["x/0", "x/1", "x/2"], ["x/3", "x/4", "x/5"]]


def test_gathered_events_do_not_wait_for_ever(begin, told):
    bus = begin(EventReturn, event_return="a", event_return_queue=100, event_return_queue_max_seconds=0.05)

    bus.fire("x", {})

    assert take(told) == [["x"]]


def test_lists_say_what_is_stored(begin, told):
    bus = begin(
        EventReturn, event_return="a", event_return_whitelist=["x/*"], event_return_blacklist=["x/secret*"]
    )

    for tag in ("y", "x/secret/1", "x/1"):
        bus.fire(tag, {})

    assert take(told) == [["x/1"]]


def test_a_returner_that_fails_stops_no_other(begin, told, caplog):
    bus = begin(EventReturn, event_return=["b", "nowhere", "a"])

    bus.fire("x", {})

    assert take(told) == [["x"]]
    assert "1 events not saved by returner b: disk full" in caplog.text
    assert "returner nowhere is not available" in caplog.text


def test_jobs_go_to_the_job_cache_that_is_set(begin, told):
    bus = begin(ExternalJobCache, master_job_cache="a", ext_job_cache="c")

    bus.fire("salt/job/1/new", {"jid": "1", "fun": "test.ping", "minions": ["m1"]})
    bus.fire("salt/job/1/prog/m1/0", {"jid": "1"})
    bus.fire("salt/job/1/ret/m1", {"jid": "1", "id": "m1", "return": True})

    assert take(told, 3) == [
        ("load of c", "1"),
        ("load", "1", "test.ping", ["m1"]),
        ("return", "1", "m1", True),
    ]


def test_job_caches_that_can_are_asked_to_forget_what_is_old(begin, told, caplog):
    begin(ExternalJobCache, master_job_cache="d", ext_job_cache="a")

    assert take(told) == ["old jobs of d"]
    assert caplog.text == ""


def test_nobody_listens_where_the_store_of_the_master_is_all(begin):
    bus = begin(ExternalJobCache, master_job_cache="local_cache", ext_job_cache="")

    assert bus.subscriptions == ()
