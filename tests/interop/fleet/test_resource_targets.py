"""Targets from our master that a minion of stock Salt interprets differently.

For each wildcard, regular expression and pillar target it would run the job on all of its resources.
"""

import json

import pytest

PILLAR = "team: blue\nresources: {dummy: {resource_ids: [d-01, d-02]}}\n"


@pytest.fixture(scope="module")
def managed(fleet, wait_until):
    """Yield the fleet, on our master, with two dummies, for read-only tests."""
    if fleet.series != "3008" or fleet.master.whose != "ours":
        pytest.skip("this is about our master, and about minions that know resources")
    fleet.write({"pillar/top.sls": "base: {'m1': [both]}\n", "pillar/both.sls": PILLAR})
    fleet.salt("m1", "saltutil.refresh_pillar")
    both = {"d-01": True, "d-02": True}
    wait_until(
        lambda: fleet.salt("-C", "T@dummy", "test.ping", "-t", "3").value == both, "both answer", fleet
    )
    yield fleet
    fleet.forget_resources()


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["m1"], ["m1"]),
        (["*"], ["m1", "d-01", "d-02"]),
        (["m*"], ["m1", "d-01", "d-02"]),
        (["d-0*"], ["d-01", "d-02"]),
        (["*1"], ["m1", "d-01", "d-02"]),
        (["-E", "m1"], ["m1"]),
        (["-E", "d-0[2]"], ["d-02"]),
        (["-I", "team:blue"], ["m1"]),
        (["-L", "d-01,m1"], ["m1", "d-01"]),
        (["-L", "dummy:d-01,m1"], ["m1", "d-01"]),
        (["dummy:d-01"], ["d-01"]),
        (["-C", "M@m1"], ["m1"]),
        (["-C", "M@m1 and T@dummy"], ["d-01", "d-02"]),
        (["-C", "m1 and T@dummy:d-02"], ["d-02"]),
        (["-C", "T@dummy and not L@d-01"], ["d-02"]),
        (["-C", "not T@dummy"], ["m1"]),
        (["-C", "T@dummy:d-01 or m1"], ["m1", "d-01"]),
        (["-C", "I@team:blue and T@dummy and E@d-0[12]"], ["d-01", "d-02"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_exactly_the_targeted_minions_run_the_job(managed, words, ids):
    completed = managed.salt(*words, "test.ping")

    assert completed.value == dict.fromkeys(ids, True), completed
    if managed.tools == "ours":
        newest = max(managed.run("jobs.list_jobs", "search_function=test.ping").value)
        # Answers that were not expected would stand there too.
        assert managed.run("jobs.lookup_jid", newest).value == dict.fromkeys(ids, True)


def test_no_unsolicited_return_arrived(managed):
    assert "kept apart as unsolicited" not in managed.master.log()


def test_a_minion_only_function_reaches_the_minion_alone(managed):
    if managed.tools != "ours":
        pytest.skip("stock's command line pings the target first and then lists who answered")
    assert managed.salt("*", "saltutil.running").value.keys() == {"m1"}
    assert managed.salt("m*", "saltutil.refresh_grains").value == {"m1": True}
    assert managed.salt("*", "mine.update").value.keys() == {"m1"}


def test_the_job_and_its_event_keep_what_the_user_wrote(managed):
    _needs_our_runners(managed)
    managed.salt("-E", "d-0.", "test.ping")
    jobs = managed.run("jobs.list_jobs", "search_function=test.ping").value
    newest = jobs[max(jobs)]

    assert (newest["Target"], newest["Target-type"]) == ("d-0.", "pcre")


def test_runners_report_what_a_minion_manages(managed):
    _needs_our_runners(managed)
    listed = managed.run("resource.list").value

    assert listed["dummy:d-01"]["minion"] == "m1"
    assert managed.run("resource.show_grains", "dummy", "d-01").value["resource_id"] == "d-01"
    assert managed.run("manage.up").value == ["m1"]
    if managed.minion.whose == "stock":
        assert listed["dummy:d-01"]["lease"] is None, json.dumps(listed)


def _needs_our_runners(fleet):
    if fleet.tools != "ours":
        pytest.skip("stock's salt-run looks into files of stock's master by itself")
