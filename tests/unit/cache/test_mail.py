"""Letters of the mailbox: kept, replaced, claimed once, removed."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.mail import PAGE, Letter, Mail, MailLimits, Order
from salt_g.cache.operation import Operation
from salt_g.master.mailbox.order_sealing import OrderSealing

LIMITS = MailLimits(10, 10_000)


@pytest.fixture
def mail(store, master_key):
    return Mail(store, OrderSealing(master_key))


def for_minions(order, *minions):
    return order._replace(minions=frozenset(minions))


def order(id, *, until=200.0, digest="d", owner="/ann", **load):
    return Order(id, 100.0, until, digest, owner, {"fun": "test.ping", **load})


def add(mail, id, *minions, limits=LIMITS, jid="", **more):
    return mail.add(order(id, **more), [Letter(one, id, jid) for one in minions], limits).result(30)


def test_orders_come_back_as_they_were_the_oldest_first(mail):
    add(mail, "2", "m1", digest="e", arg=[{"a": b"\x00"}])
    add(mail, "1", "m2", "m1")

    assert list(mail.orders()) == [
        for_minions(order("1"), "m1", "m2"),
        for_minions(order("2", digest="e", arg=[{"a": b"\x00"}]), "m1"),
    ]
    assert mail.letters("1") == [Letter("m1", "1", ""), Letter("m2", "1", "")]
    assert mail.first_of("m1") == Letter("m1", "1", "")
    assert mail.minions() == {"m1", "m2"}
    assert mail.order("9") is None and mail.first_of("m9") is None


def test_the_same_order_again_replaces_the_older_one_for_its_minions(mail):
    add(mail, "1", "m1", "m2")
    add(mail, "2", "m1")

    assert mail.first_of("m1").order == "2"
    assert mail.first_of("m2").order == "1"

    add(mail, "3", "m2")

    assert [one.id for one in mail.orders()] == ["2", "3"]


def test_orders_are_read_in_pages_also_those_of_one_owner(mail):
    ids = [f"{number:03}" for number in range(2 * PAGE + 1)]
    limits = LIMITS._replace(letters=1000, bytes=1_000_000)
    adding = [mail.add(order(id, owner="/bob"), [Letter(id, id, "")], limits) for id in ids]
    adding.append(mail.add(order("9"), [Letter("m9", "9", "")], limits))
    assert {added.result(30) for added in adding} == {""}

    assert [one.id for one in mail.orders()] == [*ids, "9"]
    assert [one.id for one in mail.orders("/bob")] == ids
    assert list(mail.orders("/eve")) == []


@pytest.mark.parametrize("other", [{"digest": "e"}, {"owner": "/bob"}])
def test_an_order_of_other_content_or_another_user_replaces_nothing(mail, other):
    add(mail, "1", "m1")
    add(mail, "2", "m1", **other)

    assert [one.id for one in mail.orders()] == ["1", "2"]


def test_an_order_already_sent_is_not_replaced(mail):
    add(mail, "1", "m1")
    assert mail.claim(Letter("m1", "1", ""), "J").result(30)

    add(mail, "2", "m1")

    assert mail.first_of("m1") == Letter("m1", "1", "J")


def test_a_letter_is_claimed_once(mail):
    add(mail, "1", "m1")
    letter = mail.first_of("m1")

    assert [mail.claim(letter, jid).result(30) for jid in ("J", "K")] == [True, False]
    assert not mail.claim(Letter("m9", "1", ""), "L").result(30)
    assert mail.first_of("m1").jid == "J"


def test_a_full_mailbox_refuses_an_order_and_keeps_what_it_has(mail):
    add(mail, "1", "m1", "m2")
    few = MailLimits(2, 10_000)

    assert "mailbox_jobs allows 2" in add(mail, "2", "m3", limits=few)
    assert "mailbox_bytes allows 300" in add(mail, "2", "m3", limits=MailLimits(10, 300), arg=["x" * 300])
    # One that takes the place of an older one needs no further room.
    assert add(mail, "3", "m1", "m2", limits=few) == ""

    assert [one.id for one in mail.orders()] == ["3"]


def test_an_order_refused_with_another_write_in_one_commit_takes_nothing_with_it(mail):
    first = mail.add(order("1"), [Letter("m1", "1", "")], LIMITS)
    second = mail.add(order("2", digest="e"), [Letter("m2", "2", "")], MailLimits(1, 10_000))
    third = mail.add(order("3", digest="f"), [Letter("m3", "3", "")], LIMITS)

    assert (first.result(30), bool(second.result(30)), third.result(30)) == ("", True, "")
    assert [one.id for one in mail.orders()] == ["1", "3"]


def test_the_last_letter_takes_its_order_along(mail):
    add(mail, "1", "m1", "m2")

    mail.remove([Letter("m1", "1", "")]).result(30)
    assert mail.order("1") is not None

    mail.forget("m2").result(30)
    assert list(mail.orders()) == []


def test_an_order_is_removed_whole(mail):
    add(mail, "1", "m1", "m2")
    add(mail, "2", "m1", digest="e")

    mail.remove_order("1").result(30)

    assert [one.id for one in mail.orders()] == ["2"]
    assert mail.minions() == {"m1"}


def test_letters_are_done_when_their_return_is_stored(mail, store):
    add(mail, "1", "m1", "m2", jid="J")
    add(mail, "2", "m3", digest="e")
    Jobs(store).save_return({"jid": "J", "id": "m1", "return": True}).result(30)

    assert mail.returned() == [Letter("m1", "1", "J")]


def test_orders_expire_by_their_moment(mail):
    add(mail, "1", "m1", until=150.0)
    add(mail, "2", "m1", until=151.0, digest="e")

    assert mail.expired(149.9) == []
    assert mail.expired(150.0) == [Letter("m1", "1", "")]


@pytest.mark.parametrize("change", ["until = 9e9", "owner = '/root'", "load = x'80'", "digest = 'e'"])
def test_an_order_that_another_program_changed_is_none(mail, store, change, caplog):
    def apply(connection, items):
        if isinstance(store, EmbeddedStore) or "x'80'" not in change:
            connection.execute(f"UPDATE orders SET {change}")
        else:
            connection.execute("UPDATE orders SET load = ?", (b"\x80",))
        return items

    add(mail, "1", "m1")
    store.write(Operation("forge", 5, apply), None).result(30)

    assert mail.order("1") is None and list(mail.orders()) == []
    assert "order 1 in" in caplog.text


def test_an_order_sealed_by_another_key_pair_is_ignored(mail, store, other_key):
    add(mail, "1", "m1")

    assert list(Mail(store, OrderSealing(other_key)).orders()) == []


def test_one_owner_with_a_share_leaves_room_for_others(mail):
    limits = MailLimits(8, 10_000, share=0.25)
    add(mail, "1", "m1", "m2", limits=limits)

    assert "3 jobs of one user would wait, but the limit is 25% of mailbox_jobs" in add(
        mail, "2", "m3", digest="e", limits=limits
    )
    assert "25% of mailbox_bytes" in add(mail, "3", "m3", owner="/eve", limits=limits, arg=["x" * 3000])
    assert add(mail, "4", "m3", owner="/bob", limits=limits) == ""
    assert add(mail, "5", "m3", digest="e") == ""


def test_orders_can_be_left_out(mail):
    for id in ("1", "2", "3"):
        add(mail, id, "m1", digest=id)

    assert mail.first_of("m1", {"1", "2"}).order == "3"
    assert mail.first_of("m1", {"1", "2", "3"}) is None
