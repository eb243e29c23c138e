"""Orders: minions that get the job now, and minions it is kept for."""

import pytest

from salt_g.cache.jobs import Jobs
from salt_g.cache.mail import Mail, MailLimits
from salt_g.errors import TargetError
from salt_g.event.bus import Bus
from salt_g.master.calls.authorization import Allowed
from salt_g.master.mailbox.mailbox import LONGEST, Mailbox
from salt_g.master.mailbox.order_sealing import OrderSealing
from salt_g.master.publishing.target_resolution import ResolvedTarget

STANDING = {"user": "ann", "proven": "ann", "module": "", "limits": None}
ANN = Allowed("ann", standing=STANDING)
IDS = {"*": ["m1", "m2", "s1"], "nobody": [], "N@x": ["m1"]}


class Publisher:
    def __init__(self):
        self.loads, self.error, self.locked, self.guarded = [], "", "", ""

    def publish(self, load, *, user, uid):
        self.loads.append(load)
        if self.error:
            return {"error": self.error}
        return {"jid": load.get("jid"), "minions": load["tgt"], "missing": []}

    def why_guarded(self, load, number):
        return self.guarded

    def why_locked(self, fun, arg, names, **job):
        return self.locked

    def shown_arguments(self, arg):
        return ["<hidden>" for _ in arg]


class Targets:
    def resolve_all(self, tgt, tgt_type, *, delimiter):
        if tgt not in IDS:
            raise TargetError(f"{tgt} is no target")
        return ResolvedTarget(IDS[tgt])


class Delivery:
    def __init__(self):
        self.letters = []

    def expect(self, letters):
        self.letters += letters


class Office:
    def __init__(self, store, key):
        self.mail = Mail(store, OrderSealing(key))
        self.publisher, self.delivery = Publisher(), Delivery()
        self.connected, self.now = {"m1", "s1"}, 1000.0
        self.mailbox = Mailbox(
            self.mail,
            self.delivery,
            limits=MailLimits(4, 10_000),
            jobs=Jobs(store),
            bus=Bus(),
            publisher=self.publisher,
            targets=Targets(),
            connected=lambda: self.connected,
            drops_repeated=lambda id: id != "s1",
            now=lambda: self.now,
        )

    def order(self, tgt="*", seconds=60, allowed=ANN, **more):
        kwargs = {"when_back": seconds, **more.pop("kwargs", {})}
        load = {"fun": "state.apply", "arg": ["web"], "tgt": tgt, "kwargs": kwargs, **more}
        return self.mailbox.order(load, allowed, 1000)


@pytest.fixture
def office(store, master_key):
    return Office(store, master_key)


def test_connected_minions_get_the_job_now_and_it_is_kept_for_the_others(office):
    reply = office.order()

    (load,) = office.publisher.loads
    assert (load["tgt"], load["tgt_type"], load["jid"]) == (["m1", "s1"], "list", reply["order"])
    assert (reply["minions"], reply["kept"], reply["until"]) == (["m1", "s1"], ["m2"], 1060.0)
    letters = {one.minion: one.jid for one in office.mail.letters(reply["order"])}
    # A minion of stock would run it twice.
    assert letters == {"m1": reply["order"], "m2": ""}
    assert {one.minion for one in office.delivery.letters} == {"m1", "m2"}


def test_nothing_is_published_while_all_are_away(office):
    office.connected = set()

    reply = office.order()

    assert (office.publisher.loads, reply["jid"], reply["minions"]) == ([], "", [])
    assert reply["kept"] == ["m1", "m2", "s1"]


def test_an_order_holds_no_password(office):
    office.order(kwargs={"password": "x", "token": "y", "metadata": {"a": 1}}, key="z", token="y")

    (order,) = office.mail.orders()
    assert order.load["kwargs"] == {"metadata": {"a": 1}}
    assert not {"key", "token", "password"} & order.load.keys()
    assert order.load["standing"] == STANDING


def test_a_job_that_was_not_published_is_not_kept(office):
    office.publisher.error = "no"

    assert office.order()["error"] == "no"
    assert list(office.mail.orders()) == []


def test_a_job_on_a_locked_minion_is_refused_and_not_kept(office):
    office.publisher.locked = "m2 is locked by bob"

    assert office.order()["error"] == "The job was not published: m2 is locked by bob"
    assert (list(office.mail.orders()), office.publisher.loads) == ([], [])


@pytest.mark.parametrize("seconds", [0, -1, True, "7d", None, LONGEST + 1, float("nan"), float("inf")])
def test_an_invalid_time_is_refused(office, seconds):
    assert "when_back must be a number of seconds" in office.order(seconds=seconds)["error"]
    assert list(office.mail.orders()) == []


def test_a_target_that_cannot_be_resolved_is_refused(office):
    assert "web is no target" in office.order("web")["error"]


def test_a_nodegroup_is_resolved(office):
    assert office.order("x", tgt_type="nodegroup")["minions"] == ["m1"]


def test_a_target_without_minions_is_reported_as_without_the_mailbox(office):
    office.order("nobody")

    assert office.publisher.loads[0]["tgt"] == "nobody"
    assert list(office.mail.orders()) == []


def test_a_full_mailbox_refuses_in_words(office):
    office.connected = set()
    office.order()

    problem = office.order(fun="test.ping")["error"]

    assert problem == (
        "The job was not published: 6 jobs would wait, but mailbox_jobs allows 4; `salt-g mailbox list` shows"
        " the orders"
    )


def test_the_guard_of_rollouts_refuses_an_order_too(office):
    office.connected = set()
    office.publisher.guarded = "state.apply on 2 minions at once"

    assert "state.apply on 2 minions at once" in office.order()["error"]
    assert list(office.mail.orders()) == []


def test_the_same_order_again_takes_the_place_of_the_older_one(office):
    office.connected = set()
    first, second = office.order()["order"], office.order()["order"]

    assert [one["order"] for one in office.mailbox.orders()] == [second] != [first]


def test_users_see_and_drop_their_own_orders(office):
    order = office.order()["order"]

    assert office.mailbox.orders("/bob") == []
    (shown,) = office.mailbox.orders("/ann")
    assert (shown["order"], shown["user"], shown["waiting"]) == (order, "ann", ["m2"])
    assert (shown["sent"], shown["arg"]) == ({"m1": order}, ["<hidden>"])
    assert [office.mailbox.drop(order, owner) for owner in ("/bob", "/ann", None)] == [0, 2, 0]
