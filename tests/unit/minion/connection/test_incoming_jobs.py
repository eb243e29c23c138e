"""Publications: decrypted, verified, matched, passed on once."""

import pytest

from salt_g.errors import TargetError
from salt_g.minion.connection.incoming_jobs import IncomingPublications
from salt_g.minion.connection.seen_jobs import MatchedJob
from salt_g.minion.settings import IncomingJobSettings
from salt_g.wire.publications import topic_of

JID = "2026010203040567890"


@pytest.fixture
def jobs():
    return []


@pytest.fixture
def pauses():
    return []


@pytest.fixture
def make(channel, opts, jobs, pauses):
    """Return a function that makes Publications of the minion; every job matches by default."""

    def build(**parts):
        parts = {
            "match": lambda load: MatchedJob(True),
            "on_job": lambda load, matched: jobs.append(load),
            **parts,
        }
        settings = IncomingJobSettings.of(opts)
        parts = {"draw": lambda low, high: high, "sleep": pauses.append, **parts}
        return IncomingPublications(channel, settings, **parts)

    return build


def test_a_job_is_handed_on_without_its_serial(make, master, jobs):
    make().take([master.seal({"jid": JID + "1"})])

    assert [job["jid"] for job in jobs] == [JID + "1"]
    assert "serial" not in jobs[0]


def test_after_a_rotation_the_same_publication_is_opened_with_the_new_key(make, master, jobs, pauses):
    publications = make()
    publications.take([master.seal({"jid": JID + "1"})])

    master.rotate_publish_key()
    publications.take([master.seal({"jid": JID + "2"})])

    assert [job["jid"] for job in jobs] == [JID + "1", JID + "2"]
    assert master.sign_ins == 2
    assert pauses == [2.0]


def test_where_keys_change_during_each_pause_what_came_meanwhile_costs_no_sign_in(make, master, jobs, pauses):
    came = []
    publications = make(arrived=lambda: [came.pop(0) for _ in list(came)])
    publications.take([master.seal({"jid": JID + "1"})])
    master.rotate_publish_key()
    older = [[master.seal({"jid": JID + str(number)})] for number in range(2, 6)]
    master.rotate_publish_key()
    came.extend([*older[1:], [master.seal({"jid": JID + "6"})]])

    publications.take(older[0])

    assert [job["jid"] for job in jobs] == [JID + "1", JID + "6"]
    assert master.sign_ins == 2
    assert pauses == [2.0]


def test_a_job_that_waits_while_another_request_signs_in_for_a_newer_key_is_opened(
    make, master, channel, jobs
):
    publications = make()
    publications.take([master.seal({"jid": JID + "1"})])
    waiting = [[master.seal({"jid": JID + "2"})]]
    for _ in range(3):
        master.rotate_publish_key()
        channel.sign_in(instead_of=channel.grant)
        waiting.append([master.seal({"jid": JID + str(len(waiting) + 2)})])
    signed_in = master.sign_ins

    for one in waiting:
        publications.take(one)

    assert [job["jid"] for job in jobs] == [JID + str(number) for number in range(1, 6)]
    assert master.sign_ins == signed_in


def test_a_sign_in_of_another_request_during_the_pause_is_not_the_one_for_what_came_after_it(
    make, master, channel, jobs
):
    came = []

    def another_signs_in(low, high):
        channel.sign_in(instead_of=channel.grant)
        master.rotate_publish_key()
        came.append([master.seal({"jid": JID + "3"})])
        return 0.0

    publications = make(arrived=lambda: [came.pop(0) for _ in list(came)], draw=another_signs_in)
    publications.take([master.seal({"jid": JID + "1"})])
    master.rotate_publish_key()

    publications.take([master.seal({"jid": JID + "2"})])

    assert [job["jid"] for job in jobs] == [JID + "1", JID + "2", JID + "3"]


@pytest.mark.parametrize("signed", [True, False])
def test_a_replaced_key_counts_for_publications_that_the_master_signed(make, master, channel, jobs, signed):
    publications = make(requires_signature=False)
    channel.sign_in()
    payload = master.seal({"jid": JID + "1"}, signed=signed)
    master.rotate_publish_key()
    channel.sign_in(instead_of=channel.grant)

    publications.take([payload])

    assert len(jobs) == signed


def test_a_publication_under_a_replaced_key_is_taken_once(make, master, channel, jobs):
    publications = make()
    first, second = ([master.seal({"jid": JID + last})] for last in "12")
    publications.take(first)
    publications.take(second)
    master.rotate_publish_key()
    publications.take([master.seal({"jid": JID + "3"})])

    publications.take([master.seal({"jid": JID + "4"})])
    publications.take(first)

    assert [job["jid"][-1] for job in jobs] == list("1234")


def test_an_unsigned_publication_is_dropped(make, master, jobs, caplog):
    make().take([master.seal({}, signed=False)])

    assert jobs == []
    assert "not signed" in caplog.text


def test_an_unsigned_publication_is_accepted_where_the_settings_permit_it(make, master, jobs):
    make(requires_signature=False).take([master.seal({}, signed=False)])

    assert len(jobs) == 1


def test_an_old_publication_is_dropped(make, master, jobs):
    publications = make()
    first = master.seal({"jid": JID + "1"})
    publications.take([first])
    publications.take([master.seal({"jid": JID + "2"})])

    publications.take([first])

    assert [job["jid"] for job in jobs] == [JID + "1", JID + "2"]


def test_a_job_comes_once_though_it_is_published_twice(make, master, jobs):
    publications = make()

    publications.take([master.seal({"jid": JID + "1"})])
    publications.take([master.seal({"jid": JID + "1"})])

    assert len(jobs) == 1


def test_a_jid_is_remembered_longer_than_the_settings_say_while_masters_repeat_it(make, master, jobs):
    publications = make()

    for last in "12341":
        publications.take([master.seal({"jid": JID + last})])

    assert [job["jid"][-1] for job in jobs] == list("1234")


def test_jobs_for_others_are_not_handed_on(make, master, jobs):
    make(match=lambda load: MatchedJob(load["tgt"] == "m1")).take([master.seal({"tgt": "m2"})])

    assert jobs == []


def test_an_unreadable_target_matches_no_minion(make, master, jobs, caplog):
    def match(load):
        raise TargetError("no such type")

    make(match=match).take([master.seal({})])

    assert jobs == []
    assert "no such type" in caplog.text


@pytest.mark.parametrize("error", [ZeroDivisionError(), SystemExit(1)])
def test_a_matcher_that_fails_is_one_publications_trouble(make, master, jobs, caplog, error):
    def match(load):
        if load["tgt"] == "0":
            raise error
        return MatchedJob(True)

    publications = make(match=match)

    publications.take([master.seal({"jid": JID + "1", "tgt": "0"})])
    publications.take([master.seal({"jid": JID + "2", "tgt": "1"})])

    assert [job["jid"][-1] for job in jobs] == ["2"]
    assert "its target cannot be evaluated" in caplog.text


@pytest.mark.parametrize("wrong", [{"jid": 1}, {"arg": "x"}, {"fun": 1}, {"fun": []}, {"fun": ["a.b", 2]}])
def test_jobs_that_are_not_well_formed_are_dropped(make, master, jobs, wrong):
    make().take([master.seal(wrong)])

    assert jobs == []


@pytest.mark.parametrize("frames", [[b"rubbish"], [b"a", b"b", b"c"], [b"\xc1"], []])
def test_rubbish_is_dropped(make, jobs, frames):
    make().take(frames)

    assert jobs == []


def test_of_two_frames_the_topic_decides(make, master, jobs):
    publications = make()

    publications.take([topic_of("other"), master.seal({"jid": JID + "1"})])
    publications.take([topic_of("m1"), master.seal({"jid": JID + "2"})])
    publications.take([b"broadcast", master.seal({"jid": JID + "3"})])

    assert [job["jid"][-1] for job in jobs] == ["2", "3"]
