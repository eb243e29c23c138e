"""Commands with which minions call others: rights, publication, visibility of the returns."""

import pytest

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.errors import TargetError, WireError
from salt_g.event.bus import Bus
from salt_g.master.calls.peer import BANK, LONGEST_WAIT, MAX_ENTRIES, PeerCalls, _seconds
from salt_g.master.publishing.target_resolution import ResolvedTarget
from salt_g.master.settings import PeerSettings

JID = "20260102030405678901"
SETTINGS = PeerSettings.of(
    {
        "user": "salt",
        "nodegroups": {},
        "publisher_acl_blacklist": {"modules": ["cmd.*"]},
        "ext_job_cache": "",
        "keep_jobs_seconds": 3600,
        "peer": {"web.*": ["test.*", "publish.*", {"db1": ["status.*"]}], "lone": "test.ping"},
        "peer_run": {"web1": ["jobs\\..*"]},
    }
)
IDS = {"*": ["db1", "web1"], "db*": ["db1"], "os:Debian": ["db1"], "role:db": ["db1"], "db1": ["db1"]}


class Master:
    """Everything a master does for peer calls, and a record of its requests."""

    def __init__(self):
        self.published, self.called = [], []
        self.returns = {}
        self.stolen = set()

    def publish(self, job, *, user, source):
        self.published.append((job, user))
        ids = IDS[job["tgt"]]
        return {"jid": JID, "minions": ids, "missing": []} if ids else {"error": "nobody"}

    def run(self, call):
        self.called.append((call.kind, call.fun, call.args, call.kwargs, call.user))
        return "value"

    def resolve_all(self, tgt, tgt_type, *, delimiter, greedy):
        if tgt not in IDS:
            raise TargetError(f"{tgt} is no target")
        return ResolvedTarget(IDS[tgt])

    def get_returns(self, jid):
        return self.returns

    get_jid = get_returns


class FromMinion:
    def __init__(self, id):
        self.id = id


@pytest.fixture
def master():
    return Master()


@pytest.fixture
def banks(tmp_path):
    with EmbeddedStore(str(tmp_path)) as store:
        yield Banks(store)


@pytest.fixture
def calls(master, banks):
    return PeerCalls(
        SETTINGS,
        publishing=master,
        calls=master,
        expected=master,
        jobs=master,
        banks=banks,
        bus=Bus(),
        is_owned=lambda id, jid: id not in master.stolen,
    )


@pytest.fixture
def ask(calls):
    """Return a function that returns the reply to a minion's command."""

    def reply_to(id, cmd, **load):
        first = {"fun": "test.ping", "arg": [], "tgt": "*"}
        fields = load if cmd == "pub_ret" else {**first, **load}
        return calls.commands()[cmd].run(FromMinion(id), fields)

    return reply_to


def test_a_permitted_job_is_published_as_the_masters_user_for_the_minion(ask, master):
    result = ask("web1", "minion_pub", arg=["a", "n=5", "[1, 2]"])

    [(job, user)] = master.published
    assert result == {"jid": JID, "minions": ["db1", "web1"]}
    assert (job["id"], user) == ("web1", "salt")
    assert job["arg"] == ["a", [1, 2], {"__kwarg__": True, "n": 5}]


@pytest.mark.parametrize(
    ("id", "load"),
    [
        ("db1", {}),
        ("xweb1", {}),
        ("lone", {}),
        ("web1", {"fun": "status.uptime"}),
        ("web1", {"fun": "test.ping,status.uptime", "arg": ["", ""]}),
        ("web1", {"fun": "cmd.run"}),
        ("web1", {"fun": "publish.publish"}),
        ("web1", {"fun": "test.ping,publish.publish", "arg": ["", ""]}),
        ("web1", {"fun": "test.try", "arg": ["file.remove", "path=/x"]}),
        ("web1", {"fun": "test.cross_test", "arg": ["publish.publish", "['*', 'test.ping']"]}),
        ("web1", {"fun": ""}),
        ("web1", {"fun": "test.ping,test.echo", "arg": [""]}),
        ("web1", {"ret": "mysql"}),
        ("web1", {"arg": ["__pub_user=root"]}),
        ("web1", {"tgt": "nowhere"}),
        ("web1", {"tgt": "role:d*", "tgt_type": "pillar"}),
        ("web1", {"tgt": "role:db", "tgt_type": "pillar_pcre"}),
        ("web1", {"tgt": "web1 and I@secret:a*", "tgt_type": "compound"}),
        ("web1", {"tgt": "(J@secret:a)", "tgt_type": "Compound"}),
    ],
    ids=str,
)
def test_nothing_else_is(ask, master, id, load):
    assert ask(id, "minion_pub", **load) == {}
    assert ask(id, "minion_publish", **load) == {}
    assert master.published == []


def test_permissions_for_some_minions_are_for_these_only(ask, master):
    assert ask("web1", "minion_pub", fun="status.uptime", tgt="db*")["minions"] == ["db1"]
    assert ask("web1", "minion_pub", tgt="role:db", tgt_type="pillar")["minions"] == ["db1"]
    assert len(master.published) == 2


def test_several_functions_have_their_own_arguments(ask, master):
    ask("web1", "minion_pub", fun="test.ping,test.echo", arg=["", "hello 5"])

    [(job, _)] = master.published
    assert (job["fun"], job["arg"]) == (["test.ping", "test.echo"], [[], ["hello", 5]])


def test_a_call_larger_than_any_is_refused(ask, master):
    with pytest.raises(WireError, match="web1: a peer call with more than"):
        ask("web1", "minion_pub", arg=[[0] * MAX_ENTRIES])
    assert master.published == []


def test_only_the_publisher_of_a_job_sees_its_returns(ask, master, banks):
    master.returns = {"db1": {"return": 4, "retcode": 0}}
    ask("web1", "minion_pub")

    assert banks.fetch(BANK, JID) == "web1"
    assert ask("web1", "pub_ret", jid=JID) == {"db1": {"ret": 4}}
    assert ask("web2", "pub_ret", jid=JID) == {}
    assert ask("web1", "pub_ret", jid="20260102030405678902") == ""
    # Another key has come under the id since.
    master.stolen.add("web1")
    assert ask("web1", "pub_ret", jid=JID) == {}


def test_a_waiting_minion_gets_the_returns_by_id_or_with_all_fields(ask, master):
    master.returns = {"db1": {"return": 4, "retcode": 0}}

    assert ask("web1", "minion_publish", tmo=0) == {"db1": 4}
    assert ask("web1", "minion_publish", tmo=0, form="full") == {"db1": {"return": 4, "retcode": 0, "ret": 4}}


@pytest.mark.parametrize(
    ("tmo", "seconds"),
    [("7", 7.0), (-5, 0.0), (10**9, LONGEST_WAIT), ("inf", LONGEST_WAIT), (None, 5.0), ([], 5.0), ("x", 5.0)],
)
def test_how_long_a_minion_waits_is_bounded(tmo, seconds):
    assert _seconds(tmo) == seconds


def test_a_wait_that_is_not_a_number_has_an_end():
    assert 0.0 <= _seconds("nan") <= LONGEST_WAIT


def test_runners_are_by_a_setting_of_their_own(ask, master):
    assert ask("web1", "minion_runner", fun="jobs.active", arg=["x=1"]) == "value"
    assert ask("web1", "minion_runner", fun="test.ping") == {}
    assert ask("web1", "minion_runner", fun="xjobs.active") == {}
    assert ask("web1", "minion_runner", fun="") == {}
    assert ask("web2", "minion_runner", fun="jobs.active") == {}
    assert master.called == [("runner", "jobs.active", [], {"x": 1}, "salt")]


def test_decisions_about_minions_are_written_to_the_audit_log_without_arguments(master, banks):
    lines = []
    calls = PeerCalls(
        SETTINGS,
        publishing=master,
        calls=master,
        expected=master,
        jobs=master,
        banks=banks,
        bus=Bus(),
        audit=lines.append,
    )
    pub = calls.commands()["minion_pub"]
    for id in ("web1", "db1"):
        pub.run(FromMinion(id), {"fun": "test.ping", "arg": ["secret"], "tgt": "*"})

    result = [(line["what"], line["user"], line["fun"], line["tgt"], line["verdict"]) for line in lines]
    assert result == [
        ("peer", "web1", "test.ping", "*", "allowed"),
        ("peer", "db1", "test.ping", "*", "refused"),
    ]
    assert "secret" not in str(lines)
