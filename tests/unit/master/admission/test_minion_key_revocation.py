"""Effects of a revoked key: the session ends, and the publish key is replaced if the minion knew it."""

import os

import pytest

from salt_g.event.bus import Bus
from salt_g.keys.acceptance import KeyChange
from salt_g.master.admission.minion_key_revocation import KeyRevocation
from salt_g.master.publishing.publish_key_revocation import DROP_FILE, PublishKeyRevocation


class FakeSession:
    def __init__(self, generation):
        self.id, self.generation = "m1", generation


class FakeSessions:
    def __init__(self, session):
        self.session = session

    def end(self, id):
        session, self.session = self.session, None
        return session


class FakeKeys:
    generation, since, expired = 3, 100.0, 0

    def expire(self):
        self.expired += 1


@pytest.fixture
def parts():
    def make(generation=3):
        keys, result = FakeKeys(), []
        bus = Bus()
        of_publish_key = PublishKeyRevocation(bus, keys, renew=lambda: result.append("renew"))
        revocation = KeyRevocation(
            bus,
            FakeSessions(FakeSession(generation)),
            on_end=of_publish_key.on_end,
            forget=lambda id: result.append(f"forget {id}"),
            leave=lambda id: result.append(f"leave {id}"),
        )
        return revocation, keys, result, bus.subscribe(name="test")

    return make


def test_revoking_a_minion_that_knew_the_publish_key_replaces_it(parts):
    revocation, keys, event, events = parts()

    revocation.on_change(KeyChange("m1", "delete", revokes=True))

    assert keys.expired == 1
    assert event == ["renew", "forget m1"]
    assert [events.take().tag, events.take().tag] == ["key", "salt/key"]


def test_revoking_a_minion_that_knew_an_older_key_keeps_the_publish_key(parts):
    revocation, keys, _, _ = parts(generation=2)

    revocation.on_change(KeyChange("m1", "rejected", revokes=True))

    assert keys.expired == 0


def test_a_key_that_is_accepted_in_place_of_a_rejected_one_inherits_nothing(parts):
    revocation, _, result, _ = parts()

    revocation.on_change(KeyChange("m1", "accepted", replaces=True))
    revocation.on_change(KeyChange("m2", "rejected", replaces=True))

    assert result == ["forget m1"]


def test_an_operator_may_keep_key_and_data(parts):
    revocation, keys, result, _ = parts()

    revocation.on_change(KeyChange("m1", "delete", revokes=True, keeps_data=True, rotates=False))

    assert keys.expired == 0
    assert result == ["leave m1"]


def test_a_key_offered_by_a_minion_is_not_an_event_of_an_operator(parts):
    revocation, _, _, events = parts()

    revocation.on_change(KeyChange("m1", "accepted", offered=True))

    assert events.take() is None


@pytest.mark.parametrize(("requested_at", "expired"), [(200.0, 1), (50.0, 0)])
def test_the_drop_file_asks_once_and_not_for_what_was_done_already(tmp_path, requested_at, expired):
    keys = FakeKeys()
    revocation = PublishKeyRevocation(Bus(), keys, renew=lambda: None)
    (tmp_path / DROP_FILE).touch()
    os.utime(tmp_path / DROP_FILE, (requested_at, requested_at))

    revocation.poll_drop_file(str(tmp_path))
    revocation.poll_drop_file(str(tmp_path))

    assert keys.expired == expired
    assert not (tmp_path / DROP_FILE).exists()
