"""The path from an authorized order to its publication."""

from contextlib import nullcontext

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.errors import NoReply, TargetError
from salt_g.event.bus import Bus
from salt_g.master.publishing.expected_minions import ExpectedMinions
from salt_g.master.publishing.job_readers import JobReaders
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.rollout_guard import RolloutGuard
from salt_g.master.publishing.target_resolution import ResolvedTarget
from salt_g.master.settings import PublicationSettings

JID = "20260102030405678901"
SETTINGS = PublicationSettings(True, "PKCS1v15-SHA1", zmq_filtering=False, order_masters=False)
IDS = {"*": ["db1", "web1"], "N@webs": ["web1"], "nobody*": [], "T@dummy:x": []}


class Expected:
    """Resolver of the few targets above."""

    def resolve_all(self, tgt, tgt_type, *, delimiter):
        if tgt not in IDS:
            raise TargetError(f"{tgt} is no target")
        return ResolvedTarget(IDS[tgt], ["gone"] if tgt == "*" else [])


class Sender:
    """Records what was sent: (job, ids, whether by topic)."""

    def __init__(self):
        self.sent = []
        self.error = None

    def check(self):
        pass

    def answering(self):
        return nullcontext()

    def send(self, job, ids, *, by_topic):
        if self.error:
            raise self.error
        self.sent.append((job, ids, by_topic))


class StockFiles:
    def __init__(self):
        self.written = []

    def write(self, jid, load, ids):
        self.written.append((jid, ids))


class Master:
    """A publisher with a store, a bus and a record of its actions."""

    def __init__(self, store, **settings):
        self.jobs = Jobs(store)
        self.running = ExpectedMinions(self.jobs)
        self.stock_files, self.sender, self.bus = StockFiles(), Sender(), Bus()
        self.readers = JobReaders()
        self.events = self.bus.watch()
        self.publisher = JobPublisher(
            SETTINGS._replace(**settings),
            jobs=self.jobs,
            running=self.running,
            stock_files=self.stock_files,
            bus=self.bus,
            expected=Expected(),
            gate=self.sender,
            readers=self.readers,
            guard=RolloutGuard(1, ("state.*",)),
        )

    def publish(self, user="fred", uid=None, **load):
        first = {"fun": "test.ping", "arg": [], "tgt": "*"}
        return self.publisher.publish({**first, **load}, user=user, uid=uid)

    def tags(self):
        return [event.tag for event in iter(self.events.take, None)]


@pytest.fixture
def make(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield lambda **settings: Master(store, **settings)


@pytest.fixture
def master(make):
    return make()


def test_a_job_is_kept_announced_and_sent(master):
    result = master.publish(arg=["a"], ret="mysql", uid=1000)

    jid = result["jid"]
    assert result == {"jid": jid, "minions": ["db1", "web1"], "missing": ["gone"]}
    [(job, ids, by_topic)] = master.sender.sent
    assert job == {
        "fun": "test.ping",
        "arg": ["a"],
        "tgt": "*",
        "tgt_type": "glob",
        "jid": jid,
        "ret": "mysql",
        "user": "fred",
    }
    assert (ids, by_topic) == (["db1", "web1"], False)
    assert master.jobs.get_load(jid)["Minions"] == ["db1", "web1"]
    assert master.running.expects(jid, "web1") and not master.running.expects(jid, "web2")
    assert master.stock_files.written == [(jid, ["db1", "web1"])]
    assert f"salt/job/{jid}/new" in master.tags()
    assert master.readers.of(f"salt/job/{jid}/new") == {1000}


def test_only_known_fields_reach_the_minions(master):
    further = {"metadata": {"a": 1}, "ret_config": "alt", "unknown": 1, "delimiter": ";", "token": "secret"}

    master.publish(kwargs=further, key="secret", id="web1", to=5)

    [(job, _, _)] = master.sender.sent
    assert {"metadata", "ret_config", "delimiter", "id", "to"} <= job.keys()
    assert "secret" not in str(job) and "unknown" not in job


def test_a_nodegroup_becomes_a_target_that_minions_match(master):
    master.publish(tgt="webs", tgt_type="nodegroup")

    [(job, ids, _)] = master.sender.sent
    assert (job["tgt"], job["tgt_type"], ids) == ("N@webs", "compound", ["web1"])


@pytest.mark.parametrize(
    ("load", "text"),
    [
        ({"fun": ""}, "a job needs fun"),
        ({"fun": []}, "a job needs fun"),
        ({"fun": ["a", 5]}, "a job needs fun"),
        ({"arg": "text"}, "a job needs fun"),
        ({"tgt": None}, "a job needs tgt"),
        ({"tgt": {"a": 1}}, "a job needs tgt"),
        ({"tgt_type": 5}, "its tgt_type text"),
        ({"kwargs": ["x"]}, "kwargs must be a mapping"),
        ({"jid": "1"}, "a jid must have 20 digits"),
        ({"jid": 5}, "a jid must have 20 digits"),
        ({"jid": "../../../../../../x"}, "a jid must have 20 digits"),
        ({"tgt": "what"}, "what is no target"),
    ],
    ids=str,
)
def test_a_malformed_job_is_not_published(master, load, text):
    result = master.publish(**load)

    assert text in result["error"]
    assert result["malformed"]
    assert (master.sender.sent, master.tags()) == ([], [])


def test_a_target_without_minions_is_a_job_only_for_a_master_of_masters(make):
    master, of_masters = make(), make(order_masters=True)

    assert master.publish(tgt="nobody*") == {
        "jid": None,
        "minions": [],
        "error": "Master could not resolve minions for target nobody*",
    }
    assert "is not registered" in master.publish(tgt="T@dummy:x", tgt_type="compound")["error"]
    assert of_masters.publish(tgt="nobody*")["jid"]
    assert (len(master.sender.sent), len(of_masters.sender.sent)) == (0, 1)


def test_a_slice_of_the_same_job_has_its_jid_and_another_job_may_not(master):
    assert master.publish(jid=JID)["jid"] == JID
    assert master.publish(jid=JID, tgt="webs", tgt_type="nodegroup")["jid"] == JID

    other_user = master.publish(jid=JID, user="ann", uid=1001)
    other_fun = master.publish(jid=JID, fun="test.echo")

    assert "there is another job with the jid" in other_user["error"]
    assert "there is another job with the jid" in other_fun["error"]
    assert len(master.sender.sent) == 2


@pytest.mark.parametrize(
    ("tgt_type", "by_topic"), [("glob", True), ("list", True), ("pcre", True), ("grain", False)]
)
def test_targets_of_ids_are_sent_by_topic_where_the_master_filters(make, tgt_type, by_topic):
    master = make(zmq_filtering=True)

    master.publish(tgt_type=tgt_type)

    assert master.sender.sent[0][2] is by_topic


def test_a_port_that_takes_no_more_is_an_error_of_the_job(master):
    master.sender.error = NoReply("publisher", 1)

    assert master.publish()["error"].startswith("The job was not published: ")


def test_a_refusal_is_an_event_of_a_job_with_a_jid_only(master):
    load = {"fun": "cmd.run", "tgt": "*", "user": "fred", "arg": ["secret"], "key": "secret"}

    master.publisher.fire_refused(load, {"name": "x", "message": "no"})
    master.publisher.fire_refused({**load, "jid": "../x"}, {"name": "x", "message": "no"})
    assert master.tags() == []
    master.publisher.fire_refused({**load, "jid": JID}, {"name": "x", "message": "no"})

    event = master.events.take()
    assert JID in event.tag
    assert "secret" not in str(event.data)


class Locks:
    def refusal(self, fun, arg, names, despite, *, user, source):
        self.job = (user, source)
        return "" if despite else f"{names} are locked by ann"


def test_a_job_on_locked_minions_is_refused_and_leaves_nothing(make):
    master = make()
    master.publisher._locks = Locks()

    error = "The job was not published: ['db1', 'web1'] are locked by ann"
    assert master.publish(uid=1001) == {"error": error, "locked": True}
    assert master.publisher._locks.job == ("fred", "uid 1001")

    assert (master.sender.sent, master.tags(), master.stock_files.written) == ([], [], [])


def test_a_job_in_spite_of_a_lock_is_published(make):
    master = make()
    master.publisher._locks = Locks()
    load = {"fun": "test.ping", "arg": [], "tgt": "*"}

    assert "error" not in master.publisher.publish(load, user="fred", despite=["1f"])


def test_a_repeated_job_is_sent_and_not_announced_again(master):
    jid = master.publish()["jid"]
    master.tags()

    load = {"fun": "test.ping", "arg": [], "tgt": "*", "jid": jid}
    master.publisher.publish(load, user="fred", is_repeated=True)

    assert [job["jid"] for job, _, _ in master.sender.sent] == [jid, jid]
    assert master.tags() == []


@pytest.mark.parametrize(
    ("options", "kwargs"), [({"is_staged": True}, {}), ({}, {"all_at_once": True})], ids=["wave", "asked for"]
)
def test_the_guard_refuses_a_plain_job_on_many_minions(master, options, kwargs):
    load = {"fun": "state.apply", "arg": [], "tgt": "*"}

    refused = master.publisher.publish(load, user="fred")
    passed = master.publisher.publish({**load, "kwargs": kwargs}, user="fred", **options)

    assert "rollout_guard allows 1" in refused["error"]
    assert passed["minions"] == ["db1", "web1"]
    assert len(master.sender.sent) == 1
