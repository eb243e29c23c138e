"""The ring of numbered events."""

import json

import pytest

from salt_g.http_api.event_log import EventLog, gap


@pytest.fixture
def log():
    return EventLog(max_events=3)


def test_each_reader_has_its_own_place(log, packed):
    for number in range(1, 4):
        log.add(packed(f"t/{number}", n=number))

    assert [log.after(place)[1].tag for place in (0, 1, 2)] == ["t/1", "t/2", "t/3"]
    assert json.loads(log.after(2)[1].text)["data"]["n"] == 3
    assert log.wait(2, 0)
    assert not log.wait(3, 0)


def test_the_oldest_are_dropped_and_counted(log, packed):
    for number in range(1, 6):
        log.add(packed(f"t/{number}"))

    assert log.lost_after(0) == 2
    assert log.lost_after(2) == 0
    assert log.after(0) == (3, log.after(2)[1])


def test_large_events_take_the_place_of_several(packed):
    log = EventLog(max_bytes=2000)
    for number in range(4):
        log.add(packed(f"t/{number}", text="x" * 900))

    assert len(log) == 2


def test_the_text_of_events_counts_where_it_is_longer_than_they_were(packed):
    log = EventLog(max_bytes=20_000)
    # JSON has six characters for each of these.
    for number in range(4):
        log.add(packed(f"t/{number}", text="\x01" * 2000))
    oldest = log.after(0)[1]
    for place in range(4):
        assert log.after(place)[1].text

    assert (len(log), log.lost_after(0)) == (1, 3)
    assert json.loads(oldest.text)["tag"] == "t/0"


def test_a_text_that_is_made_late_counts_no_more(packed):
    log = EventLog(max_bytes=2000)
    log.add(packed("t/1", text="\x01" * 900))
    dropped = log.after(0)[1]
    for number in range(2, 4):
        log.add(packed(f"t/{number}", text="x" * 900))

    assert json.loads(dropped.text)["tag"] == "t/1"
    assert len(log) == 2


def test_an_event_knows_its_job(log, packed):
    log.add(packed("salt/job/1/new", user="ann", fun="test.ping", arg=[], minions=["m1"]))
    log.add(packed("salt/job/1/ret/m1"))
    log.add(packed("salt/job/2/ret/m1"))

    assert log.after(1)[1].work.user == "ann"
    assert log.after(1)[1].work.minions == ("m1",)
    assert log.after(2)[1].work is None


def test_large_arguments_of_many_jobs_are_forgotten_before_other_jobs(packed):
    log = EventLog()
    log.add(packed("salt/job/small/new", user="ann", fun="f", arg=["x"], minions=["m1"]))
    for number in range(20):
        log.add(packed(f"salt/job/{number}/new", user="ann", fun="f", arg=["x" * 1_000_000], minions=["m1"]))

    def known(jid):
        log.add(packed(f"salt/job/{jid}/ret/m1"))
        return log.after(log.last - 1)[1].work is not None

    assert [jid for jid in range(20) if known(jid)] == list(range(4, 20))
    assert known("small")


def test_ids_are_those_of_this_run(log, packed):
    log.add(packed("t"))

    assert log.number_of(f"{log.boot}-1") == 1
    assert log.number_of("other-1") is None
    assert log.number_of(f"{log.boot}-x") is None


def test_a_gap_is_noted_after_the_newest_event(log, packed):
    log.note_gap()
    log.add(packed("t"))
    log.note_gap()

    assert [log.has_gap(number) for number in (0, 1)] == [False, True]
    assert gap(7) == b'event: gap\ndata: {"lost": 7}\n\n'


def test_jobs_share_their_ids_and_hold_a_bounded_number_of_others(packed):
    log = EventLog(max_ids=10)
    for number in range(100):
        log.add(packed(f"salt/job/{number}/new", minions=["a", "b", "c"]))
    same = [log.after(number)[1].work.minions for number in (0, 99)]
    log.add(packed("salt/job/other/new", minions=[str(id) for id in range(8)]))
    for number in (99, "other"):
        log.add(packed(f"salt/job/{number}/ret/a"))

    assert same[0] is same[1]
    assert log.after(101)[1].work is None
    assert log.after(102)[1].work.minions[7] == "7"


def test_a_job_whose_data_cannot_be_read_stops_nothing():
    log = EventLog()
    log.add(b"salt/job/1/new\n\n\xc1")

    assert log.after(0)[1].text == b'{"data": {}, "tag": "salt/job/1/new"}'


def test_the_user_of_a_job_is_that_of_its_first_event(log, packed):
    for user in ("ann", "bob"):
        log.add(packed("salt/job/1/new", user=user, fun="test.ping", arg=[], minions=["m1"]))
    log.add(packed("salt/job/1/ret/m1"))

    assert log.after(2)[1].work.user == "ann"
