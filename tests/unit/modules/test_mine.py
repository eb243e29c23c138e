"""The masterless mine, which shares this machine's results with itself."""

import pytest

from salt_g.modules import mine


class Everybody:
    """Matching of this minion by any target but `other`."""

    def matches(self, tgt, tgt_type="glob", **_):
        return tgt != "other"


@pytest.fixture
def minion(call_context, tmp_path):
    """Return a function that makes a minion `m1` with some functions and these `mine_functions`."""

    def broken():
        raise ValueError("no")

    def make(**mine_functions):
        configured = {"id": "m1", "cachedir": str(tmp_path / "cache"), "mine_functions": mine_functions}
        table = {"test.echo": lambda text: text, "test.ping": lambda: True, "test.broken": broken}
        return call_context(functions=table, opts=configured, match=Everybody())

    return make


def test_configured_functions_are_called_and_found_by_name(minion):
    minion(
        **{
            "test.ping": [],
            "net": [{"mine_function": "test.echo"}, "hi"],
            "kw": {"mine_function": "test.ping"},
        }
    )

    mine.update()

    assert mine.get("*", "net") == {"m1": "hi"}
    assert mine.get("*", ["test.ping", "kw", "none"]) == {"test.ping": {"m1": True}, "kw": {"m1": True}}


def test_one_that_raises_or_is_missing_leaves_the_others(minion, caplog):
    minion(**{"test.broken": [], "no.such": [], "test.ping": []})

    mine.update()

    assert mine.get("*", "test.ping") == {"m1": True}
    assert "test.broken in mine.update failed to execute: no" in caplog.text
    assert "Function no.such not available" in caplog.text


def test_send_keeps_one_result_and_returns_false_when_it_cannot(minion):
    minion()

    assert mine.send("alias", "text", mine_function="test.echo", __pub_fun="mine.send") is True
    assert mine.send("no.such") is False
    assert mine.send("test.broken") is False
    assert mine.get("*", "alias") == {"m1": "text"}


def test_an_unselected_minion_returns_nothing(minion):
    minion()
    mine.send("test.ping")

    assert mine.get("other", "test.ping") == {}


def test_delete_and_flush_forget(minion):
    minion()
    mine.send("test.ping")
    mine.send("a", "x", mine_function="test.echo")

    mine.delete("a")
    after_delete = mine.get("*", "a,test.ping")
    mine.flush()

    assert after_delete == {"test.ping": {"m1": True}}
    assert mine.get("*", "test.ping") == {}


def test_valid_shows_what_stands_behind_an_alias(minion):
    minion(**{"test.ping": [], "net": [{"mine_function": "test.echo"}, "hi"]})

    assert mine.valid() == {"test.ping": [], "net": {"test.echo": ["hi"]}}


class Master:
    """A fake master that records its requests."""

    def __init__(self, reply=True):
        self.reply = reply
        self.requests = []

    def ask(self, load, **options):
        self.requests.append(load)
        return self.reply


@pytest.fixture
def of_master(call_context):
    """Return a function that makes a minion `m1` of a master that gives this reply.

    It returns the master.
    """

    def make(reply=True, **mine_functions):
        master = Master(reply)
        opts = {"id": "m1", "file_client": "remote", "mine_functions": mine_functions}
        call_context(functions={"test.echo": lambda text="": text}, opts=opts, master=master)
        return master

    return make


def test_with_a_master_results_go_there(of_master):
    master = of_master(**{"test.echo": ["hi"], "no.such": []})

    kept = mine.update(clear=True)

    assert kept is True
    assert master.requests == [{"cmd": "_mine", "data": {"test.echo": "hi"}, "clear": True}]


def test_results_with_limits_name_their_readers(of_master):
    master = of_master(kw={"mine_function": "test.echo", "text": "x", "allow_tgt": "db*"})

    mine.update()
    mine.send("test.echo", "y", allow_tgt="G@a:b", allow_tgt_type="compound")

    assert master.requests[0]["data"] == {"kw": {"__data__": "x", "__saltmine_acl__": 1, "allow_tgt": "db*"}}
    assert master.requests[1]["data"]["test.echo"]["allow_tgt_type"] == "compound"


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("os:Debian", "grain"), ("db* or G@os:Debian", "compound"), ("10.0.0.0/8", "ipcidr")],
)
def test_a_limit_that_looks_at_grains_is_logged_where_it_is_set(of_master, caplog, tgt, tgt_type):
    of_master(kw={"mine_function": "test.echo", "text": "x", "allow_tgt": tgt, "allow_tgt_type": tgt_type})

    mine.update()

    assert "mine function kw: allow_tgt" in caplog.text
    assert "lets no minion read it" in caplog.text


def test_a_limit_of_ids_or_pillar_is_harmless(of_master, caplog):
    of_master(
        kw={"mine_function": "test.echo", "allow_tgt": "I@role:db or L@a,b", "allow_tgt_type": "compound"}
    )

    mine.update()

    assert caplog.text == ""


def test_with_a_master_everything_is_asked_there(of_master):
    master = of_master(reply={"m1": 1, "m2": 2})

    found = mine.get("*", "test.echo")
    others = mine.get("os:x", "a", "grain", exclude_minion=True)
    mine.delete("test.echo")
    mine.flush()

    assert found == {"m1": 1, "m2": 2} and others == {"m2": 2}
    assert master.requests == [
        {"cmd": "_mine_get", "tgt": "*", "fun": "test.echo", "tgt_type": "glob"},
        {"cmd": "_mine_get", "tgt": "os:x", "fun": "a", "tgt_type": "grain"},
        {"cmd": "_mine_delete", "fun": "test.echo"},
        {"cmd": "_mine_flush"},
    ]


@pytest.mark.parametrize("fun", ["a,b,m1,alone", ["a", "b", "m1", "alone"]])
def test_own_results_are_left_out_of_each_function(of_master, fun):
    of_master(reply={"a": {"m1": 1, "m2": 2}, "b": {"m2": 2}, "m1": {"m3": 3}, "alone": {"m1": 1}})

    found = mine.get("*", fun, exclude_minion=True)

    assert found == {"a": {"m2": 2}, "b": {"m2": 2}, "m1": {"m3": 3}}


def test_a_master_that_keeps_nothing_is_not_a_success(of_master):
    of_master(reply="", **{"test.echo": []})

    assert mine.update() is False


def test_nothing_to_call_is_not_a_result(of_master):
    master = of_master()

    assert mine.update() is None
    assert mine.valid() is None
    assert master.requests == []
