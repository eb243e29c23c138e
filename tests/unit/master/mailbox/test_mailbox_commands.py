"""Rights to list and drop orders."""

import pytest

from salt_g.errors import StoreError
from salt_g.master.calls.authorization import Allowed, CommandCaller, NotAuthorized
from salt_g.master.mailbox.mailbox_commands import MOST, MailboxCommands


class Permits:
    def check_user(self, load, caller):
        if caller.uid is None:
            raise NotAuthorized({"error": {}}, "nobody")
        user = "root" if caller.uid == 0 else "ann"
        return Allowed(user, is_limited=caller.uid != 0, standing={"user": user, "module": ""})


class Mailbox:
    error = ""

    def orders(self, owner):
        if self.error:
            raise StoreError("store", self.error)
        return [owner]

    def drop(self, id, owner):
        return 3 if id == "1" and owner in (None, "/ann") else 0


@pytest.fixture
def mailbox():
    return Mailbox()


@pytest.fixture
def ask(mailbox):
    commands = MailboxCommands(Permits(), mailbox).commands()
    return lambda name, uid=0, **load: commands[name]({"cmd": name, **load}, CommandCaller("", uid))


def test_root_sees_all_orders_and_others_their_own(ask):
    assert ask("mailbox_list") == {"orders": [None]}
    assert ask("mailbox_list", 1000) == {"orders": ["/ann"]}


def test_orders_are_dropped_by_their_number(ask):
    assert ask("mailbox_drop", 1000, ids=["1", "2"]) == {"dropped": {"1": 3, "2": 0}}


def test_an_unknown_user_is_refused(ask):
    for name in ("mailbox_list", "mailbox_drop"):
        with pytest.raises(NotAuthorized):
            ask(name, None, ids=["1"])


@pytest.mark.parametrize("ids", [None, "1", ["1"] * (MOST + 1)])
def test_ids_that_are_none_are_refused(ask, ids):
    assert "ids must be a list" in ask("mailbox_drop", ids=ids)["error"]


def test_a_store_that_cannot_be_read_is_an_error_in_words(ask, mailbox):
    mailbox.error = "the disk is gone"

    assert "the disk is gone" in ask("mailbox_list")["error"]
