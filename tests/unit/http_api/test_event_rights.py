"""Events visible to a user."""

import gc
import weakref

import pytest

from salt_g.auth.sight import Sight
from salt_g.http_api.event_log import EventOrigin, LoggedEvent
from salt_g.http_api.event_rights import EventRights

WEB = {"web*": ["test.*"]}


def may_see(permissions, tag, work=None, user="ann"):
    rights = EventRights(Sight(user, [permissions], lambda target: frozenset(("web1", "web2"))))
    event = LoggedEvent(tag, b"", work)
    return rights.may_see(event) and rights.may_see(event)


def job(fun="test.ping", minions=("web1",), user="bob"):
    return EventOrigin("job", user, fun, [], tuple(minions))


@pytest.mark.parametrize(
    ("permissions", "work", "is_seen"),
    [
        ([], job(user="ann"), True),
        ([], job(), False),
        (["test.*"], job(), True),
        (["test.*"], job("cmd.run"), False),
        ([WEB], job(minions=("web1", "web2")), True),
        ([WEB], job(minions=("web1", "db1")), False),
        ([".*"], job("saltutil.find_job"), True),
        (["test.*"], job("saltutil.find_job"), False),
        (["@events"], job("cmd.run"), True),
        ([], EventOrigin("run", "ann", "runner.manage.up", [], ()), True),
        (["@runner"], EventOrigin("run", "bob", "runner.manage.up", [], ()), True),
        (["@jobs"], EventOrigin("run", "bob", "runner.manage.up", [], ()), False),
        (["@wheel"], EventOrigin("wheel", "bob", "wheel.key.accept", [], ()), True),
        ([".*"], EventOrigin("wheel", "bob", "wheel.key.accept", [], ()), False),
    ],
)
def test_work_is_visible_to_its_user_and_to_those_permitted_to_do_it(permissions, work, is_seen):
    assert may_see(permissions, "salt/job/1/ret/web1", work) == is_seen


@pytest.mark.parametrize(
    ("permissions", "tag", "is_seen"),
    [
        (["test.*"], "salt/minion/m1/start", False),
        ([".*"], "salt/minion/m1/start", True),
        ([{"*": [".*"]}], "salt/minion/m1/start", True),
        ([WEB], "salt/beacon/web1/x", False),
        (["@events"], "salt/presence/change", True),
        ([".*"], "salt/auth", False),
        (["@wheel"], "salt/auth", True),
        (["@wheel"], "salt/presence/change", False),
        ([".*"], "salt/job/1/ret/m1", True),
        (["test.*"], "salt/job/1/ret/m1", False),
    ],
)
def test_other_events_need_a_right_of_their_own(permissions, tag, is_seen):
    assert may_see(permissions, tag) == is_seen


class Argument:
    """Argument whose deallocation can be observed."""


def test_a_stream_does_not_keep_large_arguments():
    rights = EventRights(Sight("ann", [["test.*"]], lambda target: frozenset()))
    argument = Argument()
    ended = weakref.ref(argument)
    work = EventOrigin("job", "bob", "test.echo", [argument], ("m1",), large=5000)
    assert rights.may_see(LoggedEvent("salt/job/1/ret/m1", b"", work))

    del work, argument
    gc.collect()

    assert ended() is None
