"""The event bus of the local minion, followed by a program as by a user's engine."""

import os
import tempfile
import types

import gevent
import pytest

from salt_g.client.event_bus import LocalEventBus
from salt_g.client.minion_link import MinionLink
from salt_g.compat.utils.calls.event import MinionEvent, get_event
from salt_g.errors import MasterUnreachable
from salt_g.minion.bus import MinionBus
from salt_g.minion.settings import BusSettings
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until


@pytest.fixture
def minion(open_directory):
    """Yield the bus of a minion, served on its sockets, and the settings with which programs find it."""
    opts = {"id": "m1", "sock_dir": tempfile.mkdtemp(dir=open_directory)}
    supervisor = Supervisor("test")
    bus = MinionBus(BusSettings.of(opts), supervisor=supervisor)
    bus.start()
    yield types.SimpleNamespace(opts=opts, bus=bus)
    bus.stop()
    supervisor.stop()


def beside(function, *args, **kwargs):
    """Call a function of the program in a thread, beside the minion's greenlets."""
    return gevent.get_hub().threadpool.spawn(function, *args, **kwargs)


def next_event(events, fire):
    """Return the next event, fired until the minion has accepted the program's connection."""
    reading = beside(events.get_event, wait=60, tag="mine", full=True)
    hub_until(lambda: fire() and reading.ready(), seconds=60)
    return reading.get()


@pytest.mark.parametrize("listen", [lambda opts: get_event("minion", opts=opts, listen=True), MinionEvent])
def test_a_program_fires_and_reads_events_of_the_minion(minion, listen):
    with listen(minion.opts) as events:
        watch = minion.bus.watch("mine")
        beside(events.fire_event, {"n": 1}, "mine/1").get(timeout=60)

        assert watch.get(60).data["n"] == 1
        assert next_event(events, lambda: minion.bus.fire("mine/2", {}))["tag"].startswith("mine/")


def test_the_end_of_the_minion_is_reported(minion):
    with LocalEventBus(minion.opts, link=MinionLink(minion.opts)) as events:
        next_event(events, lambda: minion.bus.fire("mine", {}))

        minion.bus.stop()

        with pytest.raises(MasterUnreachable, match="m1 has closed its event bus"):
            beside(events.get_event, wait=60, tag="yours").get(timeout=60)


def test_where_no_minion_runs_its_socket_is_named(open_directory):
    opts = {"id": "m1", "sock_dir": os.path.join(open_directory, "none")}

    with pytest.raises(MasterUnreachable, match=r"m1 is not running .*minion_event_\w+_pub"):
        get_event("minion", opts=opts)


def test_a_minion_takes_no_commands_on_its_bus(minion):
    link = MinionLink(minion.opts)

    with pytest.raises(MasterUnreachable, match="accepts no commands"):
        link.ask({"cmd": "publish"}, timeout=1)

    link.close()
