"""A batch on the master: started by one command, followed by its events."""

import pytest

from salt_g.client.batch_link import event_of, follow_batch, start_batch
from salt_g.client.batch_window import Batch, BatchStep
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.errors import AuthorizationError, MasterUnreachable

JID = "20260102030405678901"


@pytest.fixture
def client(link):
    return JobClient({"timeout": 5, "gather_job_timeout": 5}, link=link, user="ops", clock=link.clock)


def start(client):
    return start_batch(client, JobRequest("*", "test.ping"), Batch("10%", 2.0, True), {"token": "t"})


def test_a_batch_is_a_publication_with_rules(client, link):
    link.answer = lambda load: {"tag": f"salt/batch/{JID}", "jid": JID}

    assert start(client) == JID

    [load] = link.requests
    assert (load["cmd"], load["fun"], load["user"], load["kwargs"]) == (
        *("batch", "test.ping", "ops"),
        {"token": "t"},
    )
    assert load["rules"] == {"size": "10%", "wait": 2.0, "failhard": True}


@pytest.mark.parametrize("reply", [{}, "", None, {"jid": ""}])
def test_a_master_without_batches_gives_no_jid(client, link, reply):
    link.answer = lambda load: reply

    assert start(client) == ""


def test_a_refused_batch_is_raised(client, link):
    link.answer = lambda load: {"error": {"name": "AuthorizationError", "message": "no"}}

    with pytest.raises(AuthorizationError):
        start(client)


@pytest.mark.parametrize(
    "step",
    [
        BatchStep(found=(["a"], ["b"])),
        BatchStep(found=([], [])),
        BatchStep(started=["a", "c"]),
        BatchStep(silent="a"),
        BatchStep(halted="a failed"),
    ],
)
def test_each_step_arrives_as_it_was_reported(client, link, step):
    other = "20260102030405678902"
    for event in (event_of(other, BatchStep(silent="x")), event_of(JID, step)):
        link.put(0, event.tag, **event.data)
    link.put(0, f"salt/batch/{JID}/complete")

    assert list(follow_batch(client, JID)) == [step]


def test_returns_come_between_the_steps_until_the_batch_is_complete(client, link):
    link.answer = lambda load: {JID: {}}
    link.put(0, f"salt/batch/{JID}/progress", started=["a"])
    link.put_return(1, "a", 4)
    link.put_return(2, "a", 5)
    link.put(3, f"salt/batch/{JID}/progress", odd=1)
    link.put(200, f"salt/batch/{JID}/complete")
    link.put_return(201, "b")

    step, returned = follow_batch(client, JID)

    assert (step, returned.id, returned.data["return"]) == (BatchStep(started=["a"]), "a", 4)


def test_a_batch_with_which_another_master_goes_on_is_left(client, link):
    link.put(0, f"salt/batch/{JID}/left", jid=JID)

    with pytest.raises(MasterUnreachable, match=f"this master no longer runs batch {JID}"):
        list(follow_batch(client, JID))


def test_the_status_of_a_silent_batch_is_requested(client, link):
    replies = [{JID: {}}, {"error": {"name": "AuthorizationError"}}, {}]
    link.answer = lambda load: replies.pop(0)

    with pytest.raises(MasterUnreachable):
        list(follow_batch(client, JID))

    assert [load["cmd"] for load in link.requests] == ["batches"] * 3


def test_an_end_that_was_fired_before_the_answer_counts(client, link):
    link.put(60.5, f"salt/batch/{JID}/complete")

    assert list(follow_batch(client, JID)) == []
