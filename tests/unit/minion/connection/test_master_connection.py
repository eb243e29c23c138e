"""One connection to a master in memory: pillar and start event first, then jobs; effects of its loss."""

from types import SimpleNamespace

import gevent.queue
import pytest

from salt_g.config.registry import defaults
from salt_g.event.bus import Bus
from salt_g.loader import Loader
from salt_g.minion.call_data import CallData
from salt_g.minion.connection.master_connection import MasterConnection
from salt_g.minion.connection.readiness import Readiness
from salt_g.minion.refresh_events import PILLAR_DONE
from salt_g.minion.settings import ConnectionSettings
from tests.support.waiting import hub_until

#: Answers of the master by command; it has no pillar.
ANSWERS = {"_register_resources": True, "_minion_event": True}


@pytest.fixture
def connection(opts, identity, networks, master, supervisor, tmp_path):
    """Return a function that starts a connection to `master`.

    `.started` are its jobs, `.first` the first readiness.
    """

    def make(**settings):
        master.answers = dict(ANSWERS)
        started, first, bus = gevent.queue.Queue(), gevent.queue.Queue(), Bus()
        whole = {**defaults("minion"), **opts, "conf_file": str(tmp_path / "minion"), **settings}
        made = MasterConnection(
            ["a"],
            ConnectionSettings.of(whole),
            identity,
            networks(a=master),
            bus=bus,
            jobs=SimpleNamespace(start=started.put, resume=lambda origin: None),
            returns=SimpleNamespace(deliver=print, deliver_many=print, takes_many=print),
            make_call_data=lambda channel, services: CallData(
                whole, channel, loader=Loader(whole), services=services
            ),
            resource_types=lambda: None,
            requires_signature=True,
            readiness=Readiness(on_first=first.put),
        )
        made.started, made.first, made.bus = started, first, bus
        made.start(supervisor)
        return made

    return make


def fired(master, tag):
    """Return the data of the events with this tag that the minion has sent."""
    return [
        event["data"]
        for load in list(master.requests)
        if load["cmd"] == "_minion_event"
        for event in (load.get("events") or [load])
        if event["tag"] == tag
    ]


def test_a_minion_is_ready_with_its_first_connection(connection, master):
    made = connection()

    assert made.first.get(timeout=30) is made.origin
    assert (made.name, made.session.is_connected) == ("a", True)


def test_a_new_master_gets_the_start_event(connection, master):
    connection(start_event_grains=["os"]).call_data.grains = {"os": "X", "secret": 1}

    (data,) = hub_until(lambda: fired(master, "salt/minion/m1/start"))

    assert "Minion m1 started at " in str(data)
    assert hub_until(lambda: fired(master, "minion_start"))


def test_the_start_event_of_old_releases_can_be_left_out(connection, master):
    connection(enable_legacy_startup_events=False)

    hub_until(lambda: fired(master, "salt/minion/m1/start"))

    assert fired(master, "minion_start") == []


def test_a_publication_that_means_the_minion_becomes_a_job(connection, master):
    made = connection()
    made.first.get(timeout=30)

    master.publish(tgt="other", jid="20260102030405678902")
    master.publish(tgt="m1", jid="20260102030405678903", fun="test.arg")

    job = made.started.get(timeout=30)
    assert (job.load["jid"], job.load["fun"], job.is_own) == ("20260102030405678903", "test.arg", True)
    assert made.started.empty()


def test_pillar_is_asked_for_before_the_first_job_and_a_master_without_it_hinders_nothing(connection, master):
    made = connection(acceptance_wait_time=0.01)
    notes = made.bus.watch(PILLAR_DONE)

    made.first.get(timeout=30)

    commands = [load["cmd"] for load in master.requests]
    assert commands[0] == "_pillar"
    hub_until(lambda: [load["cmd"] for load in master.requests].count("_pillar") > 1)
    assert (made.call_data.has_pillar, notes.get(0.0)) == (False, None)


def test_a_returning_master_gets_no_second_start_event(connection, master, supervisor):
    made = connection(recon_default=10, recon_max=0, retry_dns=0.01)
    made.first.get(timeout=30)
    hub_until(lambda: fired(master, "salt/minion/m1/start"))

    made.session.channel.forget()
    master.network.subscribers.clear()
    hub_until(lambda: made.session.connections == 2)

    assert len(fired(master, "salt/minion/m1/start")) == 1
    assert made.first.empty()
