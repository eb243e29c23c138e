"""Waits and key replacements before a publication."""

import pytest

from salt_g.event.bus import Bus
from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore
from salt_g.master.admission.sessions import MinionSessions, SessionTable
from salt_g.master.publishing.publication_gate import PublicationGate
from salt_g.master.publishing.publish_key_revocation import PublishKeyRevocation
from salt_g.master.publishing.publish_keys import PublishKeys

JOB = {"fun": "test.ping", "jid": "1"}


class Waits:
    """Barrier, rotation and sender: each records its turn, the sender with the generation of the key."""

    def __init__(self, keys):
        self.keys = keys
        self.turns = []

    def wait(self, *ids):
        self.turns.append(("wait", *ids))

    def send(self, job, ids, *, by_topic):
        self.turns.append(("send", job, ids, by_topic, self.keys.generation))


@pytest.fixture
def files(tmp_path, minion_key):
    (tmp_path / ACCEPTED).mkdir()
    for id in ("m1", "m2"):
        (tmp_path / ACCEPTED / id).write_text(minion_key.public.pem + "\n")
    return KeyFiles(str(tmp_path))


@pytest.fixture
def publish_keys(master_key):
    keys = PublishKeys(master_key)
    keys.current()
    return keys


@pytest.fixture
def waits(publish_keys):
    return Waits(publish_keys)


@pytest.fixture
def sessions(files, publish_keys, minion_key):
    revocation = PublishKeyRevocation(Bus(), publish_keys, renew=lambda: None)
    sessions = MinionSessions(SessionTable(), files, lifetime=100, on_end=revocation.on_end)
    for id in ("m1", "m2"):
        sessions.begin(id, minion_key.public, now=0.0).generation = publish_keys.generation
    return sessions


@pytest.fixture
def gate(waits, sessions):
    return PublicationGate(waits, barrier=waits, newcomers=waits, rotation=waits, sessions=sessions)


def test_the_reconnecting_and_new_ids_and_then_the_new_key_are_waited_for(gate, waits):
    gate.send(JOB, ["m1", "m2"], by_topic=True)

    assert waits.turns == [
        ("wait", ["m1", "m2"]),
        ("wait", ["m1", "m2"]),
        ("wait",),
        ("send", JOB, ["m1", "m2"], True, 1),
    ]


def test_the_publish_key_of_a_revoked_minion_is_replaced_before_the_job(gate, waits, files, sessions):
    KeyStore(files).delete("m1")

    gate.send(JOB, ["m2"])

    assert [session.id for session in sessions] == ["m2"]
    assert waits.turns[-1] == ("send", JOB, ["m2"], False, 2)
