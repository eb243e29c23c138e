"""Publishing a job and requesting its results."""

import pytest

from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest, Published
from salt_g.errors import AuthorizationError, ClientError

JID = "20260102030405678901"
OPTS = {"timeout": 5, "gather_job_timeout": 10, "nodegroups": {"web": "web*"}}


@pytest.fixture
def client(link):
    return JobClient(OPTS, link=link, user="ops", clock=link.clock)


def master(**replies):
    """Answer each command with its reply; publications reach their target list."""

    def answer(load):
        if load["cmd"] == "publish" and "publish" not in replies:
            return {"load": {"jid": JID, "minions": load["tgt"]}}
        return replies.get(load["cmd"], {})

    return answer


def test_minions_that_are_certainly_gone_are_not_asked_and_others_away_are(client, link):
    link.answer = master(presence={"connected": ["a"], "gone": ["c"]})

    assert client.ask_running("1", ["a", "b", "c"]) == (JID, {"b", "c"}, set())

    publication = link.requests[-1]
    assert (publication["tgt"], publication["fun"], publication["arg"]) == (
        *(["a", "b"], "saltutil.find_job"),
        ["1"],
    )


def test_minions_that_are_on_their_way_to_another_master_are_known(client, link):
    link.answer = master(presence={"connected": ["a"], "gone": [], "moving": ["b"]})

    assert client.ask_running("1", ["a", "b"]) == (JID, {"b"}, {"b"})


def test_where_all_minions_are_gone_none_is_queried(client, link):
    link.answer = master(presence={"connected": [], "gone": ["a"]})

    assert client.ask_running("1", ["a"]) == ("", {"a"}, set())
    assert [load["cmd"] for load in link.requests] == ["presence"]


@pytest.mark.parametrize("presence", [{}, "", {"connected": None}, {"error": "no"}])
def test_a_master_without_presence_reports_no_absent_minions(client, link, presence):
    link.answer = master(presence=presence)

    assert client.connected() is None
    assert client.ask_running("1", ["a"]) == (JID, set(), set())


def test_a_failure_to_report_presence_is_not_the_jobs(client, link):
    def answer(load):
        raise ClientError("no")

    link.answer = answer
    assert client.connected() is None


def test_a_preview_has_the_nodegroup_expanded(client, link):
    link.answer = master(expected={"minions": ["web1", 2]})

    assert client.preview("web", "nodegroup") == ["web1", "2"]
    assert (link.requests[0]["tgt"], link.requests[0]["tgt_type"]) == ("( web* )", "compound")


def test_a_refused_preview_is_raised(client, link):
    link.answer = master(expected={"error": {"name": "AuthorizationError", "message": "no"}})

    with pytest.raises(AuthorizationError):
        client.preview("*")


def test_a_subset_is_of_those_that_have_all_functions(client, link):
    link.answer = master(publish={"load": {"jid": JID, "minions": ["a", "b", "c", "d"]}})
    link.put_return(0, "a", ["test.ping", "cmd.run"])
    link.put_return(0, "b", ["test.ping"])
    link.put_return(0, "c", "an error that names test.ping and cmd.run")
    link.put_return(0, "d", {"test.ping": 1, "cmd.run": 1})

    def drawn(fun, count):
        found = client.subset(JobRequest("*", fun), count)
        assert found.tgt_type == "list"
        return sorted(found.tgt)

    assert drawn(["test.ping", "cmd.run"], 9) == ["a", "d"]


def test_the_minion_in_whose_name_a_job_is_published_is_where_either_master_reads_it(client, link):
    link.answer = master()
    client.publisher = "web1"

    client.publish(JobRequest(["ca"], "x509.sign_remote_certificate"), listen=False)

    assert link.requests[-1]["id"] == link.requests[-1]["kwargs"]["id"] == "web1"


def test_a_timeout_that_is_not_a_number_is_the_settings(client):
    client.clock = lambda: 100.0

    def asks_at(timeout):
        watch = client.watch_of(Published(JID, ["a"]), timeout)
        return next(moment for moment in range(90, 200) if watch.is_asked_for(moment))

    assert [asks_at(timeout) for timeout in (7, "8", None, "soon", [])] == [107, 108, 105, 105, 105]


def test_an_attached_batch_is_followed_while_no_minion_is_at_work(client, link):
    stored = iter([["a"], ["a", "b", "c"]])
    active = iter([True, True, True, False])

    def answer(load):
        if load["cmd"] == "job":
            ids = next(stored)
            returns = {id: {"return": True, "retcode": 0} for id in ids}
            return {"load": {"fun": "test.ping", "Minions": ids}, "returns": returns}
        return next(active) if load["cmd"] == "run_active" else {}

    link.answer = answer
    found = client.attach(JID)
    # The second minion begins after a while; the events of the third one are lost.
    link.put(2.5, f"salt/job/{JID}/new", minions=["b"])
    link.put_return(2.6, "b")

    returned = [one.id for one in client.collect(found.published, earlier=found.earlier) if one]

    assert returned == ["a", "b", "c"]
    assert link.now < 10


def test_a_batch_that_still_pings_is_waited_for(client, link):
    loads = iter([{}, {}, {"fun": "test.ping", "Minions": ["a"]}])

    def answer(load):
        if load["cmd"] == "job":
            return {"load": next(loads), "returns": {}}
        return load["cmd"] == "run_active"

    link.answer = answer

    assert client.attach(JID).published.minions == ["a"]


def test_an_unknown_job_that_no_run_has_is_not_waited_for(client, link):
    link.answer = master(job={"load": {}, "returns": {}}, run_active=False)

    assert client.attach(JID) is None
