"""Registrations decided by one of several masters, with memory in place of a database."""

from types import SimpleNamespace

import pytest

from salt_g.cluster.shared_resources import DECISION, QUESTION, SharedResourceTable
from salt_g.event.bus import Bus
from salt_g.master.cluster import shared_registration
from salt_g.master.cluster.shared_registration import SharedRegistration
from salt_g.master.resources.facade import Resources
from salt_g.master.settings import MasterResourceSettings
from salt_g.process.supervisor import Supervisor
from salt_g.transport.protocols import Postponed
from tests.support.waiting import hub_until

OPTS = {
    "id": "main",
    "nodegroups": {},
    "minion_data_cache": True,
    "minion_data_cache_events": False,
    "resource_lease": 30,
    "resource_managers": "one",
    "resource_acl": {"gw*": ["thing:*"]},
    "resource_pillar_key": "resources",
    "resources_max_per_minion": 5,
}
PILLAR = {"resources": {"thing": {"resource_ids": ["a", "b"]}}}
LOAD = {"resources": {"thing": ["a", "b"]}, "resource_grains": {"thing:a": {"os": "x"}}, "leases": True}


class Database:
    """Data shared by masters: the lead, the rows, and the log, which each master reads at once."""

    def __init__(self):
        self.leader, self.epoch = "a", 1
        self.rows, self.grains = {}, {}
        self.masters = {}

    def announce(self, sender, kind, name, body):
        for id, one in self.masters.items():
            if id != sender:
                one.handlers()[kind](name, body)


class Table(SharedResourceTable):
    def __init__(self, database, id):
        super().__init__(None)
        self.database, self.id = database, id

    def rows(self):
        return iter(list(self.database.rows.values()))

    def grains(self):
        return iter(())

    def decide(self, decision):
        if (decision.master, decision.epoch) != (self.database.leader, self.database.epoch):
            return False
        self.database.rows.update((row.srn, row) for row in decision.changes.rows)
        for srn in decision.changes.gone:
            self.database.rows.pop(srn, None)
        self.database.announce(self.id, DECISION, decision.name, decision.body)
        return True


class Keys:
    def accepted(self):
        return frozenset(("gw1", "gw2"))

    known = accepted


def master(database, id, supervisor):
    table = Table(database, id)
    resources = Resources(
        MasterResourceSettings.of(OPTS),
        keys=Keys(),
        table=table,
        bus=Bus(),
        compiling=None,
        known=lambda id: ({}, PILLAR),
    )
    membership = SimpleNamespace(
        id=id,
        member=SimpleNamespace(epoch=1),
        is_leader=lambda: database.leader == id,
        led_epoch=1,
    )
    log = SimpleNamespace(announce=lambda *row: database.announce(id, *row), ring=lambda: None)
    one = SharedRegistration(resources, table, membership, log, Keys())
    one.resources, one.membership = resources, membership
    database.masters[id] = one
    supervisor.spawn(one.run, name=id)
    return one


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def database():
    return Database()


@pytest.fixture
def pair(database, supervisor):
    return [master(database, id, supervisor) for id in ("a", "b")]


def ask(one, id, command="_register_resources", load=LOAD):
    return one.commands()[command].run(SimpleNamespace(id=id), load)


def test_the_leader_decides_for_the_minion_of_another_master_and_both_know_it(pair):
    a, b = pair

    answer = ask(b, "gw1")

    assert sorted(answer["leases"]) == ["thing:a", "thing:b"]
    for one in (a, b):
        assert sorted(one.resources.list("thing", "gw1")) == ["thing:a", "thing:b"]
        assert one.resources.show("thing:a")["grains"] == {"os": "x"}
        assert one.resources.leases.takes_leases("gw1")
        assert one.resources.times_registered("gw1") == 1


def test_a_resource_has_one_holder_whichever_masters_are_asked(pair):
    a, b = pair
    ask(a, "gw1")

    answer = ask(b, "gw2")

    assert (answer["leases"], sorted(answer["standby"])) == ({}, ["thing:a", "thing:b"])
    assert a.resources.show("thing:a")["standby"] == ["gw2"]


def test_the_next_leader_begins_all_leases_anew(pair, database):
    a, b = pair
    ask(a, "gw1")
    ask(b, "gw2")
    b.resources.leases.end("gw1")
    database.leader, database.epoch, b.membership.led_epoch = "b", 2, 2

    answer = ask(b, "gw2", "_renew_resources", {})

    assert answer["leases"] == {}
    assert sorted(ask(a, "gw1", "_renew_resources", {})["leases"]) == ["thing:a", "thing:b"]


def test_a_former_leader_answers_no_minion(pair, database, monkeypatch):
    a, _ = pair
    monkeypatch.setattr(shared_registration, "PATIENCE", 0.05)
    a.membership.is_leader = lambda: True
    database.leader, database.epoch = "nobody", 7

    with pytest.raises(Postponed):
        ask(a, "gw1")
    assert database.rows == {}


def test_a_minion_without_a_key_is_refused_at_its_own_master(pair):
    _, b = pair

    with pytest.raises(Exception, match="the key of other was revoked"):
        ask(b, "other")


def test_the_resources_of_a_removed_minion_are_gone_everywhere(pair):
    a, b = pair
    ask(b, "gw1")

    b.forget("gw1")
    hub_until(lambda: not a.resources.list() and not b.resources.list())
    assert QUESTION in a.handlers()


def test_a_minion_without_resources_is_answered_by_its_own_master(pair, database):
    _, b = pair
    database.leader = "nobody"

    assert ask(b, "gw1", load={"resources": {}}) is True
    assert b.resources.times_registered("gw1") == 1


def test_all_masters_learn_that_a_minion_gives_up_its_resources(pair):
    a, b = pair
    ask(b, "gw1")

    ask(b, "gw1", load={"resources": {}, "leases": True})

    assert a.resources.list() == b.resources.list() == {}
