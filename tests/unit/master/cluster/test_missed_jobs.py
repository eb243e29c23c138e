"""Jobs redelivered to minions that have moved to this master."""

import pytest

from salt_g.errors import WireError
from salt_g.master.cluster.missed_jobs import (
    BEHIND,
    FEW,
    GATHER,
    LOOK,
    ON_ITS_WAY,
    RECENT,
    ROUNDS,
)
from tests.support.missed_jobs import AFTER_SUBSCRIPTION, JOB, made, refuse, rounds


def test_a_job_is_sent_to_those_that_moved_here_by_its_jid():
    missed, now, sent = made()
    for id in ("m2", "m1"):
        missed.note_sign_in(id)
    now.time += 1

    missed.send_missed()
    missed.send_missed()

    assert sent == [({**JOB, "tgt": ["m1", "m2"], "tgt_type": "list"}, ["m1", "m2"])]


def test_a_minion_that_returned_or_was_connected_here_gets_nothing():
    missed, now, sent = made(elsewhere=("m1",), returned=[(JOB["jid"], "m1")])
    for id in ("m1", "m2"):
        missed.note_sign_in(id)
    now.time += 1
    missed.send_missed()

    assert sent == []


def test_a_minion_is_waited_for_until_it_is_connected():
    connected = []
    missed, now, sent = made(connected=connected)
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()
    connected.append("m1")
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]]


def test_a_minion_that_takes_long_from_its_sign_in_to_its_subscription_gets_its_jobs_in_all_rounds():
    connected = []
    missed, now, sent = made(connected=connected)
    missed.note_sign_in("m1")
    now.time += 30
    missed.send_missed()
    connected.append("m1")
    sent_at = {}
    for _ in range(30):
        before = len(sent)
        missed.send_missed()
        if len(sent) > before:
            sent_at[now.time - 130] = sent[-1][1]
        now.time += 0.5

    assert sent_at == {0: ["m1"], 3: ["m1"], 10: ["m1"]}


def test_a_minion_that_does_not_come_is_forgotten():
    connected = []
    missed, now, sent = made(connected=connected)
    missed.note_sign_in("m1")
    now.time += ON_ITS_WAY + 1
    missed.send_missed()
    connected.append("m1")
    missed.send_missed()

    assert sent == []


def test_an_unsent_job_is_sent_once_the_database_takes_it():
    missed, now, sent = made()
    missed.note_sign_in("m1")
    missed.note_sent(JOB, ["m1", "m2", "m3"], ["m2"])
    missed.note_sign_in("m2")
    works, missed._send = missed._send, refuse
    for _ in range(len(ROUNDS) + 1):
        now.time += ROUNDS[-1]
        with pytest.raises(WireError):
            missed.send_missed()

    missed._send = works
    now.time += RECENT
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m1", "m2"]]


def test_old_jobs_are_forgotten():
    missed, now, sent = made()
    now.time += RECENT + 1
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert sent == []


def test_a_minion_that_was_connected_gets_older_jobs_too():
    """Its former master may have had them in buffers when it was killed."""
    missed, now, sent = made(was_connected=True)
    missed.note({**JOB, "jid": "20260102030404000000"}, ["m1"], 2.0)
    now.time += BEHIND - 1
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert [(job["jid"], ids) for job, ids in sent] == [(JOB["jid"], ["m1"])]


def test_a_minion_that_was_connected_here_gets_older_jobs_too():
    missed, now, sent = made(elsewhere=())
    missed.note_subscribed("m1")
    now.time += BEHIND - 30
    missed.send_missed()
    missed.note_left("m1")
    now.time += 20
    missed.note_subscribed("m1")

    assert rounds(missed, now, sent) == AFTER_SUBSCRIPTION


def test_a_minion_that_would_run_a_job_twice_gets_none():
    missed, now, sent = made(ours=("m2",))
    for id in ("m1", "m2"):
        missed.note_sign_in(id)
    now.time += 1
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m2"]]


def test_a_minion_gets_a_job_in_rounds_until_it_has_returned():
    missed, now, sent = made()
    missed.note_sign_in("m1")
    for _ in range(30):
        now.time += 0.5
        missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]] * len(ROUNDS)


def test_a_repetition_by_any_master_is_no_new_job():
    missed, now, sent = made()
    missed.note({**JOB, "tgt": ["m2"], "tgt_type": "list"}, ["m2"], 0.0)
    missed.note_sign_in("m2")
    now.time += 1
    missed.send_missed()

    assert len(sent) == 1


def a_slice(id):
    return {**JOB, "tgt": [id], "tgt_type": "list"}


def test_a_minion_gets_its_slice_of_a_batch_again_though_an_earlier_one_has_the_same_jid():
    missed, now, sent = made(connected=("m4",), elsewhere=("m4",), ours=("m4",))
    now.time += 5
    assert not missed.note(a_slice("m4"), ["m4"])
    missed.note_sent(a_slice("m4"), ["m4"], ())
    missed.note_sign_in("m4")
    now.time += 1
    missed.send_missed()

    assert sent == [(a_slice("m4"), ["m4"])]


def test_slices_of_a_batch_are_as_old_as_each_is():
    missed, now, sent = made(connected=("m1", "m4"), elsewhere=("m1", "m4"), ours=("m1", "m4"))
    now.time += RECENT + 1
    missed.note(a_slice("m4"), ["m4"])
    for id in ("m1", "m4"):
        missed.note_sign_in(id)
    now.time += 1
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m4"]]


def test_a_slice_that_is_sent_makes_no_earlier_one_younger():
    missed, now, sent = made(connected=("m1",), elsewhere=("m1",), ours=("m1",))
    missed.note(a_slice("m4"), ["m4"])
    now.time += RECENT + 1
    missed.note_sent(a_slice("m4"), ["m4"], ())
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert sent == []


def test_a_job_of_before_the_start_is_as_old_as_it_is():
    missed, now, sent = made(returned=[(JOB["jid"], "m1")])
    missed.note({**JOB, "jid": "20260102030404000000"}, ["m1"], RECENT + 0.1)
    missed.note({**JOB, "jid": "20260102030406000000"}, ["m1"], RECENT - 30)
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert [job["jid"] for job, _ in sent] == ["20260102030406000000"]


def test_a_job_under_a_key_that_a_minion_lacked_is_sent_to_it_after_its_sign_in():
    missed, now, sent = made(elsewhere=())
    missed.note_sent(JOB, ["m1", "m2", "m3"], {"m1"})
    now.time += 1
    missed.send_missed()
    assert sent == []

    for id in ("m1", "m2"):
        missed.note_sign_in(id)
    for _ in range(30):
        now.time += 0.5
        missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]]


def test_a_job_sent_soon_after_a_sign_in_is_sent_again_after_the_next_one():
    missed, now, sent = made(elsewhere=())
    missed.note_sign_in("m1")
    missed.note_sent(JOB, ["m1", "m2", "m3"], ())
    for _ in range(3):
        now.time += 1
        missed.send_missed()
    assert sent == []

    # The answer of the first one was lost, and there is another publish key.
    missed.note_sign_in("m1")
    missed.note_sign_in("m2")
    now.time += 1
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]]


def test_a_job_sent_long_after_a_sign_in_is_not_sent_again():
    missed, now, sent = made(elsewhere=())
    missed.note_sign_in("m1")
    for _ in range(30):
        now.time += 0.5
        missed.send_missed()
    missed.note_sent(JOB, ["m1", "m2", "m3"], ())
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert sent == []


def test_a_job_counts_from_the_moment_when_it_was_sent():
    missed, now, sent = made(elsewhere=())
    now.time += RECENT + 1
    missed.send_missed()
    missed.note_sent(JOB, ["m1", "m2", "m3"], {"m1"})
    missed.note_sign_in("m1")
    now.time += 1
    missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]]


def test_a_job_that_was_opened_late_is_not_sent_again():
    missed, now, sent = made(elsewhere=(), returned=[(JOB["jid"], "m1")], ours=("m1",))
    missed.note_sent(JOB, ["m1", "m2", "m3"], {"m1", "m2"})
    for id in ("m1", "m2"):
        missed.note_sign_in(id)
    now.time += 1
    missed.send_missed()

    assert sent == []


def test_a_minion_that_signs_in_again_and_again_gets_its_jobs_nevertheless():
    missed, now, sent = made()
    for _ in range(10):
        missed.note_sign_in("m1")
        now.time += 0.2
        missed.send_missed()

    assert [ids for _, ids in sent] == [["m1"]] * 3


def test_many_that_moved_are_distinguished_from_those_that_returned_at_once():
    ids = [f"m{number}" for number in range(1, FEW + 10)]
    missed, now, sent = made(connected=ids, elsewhere=ids, ours=ids, returned=[(JOB["jid"], "m5")])
    missed.note({**JOB, "jid": "20260102030405000001"}, ids)
    missed.note({**JOB, "jid": JOB["jid"]}, ids[:3])
    for id in ids:
        missed.note_sign_in(id)
    now.time += 1
    missed.send_missed()

    assert [(job["jid"][-1], len(result)) for job, result in sent] == [("0", 3), ("1", len(ids))]


def test_a_job_for_resources_is_sent_again_to_them_and_not_to_their_minion():
    missed, now, sent = made(
        returned=[(JOB["jid"], "d-01")],
        connected=["gw"],
        elsewhere=["gw"],
        ours=["gw"],
        resources=["d-01", "dummy:d-01", "d-02", "dummy:d-02", "other"],
    )
    job = {**JOB, "jid": "20260102030405000001", "tgt": "T@dummy", "tgt_type": "compound"}
    missed.note(job, ["gw"])
    missed.note_sign_in("gw")
    now.time += 1
    missed.send_missed()

    assert [(job["tgt"], ids) for job, ids in sent] == [(["d-01", "dummy:d-02"], ["gw"])]


def test_after_jobs_for_many_minions_the_next_ones_are_gathered():
    many = [f"m{number}" for number in range(FEW + 1)]
    missed, now, sent = made(connected=many, elsewhere=many, ours=many)
    missed._jobs.get_expected = lambda jid: many
    missed.note({**JOB, "jid": "20260102030405000001"}, many)
    for id in many:
        missed.note_sign_in(id)
    now.time += 1

    missed.send_missed()
    assert [len(ids) for _, ids in sent] == [3, FEW + 1]
    assert missed._pause == GATHER

    missed.send_missed()
    assert missed._pause == LOOK


def test_a_repetition_is_distinguished_from_a_new_job():
    missed, _, _ = made()

    assert missed.note(JOB, ["m1"]) is False
    assert missed.note({**JOB, "jid": "20260102030405000001"}, ["m1"]) is True


def test_minions_are_here_when_they_are_connected_or_on_their_way():
    missed, now, sent = made(connected=("m1",))
    missed.note_sign_in("m3")

    assert [missed.has_any([id]) for id in ("m1", "m2", "m3")] == [True, False, True]

    missed.note_subscribed("m2")
    assert missed.has_any(["m2"])
    rounds(missed, now, sent, seconds=1.0)
    assert missed.has_any(["m2"])
    missed.note_left("m2")
    assert not missed.has_any(["m2"])
