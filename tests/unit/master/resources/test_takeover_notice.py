"""Notices that resources are free: their recipients and times, with a manual clock."""

import gevent
import gevent.queue
import pytest

from salt_g.errors import WireError
from salt_g.master.resources.claim_checks import ClaimRules
from salt_g.master.resources.granted_leases import GrantedLeases
from salt_g.master.resources.ownership import Ownership
from salt_g.master.resources.registry import Record, ResourceRegistry
from salt_g.master.resources.takeover_notice import TAG, TakeoverNotice
from salt_g.resource_model.srn import Srn
from tests.support.waiting import hub_until


class World:
    """A registry whose resources are held by gw1, with gw2 and gw3 on standby."""

    def __init__(self, length=30.0):
        self.now = 1000.0
        self.registry = ResourceRegistry()
        self.leases = GrantedLeases(length, clock=lambda: self.now)
        self.ownership = Ownership(
            self.registry, self.leases, lambda id: ClaimRules((), (), {}, ("*",), 10), is_shared=False
        )
        self.notice = TakeoverNotice(self.registry, self.leases, self.ownership)
        for id, standby in (("d-1", ("gw3", "gw2")), ("d-2", ("gw2",)), ("d-3", ())):
            self.registry.add(Record(Srn("dummy", id), "gw1", standby))
        self.leases.restart(("gw1", "gw2", "gw3"))


@pytest.fixture
def world():
    return World()


def test_no_minion_is_notified_while_the_holder_lives(world):
    assert world.notice.heirs() == []


def test_minions_on_standby_are_notified_once_when_a_lease_ends(world):
    world.now += 20
    world.leases.restart(("gw2", "gw3"))
    world.now += 11

    assert [world.notice.heirs(), world.notice.heirs()] == [["gw2", "gw3"], []]


def test_minions_without_leases_are_not_notified(world):
    world.now += 20
    world.leases.restart(("gw2",))
    world.now += 11

    assert world.notice.heirs() == ["gw2"]


def test_a_holder_that_came_back_and_is_lost_again_is_news(world):
    world.now += 31
    world.leases.restart(("gw2", "gw3"))
    assert world.notice.heirs() == ["gw2", "gw3"]

    world.leases.restart(("gw1", "gw2", "gw3"))
    assert world.notice.heirs() == []
    world.now += 31
    world.leases.restart(("gw2", "gw3"))
    assert world.notice.heirs() == ["gw2", "gw3"]


def test_a_holder_without_leases_is_never_lost(world):
    world.leases.set_unlimited("gw1")
    world.now += 10**6
    world.leases.restart(("gw2", "gw3"))

    assert world.notice.heirs() == []


def test_the_new_holder_is_reported_when_the_lease_of_a_revoked_one_ends(world):
    record = world.registry.find("dummy:d-2")
    world.ownership.fence("gw1")
    world.registry.assign(record, "gw2", ())
    for other in ("dummy:d-1", "dummy:d-3"):
        world.registry.drop(world.registry.find(other))
    assert world.notice.heirs() == []

    world.now += 20
    world.leases.restart(("gw2",))
    world.now += 10

    assert [world.notice.heirs(), world.notice.heirs()] == [["gw2"], []]


@pytest.fixture
def run():
    """Yield a function that runs the watcher of free resources.

    It returns the world, and the notices sent, by minion.
    """
    greenlets = []

    def begin(problem=None):
        # A short lease is looked at often; it ends only on the clock of the test.
        world = World(length=0.02)
        sent = gevent.queue.Queue()

        def send(job, ids):
            sent.put((job, list(ids)))
            if problem:
                raise problem

        world.now += 31
        world.leases.restart(("gw2", "gw3"))
        greenlets.append(gevent.spawn(world.notice.run, send))
        return world, *sent.get(timeout=30)

    yield begin
    gevent.killall(greenlets)


def test_a_notice_makes_the_heirs_renew_and_its_returns_are_known(run):
    world, job, ids = run()

    assert ids == job["tgt"] == ["gw2", "gw3"]
    assert (job["fun"], job["arg"], job["tgt_type"], job["ret"]) == ("event.fire", [{}, TAG], "list", "")
    assert world.notice.is_message(job["jid"])
    assert not world.notice.is_message("20260102030405678901")
    assert not world.notice.is_message(None)


@pytest.mark.parametrize("problem", [WireError("too large"), OSError("no buffer")])
def test_a_notice_that_cannot_be_sent_is_logged(run, caplog, problem):
    run(problem)
    hub_until(lambda: caplog.text)

    assert "2 minions not notified of free resources" in caplog.text
