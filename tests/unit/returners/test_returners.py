"""Returners without a server, and the sources of their options."""

import json
import os
import stat

import pytest

from salt_g.returners import local, local_cache, multi_returner, rawfile_json, syslog_return
from salt_g.returners._options import options

RET = {"id": "m1", "jid": "20260102030405678901", "fun": "test.ping", "return": True}


def test_local_writes_to_the_standard_output(call_context, capsys):
    call_context()

    local.returner(RET)
    local.event_return([{"tag": "a"}])

    assert capsys.readouterr().out == f"{RET}\n[{{'tag': 'a'}}]\n"


def test_options_are_flat_or_nested_and_in_pillar(call_context):
    call_context(opts={"r.host": "a", "r": {"port": 1}}, pillar={"r": {"db": "p"}}, grains={"r.user": "g"})

    found = options("r", RET, {"host": "", "port": 0, "db": "", "user": "", "passwd": "default"})

    assert found == {"host": "a", "port": 1, "db": "p", "user": "g", "passwd": "default"}


def test_a_job_may_name_other_options(call_context):
    call_context(opts={"r.host": "a", "r.port": 1, "other.r.host": "b", "third.r": {"host": "c"}})
    defaults = {"host": "", "port": 0}

    assert options("r", {**RET, "ret_config": "other"}, defaults) == {"host": "b", "port": 1}
    assert options("r", {**RET, "ret_config": "third"}, defaults) == {"host": "c", "port": 1}
    assert options("r", {**RET, "ret_kwargs": {"host": "d"}}, defaults) == {"host": "d", "port": 1}


def test_a_master_does_not_gather_grains_for_options(call_context):
    call_context(opts={"__role": "master"}, pillar={"r.host": "p"}, grains={"r.host": "g"})

    assert options("r", None, {"host": "default"}) == {"host": "default"}


def test_lines_of_json_are_added_to_a_private_file(call_context, tmp_path):
    path = tmp_path / "events"
    call_context(opts={"rawfile_json.filename": str(path)})

    rawfile_json.returner({**RET, "return": {"when": object}})
    rawfile_json.event_return([{"tag": "a", "data": {}}, {"tag": "b", "data": {}}])
    rawfile_json.event_return([])

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.get("tag", line.get("id")) for line in lines] == ["m1", "a", "b"]
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


@pytest.fixture
def sent(monkeypatch):
    """Return the messages sent to syslog."""
    calls = []
    monkeypatch.setattr(syslog_return.syslog, "openlog", lambda *given, **named: calls.append((given, named)))
    monkeypatch.setattr(syslog_return.syslog, "syslog", lambda *given: calls.append(given))
    monkeypatch.setattr(syslog_return.syslog, "closelog", lambda: None)
    return calls


def test_syslog_gets_the_return_as_json(call_context, sent):
    call_context(
        opts={"syslog": {"level": "LOG_ERR", "facility": "LOG_DAEMON", "tag": "t", "options": ["LOG_PID"]}}
    )

    syslog_return.returner(RET)

    module = syslog_return.syslog
    assert sent[0] == (("t", module.LOG_PID), {})
    assert sent[1][0] == module.LOG_DAEMON | module.LOG_ERR
    assert json.loads(sent[1][1]) == RET


@pytest.mark.parametrize("wrong", [{"level": "LOG_LOUD"}, {"facility": "openlog"}, {"tag": "x" * 33}])
def test_syslog_is_left_alone_with_options_that_do_not_exist(call_context, sent, caplog, wrong):
    call_context(opts={"syslog": wrong})

    syslog_return.returner(RET)

    assert not sent
    assert "returner syslog: " in caplog.text


class Jobs:
    """A job cache that records its calls."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def note(*given):
            self.calls.append((name, *given))
            return self

        return note

    def result(self):
        return None


def test_local_cache_is_the_store_of_the_master(call_context):
    jobs = Jobs()
    call_context(opts={"__role": "master"}, job_cache=jobs)

    local_cache.save_load("1", {"fun": "a"}, ["m1"])
    local_cache.returner(RET)

    assert jobs.calls == [("save_load", "1", {"fun": "a"}, ["m1"]), ("save_return", RET)]
    assert local_cache.prep_jid(passed_jid="7") == "7"


def test_several_returners_get_everything(call_context):
    seen = []
    tables = {
        "returners": {
            "a.returner": lambda load: seen.append("a"),
            "b.returner": lambda load: seen.append("b"),
            "a.get_jid": lambda jid: {"m1": 1},
            "b.get_jid": lambda jid: {"m2": 2},
        }
    }
    call_context(opts={"multi_returner": ["a", "b"]}, tables=tables)

    multi_returner.returner(RET)
    multi_returner.clean_old_jobs()

    assert seen == ["a", "b"]
    assert multi_returner.get_jid("1") == {"m1": 1, "m2": 2}
    assert multi_returner.prep_jid(passed_jid="7") == "7"
