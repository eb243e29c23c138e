"""Jobs redelivered to minions once they have subscribed at this master."""

import pytest

from salt_g.errors import WireError
from salt_g.master.cluster.missed_jobs import (
    CALM,
    KEPT,
    ON_ITS_WAY,
    RECENT,
    ROUNDS,
    SUBSCRIBED,
)
from tests.support.missed_jobs import AFTER_SUBSCRIPTION, JOB, made, refuse, rounds


def test_a_minion_gets_its_jobs_after_its_subscription_with_or_without_a_sign_in():
    missed, now, sent = made(connected=())
    missed.note_subscribed("m1")
    missed.note_sign_in("m2")
    missed.note_subscribed("m2")

    assert rounds(missed, now, sent) == AFTER_SUBSCRIPTION
    assert [ids for _, ids in sent] == [["m1", "m2"]] * 2


def test_a_minion_whose_connection_to_this_master_was_lost_gets_what_it_missed():
    missed, now, sent = made(elsewhere=())
    missed.note_subscribed("m1")
    assert rounds(missed, now, sent) == []

    missed.note_left("m1")
    missed.note({**JOB, "jid": "20260102030405000001"}, ["m1", "m2"])
    now.time += RECENT / 2
    missed.note_subscribed("m1")

    assert rounds(missed, now, sent) == AFTER_SUBSCRIPTION
    assert [job["jid"] for job, _ in sent] == [JOB["jid"], "20260102030405000001"] * 2


def test_a_second_connection_means_that_the_first_is_lost():
    missed, now, sent = made(elsewhere=())
    missed.note_subscribed("m1")
    assert rounds(missed, now, sent) == []

    missed.note_subscribed("m1")

    assert rounds(missed, now, sent) == AFTER_SUBSCRIPTION


def test_a_minion_that_leaves_before_its_round_gets_nothing_here():
    missed, now, sent = made(connected=())
    missed.note_subscribed("m1")
    missed.note_left("m1")

    assert rounds(missed, now, sent) == []


def test_a_minion_that_subscribes_again_and_again_has_its_rounds_with_pauses():
    missed, now, sent = made()
    moments = []
    for _ in range(40):
        missed.note_left("m1")
        missed.note_subscribed("m1")
        moments += [now.time for _ in rounds(missed, now, sent, seconds=1.0)]

    assert 5 <= len(moments) <= 40 / CALM


def test_a_subscribed_minion_that_signs_in_for_a_new_key_gets_what_it_could_not_open_only():
    missed, now, sent = made()
    missed.note_subscribed("m1")
    rounds(missed, now, sent)
    sent.clear()
    other = {**JOB, "jid": "20260102030405000001"}
    missed.note_sent(other, ["m1", "m2"], {"m1"})

    missed.note_sign_in("m1")

    assert rounds(missed, now, sent) == [ROUNDS[0]]
    assert [job["jid"] for job, _ in sent] == [other["jid"]]


def test_a_job_counts_by_its_age_when_its_minion_arrived():
    connected = []
    missed, now, sent = made(connected=connected)
    now.time += RECENT - 1
    missed.note_sign_in("m1")
    now.time += ON_ITS_WAY - 1
    missed.send_missed()
    connected.append("m1")

    assert rounds(missed, now, sent) == [0, *ROUNDS[1:]]
    assert now.time - 100 < KEPT


def test_a_minion_that_signs_in_again_before_its_round_came_when_it_signed_in_first():
    missed, now, sent = made(connected=())
    now.time += RECENT - 1
    missed.note_sign_in("m1")
    now.time += 5
    missed.note_sign_in("m1")
    missed.note_subscribed("m1")

    assert rounds(missed, now, sent) == AFTER_SUBSCRIPTION


def test_a_subscribed_minion_gets_its_jobs_once_the_database_takes_them():
    missed, now, sent = made()
    missed.note_subscribed("m1")
    works, missed._send = missed._send, refuse
    for _ in range(3):
        now.time += RECENT / 2
        with pytest.raises(WireError):
            missed.send_missed()

    missed._send = works

    assert len(rounds(missed, now, sent)) == len(SUBSCRIBED)
    assert [ids for _, ids in sent] == [["m1"]] * len(SUBSCRIBED)


def test_returns_of_many_jobs_are_asked_for_in_few_questions():
    missed, now, sent = made(returned=[(f"2026010203040500{n:04}", "m1") for n in range(1, 900)])
    questions, ask = [], missed._returned
    missed._returned = lambda jids, names: questions.append(len(jids)) or ask(jids, names)
    for number in range(1, 1001):
        missed.note({**JOB, "jid": f"2026010203040500{number:04}"}, ["m1"])
    missed.note_subscribed("m1")

    rounds(missed, now, sent)

    assert len(sent) == (1 + 101) * len(SUBSCRIBED)
    assert questions == [1001] * len(SUBSCRIBED)


def test_a_job_that_this_master_learns_of_late_is_sent_again_too():
    missed, now, sent = made(returned=[(JOB["jid"], "m1")])
    missed.note_subscribed("m1")
    assert rounds(missed, now, sent, seconds=5.0) == []

    late = {**JOB, "jid": "20260102030405000001"}
    missed.note_sign_in("m1")
    missed.note(late, ["m1"])

    assert rounds(missed, now, sent) != []
    assert {job["jid"] for job, _ in sent} == {late["jid"]}
