"""Outgoing publications: sealed, numbered, in order."""

import pytest

from salt_g.errors import SealBroken, WireError
from salt_g.master.publishing import publication_sender
from salt_g.master.publishing.publication_sender import PendingPublication, PublicationSender
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.settings import PublicationSettings
from salt_g.process.offload import offload
from salt_g.wire.packing import unpack

JOB = {"fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "jid": "1", "ret": "", "user": "root"}
SETTINGS = PublicationSettings(True, "PKCS1v15-SHA1", zmq_filtering=False, order_masters=False)


class Publisher:
    """Records what is published: (payload, topics)."""

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
    """Return a function that makes a sender with these settings."""

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

    def replace_meanwhile(seal, numbered, key):
        payloads = offload(seal, numbered, key)
        if key is old:
            keys.expire()
        return payloads

    monkeypatch.setattr(publication_sender, "offload", replace_meanwhile)
    make().send(JOB, ["m1"])

    assert len(publisher.sent) == 1

    with pytest.raises(SealBroken):
        opened(publisher.sent[0][0], old)
    assert serials(publisher, keys) == [1]


def test_several_are_sealed_in_one_go_and_sent_in_their_order(make, keys, publisher, monkeypatch):
    calls = []
    monkeypatch.setattr(publication_sender, "offload", lambda *call: calls.append(call) or offload(*call))
    several = [
        PendingPublication({**JOB, "jid": str(number)}, ["m1"], serial=number) for number in range(1, 6)
    ]

    errors = make().send_many(several)

    assert errors == [None] * 5 and len(calls) == 1
    assert serials(publisher, keys) == [1, 2, 3, 4, 5]


def test_a_job_that_cannot_be_sent_leaves_the_others(make, keys, publisher, monkeypatch):
    seal = publication_sender.seal_publication
    broken = WireError("too large")

    def refuse_second(job, *args, **how):
        if job["jid"] == "2":
            raise broken
        return seal(job, *args, **how)

    monkeypatch.setattr(publication_sender, "seal_publication", refuse_second)
    sender = make()

    errors = sender.send_many([PendingPublication({**JOB, "jid": jid}, ["m1"]) for jid in "123"])

    assert errors == [None, broken, None]
    assert [opened(payload, keys.current().crypticle)["jid"] for payload, _ in publisher.sent] == ["1", "3"]
    with pytest.raises(WireError, match="too large"):
        sender.send({**JOB, "jid": "2"}, ["m1"])


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
