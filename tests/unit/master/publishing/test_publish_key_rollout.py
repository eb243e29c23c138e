"""Spread of a new publish key to the fleet."""

import gevent
import pytest

from salt_g.errors import SealBroken
from salt_g.master.publishing.publish_key_rollout import HOLD, TAG, PublishKeyRollout
from salt_g.process.supervisor import Supervisor, deadline_in
from salt_g.wire.aes import Crypticle
from salt_g.wire.requests import SealedRequest


class FakeSession:
    def __init__(self, id, generation):
        self.id, self.generation = id, generation


class FakeSessions(dict):
    def __iter__(self):
        return iter(self.values())


class FakeKeys:
    generation = 2


@pytest.fixture
def supervisor():
    supervisor = Supervisor("test")
    yield supervisor
    supervisor.stop()


@pytest.fixture
def sent():
    return []


def make(supervisor, sent, *sessions, connected=("a", "b")):
    return PublishKeyRollout(
        sessions=FakeSessions({session.id: session for session in sessions}),
        publish_keys=FakeKeys(),
        connected=lambda: set(connected),
        send=sent.append,
        supervisor=supervisor,
    )


def request(**load):
    return SealedRequest("a", load, "", Crypticle.generate(), "", "", 3)


def test_connected_minions_with_the_old_key_are_notified_once(supervisor, sent):
    renewal = make(supervisor, sent, FakeSession("a", 1), FakeSession("b", 2), FakeSession("c", 1))

    renewal.begin()
    supervisor.wait()

    assert [job["arg"] for job in sent] == [[{}, TAG]]
    assert renewal.is_notice(sent[0]["jid"])


def test_only_the_revoked_one_is_notified_when_nobody_else_knew_the_key_and_no_job_waits(supervisor, sent):
    renewal = make(supervisor, sent, FakeSession("c", 1), FakeSession("b", 2))

    renewal.begin()
    assert renewal._done.is_set()
    supervisor.wait()

    assert [(job["tgt"], job["executor_opts"]) for job in sent] == [("*", {"splaytime": 1})]


def test_the_event_of_the_old_key_is_refused_and_nothing_else(supervisor, sent):
    renewal = make(supervisor, sent)
    event = request(cmd="_minion_event", tag=TAG)

    with pytest.raises(SealBroken):
        renewal.check(FakeSession("a", 1), event)
    renewal.check(FakeSession("a", 2), event)
    renewal.check(FakeSession("a", 1), request(cmd="_return", jid="1"))


def test_jobs_go_on_when_the_last_has_signed_in(supervisor, sent):
    sessions = FakeSession("a", 1), FakeSession("b", 1)
    renewal = make(supervisor, sent, *sessions)
    renewal.begin()
    for session in sessions:
        session.generation = 2

    renewal.signed_in("a")
    renewal.signed_in("b")

    # A job that waits for the end of HOLD waits longer than that.
    with gevent.Timeout(HOLD / 2):
        renewal.wait()


def test_minions_with_an_older_key_are_known_until_they_have_the_present_one(supervisor, sent):
    away, late = FakeSession("away", 1), FakeSession("a", 1)
    renewal = make(supervisor, sent, away, late, FakeSession("b", 2))
    renewal.begin()
    assert renewal.behind(["a", "b", "away", "other"]) == {"a", "away"}

    # Its sign-in was answered with a key that was replaced meanwhile.
    renewal.signed_in("a")
    assert renewal.behind(["a", "b"]) == {"a"}
    late.generation = 2
    renewal.signed_in("a")

    assert renewal.behind(["a", "b"]) == set()


def test_a_sign_in_that_was_overtaken_by_a_new_key_counts_as_behind(supervisor, sent):
    renewal = make(supervisor, sent, FakeSession("a", 1))

    renewal.signed_in("a")

    assert renewal.behind(["a"]) == {"a"}


def test_a_job_waits_no_longer_than_its_own_deadline(supervisor, sent):
    renewal = make(supervisor, sent, FakeSession("a", 1))
    renewal.begin()

    with gevent.Timeout(HOLD / 2):
        renewal.wait(until=deadline_in(0.01))
