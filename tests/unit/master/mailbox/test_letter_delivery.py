"""Delivery of letters to minions: in order and once; moments are arguments."""

import pytest

from salt_g.cache.jobs import Jobs
from salt_g.cache.mail import Letter, Mail, MailLimits, Order
from salt_g.cache.operation import Operation
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import NotAuthorized
from salt_g.master.mailbox.letter_delivery import FULL, LOST, PATIENCE, ROUNDS, SETTLED, Delivery
from salt_g.master.mailbox.order_sealing import OrderSealing


class Clock:
    def __init__(self, time):
        self.time = time

    def __call__(self):
        return self.time


class Master:
    """A mailbox in a store; `sent` has (order, minion, jid, whether it was announced before)."""

    def __init__(self, store, key):
        self.mail, self.jobs = Mail(store, OrderSealing(key)), Jobs(store)
        self.store = store
        self.connected, self.stock, self.named = set(), set(), set()
        self.sent, self.refused, self.problem = [], {}, ""
        self.locked = {}
        self.clock, self.epoch = Clock(100.0), Clock(1000.0)
        self.bus = Bus()
        self.events = self.bus.watch()
        self.restart()

    def restart(self):
        self.delivery = Delivery(
            self.mail,
            self.jobs,
            bus=self.bus,
            connected=lambda: set(self.connected),
            named=lambda ids: ids & self.named,
            drops_repeated=lambda id: id not in self.stock,
            check=self.check,
            publish=self.publish,
            clock=self.clock,
            now=self.epoch,
        )

    def check(self, order, minion):
        if order.id in self.refused:
            raise NotAuthorized({}, self.refused[order.id])
        return self.locked.get(minion, "")

    def publish(self, order, minion, jid, is_repeated):
        if not self.problem:
            self.sent.append((order.id, minion, jid, is_repeated))
        return self.problem

    def keep(self, id, *minions, until=2000.0, jid=""):
        letters = [Letter(one, id, jid) for one in minions]
        order = Order(id, 1000.0, until, f"digest {id}", "/ann", {"fun": "test.ping"})
        assert self.mail.add(order, letters, MailLimits(100, 10_000)).result(30) == ""
        self.delivery.expect(letters)

    def sign_in(self, *minions):
        for minion in minions:
            self.connected.add(minion)
            self.delivery.note_sign_in(minion)

    def after(self, seconds):
        self.clock.time += seconds
        self.delivery.deliver()

    def returns(self, number=-1):
        _, minion, jid, _ = self.sent[number]
        self.jobs.save_return({"jid": jid, "id": minion, "return": True}).result(30)


@pytest.fixture
def master(store, master_key):
    master = Master(store, master_key)
    master.delivery.deliver()
    return master


def orders(master):
    return [(order, minion) for order, minion, _, _ in master.sent]


def moments(master):
    return [event.tag.split("/")[-1] for event in iter(master.events.take, None)]


def test_a_minion_that_is_back_gets_its_letters_in_order_each_after_the_last_has_returned(master):
    master.keep("1", "m1")
    master.keep("2", "m1", "m2")
    master.after(FULL)
    assert master.sent == []

    master.sign_in("m1")
    master.after(1)
    master.after(1)
    assert orders(master) == [("1", "m1")]

    master.returns()
    master.after(1)
    assert orders(master) == [("1", "m1"), ("2", "m1")]

    master.returns()
    master.after(1)
    assert [one.minion for one in master.mail.letters("2")] == ["m2"]


def test_a_minion_of_salt_g_gets_it_again_with_the_same_jid_until_it_returned(master):
    master.keep("1", "m1")
    master.sign_in("m1")
    master.after(1)

    for pause in (*ROUNDS, FULL, FULL):
        master.after(pause + 0.1)
    assert len(master.sent) == 1 + len(ROUNDS)

    master.sign_in("m1")
    master.after(1)
    assert len({jid for _, _, jid, _ in master.sent}) == 1
    assert [again for _, _, _, again in master.sent] == [False, *[True] * (1 + len(ROUNDS))]

    master.returns()
    master.after(1)
    master.sign_in("m1")
    master.after(FULL)
    assert len(master.sent) == 2 + len(ROUNDS)
    assert list(master.mail.orders()) == []


def test_a_minion_that_stays_connected_gets_it_again_as_long_as_it_has_not_returned(master):
    master.keep("1", "m1")
    master.sign_in("m1")
    master.after(1)

    for pause in (*ROUNDS, *[ROUNDS[-1]] * 3):
        master.after(pause + 0.1)

    assert len(master.sent) == 1 + len(ROUNDS) + 3


def test_a_master_that_starts_anew_sends_what_was_claimed_and_not_returned(master):
    master.keep("1", "m1")
    assert master.mail.claim(master.mail.first_of("m1"), "20260102030405678901").result(30)
    master.connected.add("m1")

    master.restart()
    master.after(0)

    assert master.sent == [("1", "m1", "20260102030405678901", True)]


def test_a_master_that_starts_anew_sends_nothing_that_has_returned(master):
    master.keep("1", "m1")
    master.sign_in("m1")
    master.after(1)
    master.returns()

    master.restart()
    master.after(0)

    assert len(master.sent) == 1
    assert list(master.mail.orders()) == []


def test_a_minion_of_stock_gets_it_once_and_only_when_it_has_settled(master):
    master.stock.add("s1")
    master.keep("1", "s1")
    master.keep("2", "s1")
    master.sign_in("s1")
    master.after(1)
    assert master.sent == []
    master.after(SETTLED)
    assert orders(master) == [("1", "s1")]
    for _ in range(4):
        master.after(FULL)

    # It came back without a return of the first, which it may have run.
    master.sign_in("s1")
    master.after(SETTLED + 1)

    assert orders(master) == [("1", "s1"), ("2", "s1")]
    assert moments(master) == ["delivered", "dropped", "delivered"]


def test_the_start_event_spares_a_minion_of_stock_the_wait(master):
    master.stock.add("s1")
    master.keep("1", "s1")
    master.sign_in("s1")

    master.delivery.note_started("s1")
    master.after(0)

    assert orders(master) == [("1", "s1")]


def test_a_minion_wrongly_seen_as_connected_gets_the_job_when_it_is_back(master):
    master.connected.add("m1")
    master.keep("1", "m1", jid="J")
    master.after(1)
    assert master.sent == []

    master.connected.clear()
    master.after(FULL)
    master.sign_in("m1")
    master.after(1)

    assert master.sent == [("1", "m1", "J", True)]


def test_an_order_whose_time_is_over_is_not_delivered(master):
    master.keep("1", "m1", until=1500.0)
    master.keep("2", "m1")
    master.epoch.time = 1500.0
    master.sign_in("m1")

    master.after(1)

    assert orders(master) == [("2", "m1")]
    assert moments(master) == ["expired", "delivered"]


def test_orders_expire_while_no_minion_connects(master):
    master.keep("1", "m1", "m2", until=1500.0)
    master.epoch.time = 1501.0

    master.after(FULL)

    assert list(master.mail.orders()) == []
    (event,) = iter(master.events.take, None)
    assert (event.tag, event.data["minions"]) == ("salt/mailbox/1/expired", ["m1", "m2"])


def test_rights_that_were_lost_meanwhile_refuse_the_order(master):
    master.keep("1", "m1")
    master.keep("2", "m1")
    master.refused["1"] = "ann has no rights any more"
    master.sign_in("m1")

    master.after(1)

    assert orders(master) == [("2", "m1")]
    assert moments(master) == ["refused", "delivered"]


@pytest.mark.parametrize("is_stock", [False, True])
def test_a_lock_holds_an_order_up_until_it_is_over(master, is_stock):
    master.stock.update(["m1"] if is_stock else [])
    master.keep("1", "m1")
    master.locked["m1"] = "m1 is locked by bob"
    master.sign_in("m1")
    master.after(SETTLED + 1)
    master.after(FULL)
    assert master.sent == [] and master.mail.first_of("m1").jid == ""

    master.locked.clear()
    master.after(FULL)

    assert orders(master) == [("1", "m1")]


def test_a_minion_not_seen_since_a_crash_gets_it_by_the_name_of_its_connection(master):
    master.keep("1", "m1", "m2")
    master.restart()
    master.named.add("m1")

    master.after(0)
    master.after(1)

    assert orders(master) == [("1", "m1")]


def test_a_job_that_cannot_be_published_is_tried_again(master):
    master.keep("1", "m1")
    master.problem = "the disk is full"
    master.sign_in("m1")
    master.after(1)

    master.problem = ""
    master.after(ROUNDS[0])

    assert orders(master) == [("1", "m1")]


def test_a_removed_key_takes_its_letters_along(master):
    master.keep("1", "m1", "m2")

    master.delivery.forget("m1")
    master.sign_in("m1", "m2")
    master.after(1)

    assert orders(master) == [("1", "m2")]


def test_an_arrival_without_a_connection_is_forgotten(master):
    master.keep("1", "s1")
    master.stock.add("s1")
    master.delivery.note_sign_in("s1")
    master.after(LOST + 1)

    master.connected.add("s1")
    master.after(FULL)

    assert master.sent == []


def test_without_letters_sign_ins_leave_nothing_behind(master):
    for number in range(100):
        master.sign_in(f"m{number}")

    assert (master.delivery._arrived, master.delivery._pause()) == ({}, None)


def test_a_letter_that_another_program_wrote_is_refused(master):
    def forge(connection, items):
        connection.execute("INSERT INTO mail (minion, order_id, jid) VALUES ('m2', '1', '')")
        return items

    master.keep("1", "m1")
    master.store.write(Operation("forge", 5, forge), None).result(30)
    master.restart()
    master.connected.add("m2")
    master.after(FULL)

    assert (master.sent, moments(master)) == ([], ["refused"])
    assert [one.minion for one in master.mail.letters("1")] == ["m1"]


def test_a_job_that_does_not_end_holds_later_letters_up_for_an_hour_only(master):
    master.keep("1", "m1")
    master.keep("2", "m1")
    master.sign_in("m1")
    master.after(1)

    master.after(PATIENCE - 2)
    before = {order for order, *_ in master.sent}
    master.after(FULL)
    master.after(FULL)
    after = [order for order, *_ in master.sent][-1]
    master.returns()
    master.after(FULL)
    master.jobs.save_return({"jid": master.sent[0][2], "id": "m1", "return": True}).result(30)
    master.after(FULL)
    master.after(FULL)

    assert (before, after) == ({"1"}, "2")
    assert master.mail.minions() == set()


def test_a_new_sign_in_delivers_the_skipped_letter(master):
    master.keep("1", "m1")
    master.keep("2", "m1")
    master.sign_in("m1")
    master.after(1)
    master.after(PATIENCE)
    master.after(1)
    master.sign_in("m1")
    master.after(1)

    assert [order for order, *_ in master.sent][-2:] == ["2", "1"]


def test_a_letter_that_fails_holds_up_no_other_minion(master, caplog):
    whole = master.publish

    def publish(order, minion, jid, is_repeated):
        if minion == "m1":
            raise ValueError("a bad letter")
        return whole(order, minion, jid, is_repeated)

    master.publish = publish
    master.restart()
    master.keep("1", "m1", "m2")
    master.sign_in("m1", "m2")
    master.after(1)

    assert [minion for _, minion, *_ in master.sent] == ["m2"]
    assert "a letter for m1 could not be delivered" in caplog.text
