"""The link of clients with an event bus in their own process."""

from salt_g.client.bus_link import BusLink
from salt_g.event.bus import Bus


def link_on(bus, reply=None):
    return BusLink(lambda load, timeout: reply, bus, name="link")


def test_a_client_that_only_sends_requests_is_no_subscriber_of_the_bus():
    bus = Bus()
    link = link_on(bus, {"load": {"jid": "20261120000000000001"}})

    link.ask({"cmd": "publish"}, timeout=1)

    assert not bus.subscriptions


def test_events_arrive_from_the_subscription_on():
    bus = Bus()
    link = link_on(bus)

    link.subscribe("salt/job/1")
    bus.fire("salt/job/1/ret/m1", {})
    bus.fire("salt/job/2/ret/m1", {})

    assert link.next_event(1).tag == "salt/job/1/ret/m1"
    assert link.next_event(0.0) is None


def test_events_of_a_job_before_its_reply_are_received():
    bus = Bus()
    jid = "20261120000000000001"

    def answer(load, timeout):
        bus.fire(f"salt/job/{jid}/ret/m1", {})
        return {"load": {"jid": jid}}

    link = BusLink(answer, bus, name="link")
    link.ask({"cmd": "publish"}, timeout=1, follow=True)

    assert link.next_event(1).tag == f"salt/job/{jid}/ret/m1"


def test_a_closed_link_leaves_the_bus():
    bus = Bus()
    link = link_on(bus)
    link.subscribe("salt/")

    link.close()

    assert not bus.subscriptions
