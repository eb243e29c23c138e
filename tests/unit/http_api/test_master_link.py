"""The connection to the master, with the master's own server at the other end."""

import gevent.event
import pytest

from salt_g.errors import ClientError, MasterUnreachable, TargetError
from salt_g.event.bus import Bus
from salt_g.http_api.master_link import SOCKET, MasterLink
from salt_g.master.calls.front_end import FrontEndServer
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until


@pytest.fixture
def supervisor():
    made = Supervisor("test")
    yield made
    made.stop()


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def serve(tmp_path, bus, supervisor):
    def answer(load, caller):
        if load["cmd"] == "fail":
            raise TargetError("no such target")
        if load["cmd"] == "never":
            gevent.event.Event().wait()
        return [load["cmd"], caller.source]

    def start():
        server = FrontEndServer(
            str(tmp_path / SOCKET), answer=answer, bus=bus, supervisor=supervisor, user=""
        )
        server.start()
        return server

    return start


@pytest.fixture
def events():
    return []


@pytest.fixture
def gaps():
    return []


@pytest.fixture
def link(tmp_path, supervisor, events, gaps):
    made = MasterLink(
        str(tmp_path), supervisor=supervisor, on_event=events.append, on_gap=lambda: gaps.append(1)
    )
    made.start()
    yield made
    made.stop()


def test_orders_are_answered_and_events_arrive(serve, link, bus, events):
    server = serve()
    assert link.wait(30)

    assert link.ask({"cmd": "c"}, "192.0.2.7", 30) == ["c", "192.0.2.7"]
    link.fire("salt/netapi/hook", {"a": 1})
    hub_until(lambda: events, "the event")
    assert events[0].startswith(b"salt/netapi/hook")
    server.stop()


def test_errors_and_silence_are_reported(serve, link):
    server = serve()
    assert link.wait(30)

    with pytest.raises(ClientError, match="no such target"):
        link.ask({"cmd": "fail"}, "::1", 30)
    with pytest.raises(MasterUnreachable, match=r"within 0\.05 s"):
        link.ask({"cmd": "never"}, "::1", 0.05)
    server.stop()


def test_a_master_that_comes_back_is_found_and_leaves_a_gap(serve, link, gaps):
    with pytest.raises(MasterUnreachable, match="no master serves"):
        link.ask({"cmd": "c"}, "::1", 30)
    serve().stop()
    hub_until(lambda: not link.is_connected, "the end")
    server = serve()
    assert link.wait(30)

    assert link.ask({"cmd": "c"}, "::1", 30) == ["c", "::1"]
    assert gaps
    server.stop()


def test_events_that_the_master_dropped_leave_a_gap_where_they_are_missing(serve, link, bus, events, gaps):
    server = serve()
    assert link.wait(30)
    hub_until(lambda: bus.subscriptions, "the front end follows the events")
    gaps.clear()

    # At once: the connection has no turn meanwhile, and the master keeps 32 MiB for it.
    for number in range(60):
        bus.fire(f"salt/t/{number}", {"text": "x" * 900_000})

    hub_until(lambda: events and events[-1].startswith(b"salt/t/59"), "the last event")
    assert gaps == [1]
    assert len(events) < 60
    server.stop()
