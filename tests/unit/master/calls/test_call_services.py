"""Services of calls on the master: a client on behalf of a user, and the parts of the daemon."""

import os

import pytest

from salt_g.config.registry import defaults
from salt_g.event.bus import Bus
from salt_g.master.calls.call_services import CallServices


@pytest.fixture
def services(tmp_path):
    """Return services of a master's calls.

    `.answered` are the loads and callers that reached its handlers, `.bus` is their bus.
    """
    opts = {**defaults("master"), "id": "master", "cachedir": str(tmp_path), "user": "salt"}
    answered = []

    def answer(load, caller):
        answered.append((load, caller))
        return {"load": {"jid": "20260102030405678901", "minions": ["m1"]}}

    bus = Bus()
    made = CallServices(opts, answer=answer, bus=bus, jobs="the job cache", services={"banks": "the banks"})
    made.answered, made.bus = answered, bus
    return made


def test_a_client_publishes_without_a_socket_in_the_name_of_its_user(services):
    with services.client("fred") as client:
        assert client.cmd_async("*", "test.ping") == "20260102030405678901"

    load, caller = services.answered[0]
    assert (load["cmd"], load["fun"], load["user"]) == ("publish", "test.ping", "fred")
    assert (caller.address, caller.uid) == ("", os.geteuid())


def test_a_call_of_the_master_itself_has_its_parts_and_the_masters_user(services):
    context = services.context("the calls")

    offered = context.services
    assert (offered.job_cache, offered.calls, offered.banks) == ("the job cache", "the calls", "the banks")
    with offered.client as client:
        client.cmd_async("*", "test.ping")
    assert services.answered[0][0]["user"] == "salt"


def test_a_call_that_publishes_nothing_is_not_a_subscriber(services):
    services.context("the calls")

    assert services.bus.subscriptions == ()
