"""Returners, and parts that call them, on a bus in memory."""

import gevent.queue
import pytest

from salt_g import api
from salt_g.event.bus import Bus
from salt_g.master.returns.event_return import EventReturn
from salt_g.master.returns.external_job_cache import ExternalJobCache
from salt_g.master.settings import EventReturnSettings, JobCacheSettings
from salt_g.process.supervisor import Supervisor
from salt_g.services.plugins import Services

SETTINGS = {EventReturn: EventReturnSettings, ExternalJobCache: JobCacheSettings}


class Plugins:
    """Tables of one kind: returners."""

    def __init__(self, functions):
        self.functions = functions

    def table(self, kind):
        return self.functions


@pytest.fixture
def returner_calls():
    """Return calls of returners, in order."""
    return gevent.queue.Queue()


@pytest.fixture
def take(returner_calls):
    """Return a factory: `take(n)` waits for the next n calls of returners."""
    return lambda count=1: [returner_calls.get(timeout=30) for _ in range(count)]


@pytest.fixture
def begin(returner_calls):
    """Yield a function that begins a part with these settings and returns its bus."""
    supervisor = Supervisor("test")

    def fail(*given, **named):
        raise RuntimeError("disk full")

    functions = {
        "a.event_return": lambda events: returner_calls.put([event["tag"] for event in events]),
        "b.event_return": fail,
        "b.prep_jid": fail,
        "b.save_load": fail,
        "b.returner": fail,
        "a.save_load": lambda jid, load, minions: returner_calls.put(("load", jid, load["fun"], minions)),
        "a.prep_jid": lambda passed_jid: None,
        "a.returner": lambda load: returner_calls.put(("return", load["jid"], load["id"], load["return"])),
        "c.save_load": lambda jid, load, minions: returner_calls.put(("load of c", jid)),
        "c.prep_jid": lambda passed_jid: None,
        "d.clean_old_jobs": lambda: returner_calls.put("old jobs of d"),
    }

    def make(part, **opts):
        bus = Bus()
        context = api.CallContext(
            opts={}, grains={}, pillar={}, services=Services(plugins=lambda: Plugins(functions))
        )
        part(SETTINGS[part].of(opts), bus=bus, context=lambda: context, supervisor=supervisor).start()
        return bus

    yield make
    supervisor.stop()
