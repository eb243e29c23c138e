"""Relay of a cluster: publications that reach the minions of this master."""

from types import SimpleNamespace

import gevent
import pytest

from salt_g.cluster.sealing import Sealing
from salt_g.errors import WireError
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.relay import AT_ONCE, Relay
from salt_g.wire.packing import pack_bus
from salt_g.wire.rsa import PrivateKey

JOB = {"jid": "20260102030405000000", "fun": "test.ping", "tgt": "*", "tgt_type": "glob", "arg": []}


@pytest.fixture(scope="module")
def sealing():
    return Sealing(PrivateKey.generate())


@pytest.fixture
def relay(sealing):
    """Relay of a master with the minion m1, and the ids of each publication that it sent."""
    sent = []

    def send_many(several):
        sent.extend((one.job["tgt_type"], one.ids) for one in several)
        return [None] * len(several)

    nothing = SimpleNamespace(
        generation=1,
        follow=lambda jid: None,
        add=lambda jid, ids: None,
        wait=lambda until: None,
        end_revoked=lambda: None,
        behind=lambda ids: set(),
        send_many=send_many,
    )
    missed = MissedJobs(
        nothing,
        lambda ids: {"m1"}.intersection(ids),
        lambda ids: ids,
        returned=lambda jids, names: set(),
        drops_repeated=lambda id: True,
        send=lambda jobs: None,
    )
    names = ("bus", "jobs", "publish_keys", "running", "sender", "sessions", "shared", "rotation")
    one = Relay(**dict.fromkeys(names, nothing), sealing=sealing, missed=missed)
    greenlet = gevent.spawn(one.send_all)
    yield one, sent
    greenlet.kill()


def publish(relay, sealing, serial, job, ids):
    relay.publish(serial, 1, sealing.seal_job(pack_bus(job)), pack_bus(ids), False)
    gevent.idle()


def test_a_repetition_goes_to_minions_of_this_master_only(relay, sealing):
    one, sent = relay
    publish(one, sealing, 1, JOB, ["m1", "m2"])

    for serial, id in enumerate(("m2", "m1"), 2):
        publish(one, sealing, serial, {**JOB, "tgt": [id], "tgt_type": "list"}, [id])

    assert sent == [("glob", ["m1", "m2"]), ("list", ["m1"])]


def test_a_repetition_for_others_keeps_the_job_known_here(relay, sealing, monkeypatch):
    one, _ = relay
    publish(one, sealing, 1, JOB, ["m2"])
    noted = []
    monkeypatch.setattr(one._missed, "note_sent", lambda load, ids, unread: noted.append(ids))

    publish(one, sealing, 2, {**JOB, "tgt": ["m2"], "tgt_type": "list"}, ["m2"])

    assert noted == [["m2"]]


def test_a_new_job_is_sent_regardless_of_the_minions_known_here(relay, sealing):
    one, sent = relay

    publish(one, sealing, 1, {**JOB, "tgt": ["m2"], "tgt_type": "list"}, ["m2"])

    assert sent == [("list", ["m2"])]


def test_publications_that_wait_are_sent_together_in_their_order(relay, sealing, monkeypatch):
    one, sent = relay
    taken = []
    send_many = one._sender.send_many
    monkeypatch.setattr(
        one._sender, "send_many", lambda several: taken.append(len(several)) or send_many(several)
    )

    for serial in range(1, 121):
        job = pack_bus({**JOB, "jid": str(20260102030405000000 + serial)})
        one.publish(serial, 1, sealing.seal_job(job), pack_bus([f"m{serial}"]), False)
    gevent.idle()

    assert [ids for _, ids in sent] == [[f"m{serial}"] for serial in range(1, 121)]
    assert len(taken) <= 4 and max(taken) == AT_ONCE


def test_a_publication_that_cannot_be_sent_is_logged_and_holds_up_no_other(
    relay, sealing, monkeypatch, caplog
):
    one, _ = relay
    noted = []
    monkeypatch.setattr(
        one._sender, "send_many", lambda several: [WireError("too large"), None][: len(several)]
    )
    monkeypatch.setattr(one._missed, "note_sent", lambda load, ids, unread: noted.append(ids))

    for serial, id in enumerate(("m1", "m2"), 1):
        job = pack_bus({**JOB, "jid": str(20260102030405000000 + serial)})
        one.publish(serial, 1, sealing.seal_job(job), pack_bus([id]), False)
    gevent.idle()

    assert noted == [["m2"]]
    assert "job 20260102030405000001 was not sent" in caplog.text
