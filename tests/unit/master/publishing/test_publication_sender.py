"""Publications on their way out: sealed, numbered, in one order."""

import pytest

from salt_g.errors import SealBroken
from salt_g.master.publishing import publication_sender
from salt_g.master.publishing.publication_sender import PublicationSender
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.settings import PublicationSettings
from salt_g.process.offload import offload
from salt_g.wire.packing import unpack

JOB = {"fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "jid": "1", "ret": "", "user": "root"}
SETTINGS = PublicationSettings(True, "PKCS1v15-SHA1", zmq_filtering=False, order_masters=False)


class Publisher:
    """Notes what is published: (payload, topics)."""

    def __init__(self):
        self.sent = []

    def publish(self, payload, topics):
        self.sent.append((payload, topics))


@pytest.fixture
def publisher():
    return Publisher()


@pytest.fixture
def keys(master_key):
    return PublishKeys(master_key)


@pytest.fixture
def make(master_key, keys, publisher):
    """Factory: a sender with these settings."""

    def build(**settings):
        return PublicationSender(
            SETTINGS._replace(**settings), key=master_key, publish_keys=keys, publisher=publisher
        )

    return build


def opened(payload, key):
    """Return the job in a payload of the publish port."""
    return key.open(unpack(payload, binary=("load", "sig"))["load"])


def serials(publisher, keys):
    return [opened(payload, keys.current().crypticle)["serial"] for payload, _ in publisher.sent]


def test_jobs_are_sealed_under_the_current_key_and_numbered(make, keys, publisher):
    sender = make()

    sender.send(JOB, ["m1"])
    sender.send(JOB, ["m1"])

    assert serials(publisher, keys) == [1, 2]
    assert opened(publisher.sent[0][0], keys.current().crypticle)["fun"] == "test.ping"
    assert [topics for _, topics in publisher.sent] == [[], []]


def test_a_key_that_is_replaced_while_it_seals_is_not_used(make, keys, publisher, monkeypatch):
    old = keys.current().crypticle

    def replace_meanwhile(seal, job, key, serial):
        payload = offload(seal, job, key, serial)
        if key is old:
            keys.expire()
        return payload

    monkeypatch.setattr(publication_sender, "offload", replace_meanwhile)
    make().send(JOB, ["m1"])

    assert len(publisher.sent) == 1

    with pytest.raises(SealBroken):
        opened(publisher.sent[0][0], old)
    assert serials(publisher, keys) == [1]


def test_topics_are_those_of_the_ids_where_the_master_filters(make, publisher):
    plain, filtering = make(), make(zmq_filtering=True)

    plain.send(JOB, ["m1"], by_topic=True)
    filtering.send(JOB, ["m1"])
    filtering.send(JOB, ["m1", "m2"], by_topic=True)

    none, everybody, two = (topics for _, topics in publisher.sent)
    assert none == []
    assert len(everybody) == 1
    assert len(two) == 2 and everybody[0] not in two


def test_the_previous_key_seals_on_for_notices_only(make, keys, publisher):
    sender = make()
    sender.send_under_previous(JOB)
    assert publisher.sent == []
    old = keys.current().crypticle
    keys.expire()

    sender.send_under_previous(JOB)

    assert opened(publisher.sent[0][0], old)["jid"] == "1"


def test_unsigned_publications_are_warned_of(make, publisher, caplog):
    sender = make(sign_pub_messages=False)

    sender.send(JOB, ["m1"])

    assert "sign_pub_messages is off" in caplog.text
    assert "sig" not in unpack(publisher.sent[0][0], binary=("load", "sig"))
