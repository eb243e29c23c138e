"""Relay of a cluster: what reaches the minions of this master."""

from types import SimpleNamespace

import gevent
import pytest

from salt_g.cluster.sealing import Sealing
from salt_g.master.cluster.missed_jobs import MissedJobs
from salt_g.master.cluster.relay import Relay
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
    nothing = SimpleNamespace(
        generation=1,
        follow=lambda jid: None,
        add=lambda jid, ids: None,
        wait=lambda until: None,
        end_revoked=lambda: None,
        behind=lambda ids: set(),
        send=lambda load, ids, **how: sent.append((load["tgt_type"], ids)),
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


def test_a_new_job_is_sent_whoever_is_known_here(relay, sealing):
    one, sent = relay

    publish(one, sealing, 1, {**JOB, "tgt": ["m2"], "tgt_type": "list"}, ["m2"])

    assert sent == [("list", ["m2"])]
