"""Tags and summaries of jobs, made by stock's functions and by ours."""

import json
import subprocess

import pytest

from salt_g.event import tags
from salt_g.report.job_summary import summary

JID = "20260102030405678901"
#: Our tag, and the arguments with which stock makes it.
TAGS = [
    (tags.job_new(JID), [[JID, "new"], "job"]),
    (tags.job_return(JID, "m1"), [[JID, "ret", "m1"], "job"]),
    (tags.job_failed_state(JID, "m1", "state.sls"), [[JID, "sub", "m1", "error", "state.sls"], "job"]),
    (tags.job_start(JID, "m1"), [[JID, "start", "m1"], "job"]),
    (tags.job_progress(JID, "m1", 4), [[JID, "prog", "m1", "4"], "job"]),
    (tags.state_result(JID, "m1", "x"), [[JID, "m1", "x"], "state_result"]),
    (tags.minion_start("m1"), [["m1", "start"], "minion"]),
    (tags.syndic_start("s1"), [["s1", "start"], "syndic"]),
    (tags.minion_refresh("m1"), ["m1", "refresh", "minion"]),
    (tags.resource_refresh("m1"), ["m1", "refresh", "resource"]),
    (tags.run(JID), [JID, "run"]),
    (tags.wheel(JID, "ret"), [[JID, "ret"], "wheel"]),
    (tags.fileserver_update("roots"), [["roots", "update"], "fileserver"]),
    (tags.queue_process("q"), [["q", "process"], "queue"]),
    (tags.stats("w"), ["w", "stats"]),
    (tags.PRESENT, ["present", "presence"]),
    (tags.PRESENCE_CHANGE, ["change", "presence"]),
]
LOADS = [
    {"fun": "test.ping", "arg": [], "tgt": "*", "tgt_type": "glob", "user": "root"},
    {"fun": "state.apply", "arg": ["x", {"__kwarg__": True, "metadata": {"a": 1}}], "tgt": ["a", "b"]},
    {"fun": "f", "metadata": {"b": 2}, "kwargs": {"metadata": {"c": 3}}},
    {"fun": "f", "kwargs": {"metadata": {"c": 3}}, "user": "sudo_x"},
    {},
]
PROGRAM = """
import json, sys
from salt.utils.event import tagify
from salt.utils.jid import format_job_instance
asked = json.load(sys.stdin)
made = {"tags": [tagify(*words) for words in asked["tags"]],
        "jobs": [format_job_instance(load) for load in asked["loads"]]}
print(json.dumps(made))
"""


@pytest.fixture(scope="module")
def stock(stock_bin):
    """Return stock's results for TAGS and LOADS."""
    request = json.dumps({"tags": [words for _, words in TAGS], "loads": LOADS})
    done = subprocess.run(
        [stock_bin / "python", "-W", "ignore", "-c", PROGRAM],
        input=request,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_tags_are_those_that_stock_makes(stock):
    assert [tag for tag, _ in TAGS] == stock["tags"]


def test_summaries_of_jobs_are_those_that_stock_makes(stock):
    assert [summary(load) for load in LOADS] == stock["jobs"]
