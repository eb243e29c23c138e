"""Outcomes of test runs: equal ones counted together, in few words."""

import argparse

import pytest

from salt_g.cli.fleet import impact_verify
from salt_g.cli.fleet.impact_verify import Verified, lines, shown, verify

OPTIONS = argparse.Namespace(eauth="", mktoken=False)
WEB, SECRET = '{"fun": "state.apply", "mods": ["web"]}', '{"fun": "state.apply", "pillar": true}'
DIFF = {"diff": "--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n"}


def entry(result, changes=None, name="/etc/nginx/site.conf", comment=""):
    return {"result": result, "changes": changes or {}, "name": name, "comment": comment}


class Client:
    """A client with prepared returns of its minions."""

    def __init__(self, returns):
        self.returns = returns
        self.jobs = []

    def cmd(self, ids, fun, args, **options):
        self.jobs.append((sorted(ids), fun, args, options["kwarg"]))
        return {id: {"ret": self.returns[id]} for id in ids if id in self.returns}

    def destroy(self):
        """Close nothing."""


@pytest.fixture
def run(monkeypatch):
    """Return a function that verifies calls with these returns; it returns the outcomes and the jobs."""

    def run(calls, returns, saltenv=""):
        client = Client(returns)
        monkeypatch.setattr("salt_g.client.local.LocalClient", lambda **_: client)
        return verify({}, OPTIONS, calls, saltenv), client.jobs

    return run


def test_minions_with_equal_outcomes_are_one_line(run):
    returns = {
        "web1": {"file_|-a_|-a_|-managed": entry(None, DIFF)},
        "web2": {"file_|-a_|-a_|-managed": entry(None, DIFF)},
        "web3": {"file_|-a_|-a_|-managed": entry(True)},
    }
    verified, jobs = run({WEB: ["web1", "web2", "web3", "web4"]}, returns)

    assert jobs == [(["web1", "web2", "web3", "web4"], "state.test", ["web"], {})]
    assert lines(verified, "") == [
        "verified by state.test with the present tree: 2 would change (+1 -1 site.conf), 1 identical,"
        " 1 did not return",
        "  +1 -1 site.conf: web[1-2]",
    ]
    shown = verified.as_map("dev")
    assert (shown["saltenv"], shown["identical"], shown["silent"]) == ("dev", ["web3"], ["web4"])
    assert shown["would_change"][0]["changes"][0]["added"] == 1


def test_failures_are_reported_with_their_reason(run):
    returns = {
        "web1": ["No matching sls found for 'web' in env 'dev'"],
        "web2": {"x": entry(False, comment="does not exist")},
        "web3": {"x": entry(None, name="nginx")},
    }
    verified, jobs = run({WEB: ["web1", "web2", "web3"]}, returns, "dev")

    assert jobs[0][3] == {"saltenv": "dev"}
    result = lines(verified, "dev")
    assert result[0].startswith(
        "verified by state.test with environment dev: 1 would change (nginx), 0 identical"
    )
    assert "  failed: No matching sls found for 'web' in env 'dev': web1" in result
    assert "  failed: /etc/nginx/site.conf: does not exist: web2" in result


def test_a_call_whose_pillar_is_not_kept_is_not_tested(run):
    verified, jobs = run({SECRET: ["web1"]}, {})

    assert (jobs, verified) == ([], Verified({}, {}, [], ["web1"]))
    assert lines(verified, "")[0].endswith("1 not tested: their pillar=... is not kept")


def test_several_calls_of_a_minion_are_one_outcome(run):
    returns = {"web1": {"x": entry(None, DIFF)}}
    verified, jobs = run({WEB: ["web1"], '{"fun": "state.apply"}': ["web1"]}, returns)

    assert len(jobs) == 2 and [ids for _, ids in verified.changing()] == [["web1"]]


def test_many_changes_are_counted():
    changes = tuple((f"/etc/{name}", 1, 0, "") for name in "abcde")

    assert shown(changes) == "+1 -0 a, +1 -0 b, +1 -0 c and 2 more"
    assert impact_verify.shown((("/", None, None, ""),)) == "/"
