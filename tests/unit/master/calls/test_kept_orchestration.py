"""Jobs and calls of an orchestration, recorded under its states and reused when it is resumed."""

import pytest

from salt_g import api
from salt_g.api import CallContext
from salt_g.client.batch_window import Batch, BatchStep
from salt_g.client.publishing import JobRequest
from salt_g.data.run_record import RunRecord
from salt_g.errors import RunTaken
from salt_g.master.calls.kept_orchestration import NOT_REPEATED, KeptCalls, KeptClient, KeptOrchestration
from salt_g.services.plugins import Services
from salt_g.shapes import MasterCall
from tests.support.memory_link import MemoryLink

OPTS = {"timeout": 5, "gather_job_timeout": 10, "nodegroups": {}, "publish_timeout": 30}
LOW = {"state": "salt", "__id__": "deploy", "name": "deploy", "fun": "function"}


class Jobs:
    """Job cache: `.known` is {jid: (load, returns)}."""

    def __init__(self):
        self.known, self.made = {}, 0

    def new_jid(self):
        self.made += 1
        return f"202601020304056789{self.made:02}"

    def get_returns(self, jid):
        return self.known.get(jid, ({}, {}))[1]

    def get_returned(self, jid):
        return list(self.get_returns(jid))

    def get_expected(self, jid):
        return self.known[jid][0]["Minions"]

    def get_returns_page(self, jid, after, limit):
        return (one for one in sorted(self.get_returns(jid).items()) if one[0] > after)


@pytest.fixture
def jobs():
    return Jobs()


@pytest.fixture
def link():
    return MemoryLink()


@pytest.fixture
def state():
    """Run the test in a state of an orchestration."""
    with api.use(CallContext(opts={}, grains={}, pillar={}, services=Services(), low=LOW)):
        yield


@pytest.fixture
def begin(jobs, link, state):
    """Return a function: `begin(known)` returns (client, kept, published jobs).

    All minions but the named ones return at once.
    """

    def make(known=None, *, held=lambda jid, ids: set(), is_ours=lambda: True):
        kept, published = {}, []

        def put(key, value):
            if key:
                kept[key] = value
            return is_ours()

        def answer(load):
            if load["cmd"] == "job":
                known_load, returns = jobs.known.get(load["jid"], ({}, {}))
                return {"load": known_load, "returns": returns}
            if load["cmd"] != "publish":
                return {}
            ids = ["a", "b"] if load["tgt"] == "*" else load["tgt"]
            published.append((load["fun"], load["tgt"], load["jid"]))
            for id in ids:
                link.put_return(link.now, id, jid=load["jid"])
            return {"load": {"jid": load["jid"], "minions": ids}}

        link.answer = answer
        course = KeptOrchestration(RunRecord(put, known), jobs, held)
        client = KeptClient(mopts=OPTS, link=link, user="root").kept_by(course)
        client.clock = link.clock
        return client, kept, published

    return make


def test_a_job_is_published_under_a_jid_that_is_kept_before(begin):
    client, kept, published = begin()

    answers = client.cmd("*", "test.echo", ["x"])

    (place, jid), (sent, _) = kept.items()
    assert published == [("test.echo", "*", jid)]
    assert (sorted(answers), sent) == (["a", "b"], f"{place}/sent")


def test_a_job_that_was_published_is_waited_for(begin, jobs, link):
    _, kept, _ = first = begin()
    first[0].cmd("*", "test.echo")
    (jid, *_) = kept.values()
    jobs.known[jid] = ({"fun": "test.echo", "Minions": ["a", "b"]}, {"a": {"return": "before", "retcode": 0}})

    client, more, published = begin(kept)
    link.put_return(link.now, "b", jid=jid)
    answers = client.cmd("*", "test.echo", full_return=True)

    assert (published, more) == ([], {})
    assert (sorted(answers), answers["a"]["ret"], answers["a"]["jid"]) == (["a", "b"], "before", jid)


def test_an_interrupted_publication_goes_to_minions_that_have_not_got_it(begin, jobs):
    _, kept, _ = first = begin()
    first[0].cmd("*", "test.echo")
    (place, jid), *_ = kept.items()
    jobs.known[jid] = ({"fun": "test.echo", "Minions": ["a", "b", "c"]}, {"a": {"return": 1}})

    client, more, published = begin({place: jid}, held=lambda jid, ids: ids & {"b"})
    client.cmd_async("*", "test.echo")

    assert published == [("test.echo", ["c"], jid)]
    assert more == {f"{place}/sent": True}


def test_a_jid_that_was_kept_for_a_job_which_was_not_published_is_used(begin):
    _, kept, _ = first = begin()
    first[0].cmd("*", "test.echo")
    (place, jid), *_ = kept.items()

    client, _, published = begin({place: jid})
    client.cmd("*", "test.echo")

    assert published == [("test.echo", "*", jid)]


def test_several_jobs_of_one_state_have_a_place_each(begin):
    client, kept, published = begin()

    client.cmd("*", "test.echo")
    client.cmd("*", "test.echo")

    assert len(kept) == 4
    assert len({jid for _, _, jid in published}) == 2


def test_an_orchestration_that_another_master_has_publishes_nothing(begin):
    client, _, published = begin(is_ours=lambda: False)

    with pytest.raises(RunTaken):
        client.cmd("*", "test.echo")
    with pytest.raises(RunTaken):
        client.run_job("*", "test.echo", jid="20260102030405678999")
    assert published == []


def test_a_batch_goes_on_where_it_stopped(begin, jobs):
    client, kept, published = begin()
    list(client.run_slices(JobRequest("*", "test.echo"), Batch("1"), timeout=None))
    jid = next(value for key, value in kept.items() if key.startswith("batch/") and isinstance(value, str))
    (last,) = (key for key in kept if key.endswith("sent/b"))
    jobs.known[jid] = ({"fun": "test.echo", "Minions": ["a"]}, {"a": {"return": True}})
    assert [tgt for fun, tgt, _ in published if fun == "test.echo"] == [["a"], ["b"]]

    client, _, published = begin({key: value for key, value in kept.items() if key != last})
    steps = list(client.run_slices(JobRequest("*", "test.echo"), Batch("1"), timeout=None))

    assert published == [("test.echo", ["b"], jid)]
    assert [one.id for one in steps if not isinstance(one, BatchStep)] == ["a", "b"]


class Calls:
    """Functions on the master that record their calls."""

    def __init__(self):
        self.ran = []

    def start(self):
        """Do nothing."""

    running = start

    def outcome_inside(self, call, *, record, is_resumed):
        self.ran.append((call.fun, call.jid, record is not None, is_resumed))
        return {"fun": f"{call.kind}.{call.fun}", "jid": call.jid, "return": "done", "success": True}


@pytest.fixture
def call(jobs, state):
    """Return a function: `call(fun, known)` returns (outcome, functions that ran, recorded outcomes)."""

    def make(fun, known=None):
        kept = {}
        record = RunRecord(lambda key, value: kept.update({key: value}) or True, known)
        calls = Calls()
        result = KeptCalls(calls, calls.outcome_inside, KeptOrchestration(record, jobs, print)).outcome(
            MasterCall("runner", fun, ["x"], {"a": 1}, "root")
        )
        return result, calls.ran, kept

    return make


def test_each_job_waits_until_the_master_takes_it(begin):
    client, _, published = begin()
    client.kept.wait_for_jobs = lambda: published.append("waited")

    client.cmd("*", "test.echo", ["x"])
    client.cmd("*", "test.ping", jid="20260102030405000009")

    assert [one if one == "waited" else one[0] for one in published] == [
        *("waited", "test.echo"),
        *("waited", "test.ping"),
    ]


def test_the_outcome_of_a_function_is_kept(call):
    result, ran, kept = call("mine.deploy")
    again, ran_again, _ = call("mine.deploy", kept)

    assert (len(ran), ran_again) == (1, [])
    assert again == result


def test_a_function_that_had_begun_is_not_called_again(call, jobs):
    _, _, kept = call("mine.deploy")
    begun = {key: value for key, value in kept.items() if not key.endswith("/done")}

    result, ran, _ = call("mine.deploy", begun)
    assert (ran, result["success"], result["return"]) == ([], False, NOT_REPEATED)

    (jid,) = begun.values()
    jobs.known[jid] = ({}, {"a": {"return": {"return": "stored", "success": True}}})
    result, ran, _ = call("mine.deploy", begun)
    assert (ran, result["return"]) == ([], "stored")


def test_an_orchestration_inside_goes_on(call):
    _, ((_, jid, has_record, _),), kept = call("state.orch")
    begun = {key: value for key, value in kept.items() if not key.endswith("/done")}

    _, ran, _ = call("state.orch", begun)

    assert (has_record, ran) == (True, [("state.orch", jid, True, True)])
