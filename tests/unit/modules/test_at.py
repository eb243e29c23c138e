import pytest

from salt_g.modules import at

QUEUE = "4\tSun Mar  4 10:11:00 2035 a root\n12\tSun Mar  4 10:11:00 2040 b ann\n"


@pytest.fixture
def recorded(programs):
    answers = {
        "atq": QUEUE,
        "at -c 4": "#!/bin/sh\n### SALT: deploy\n/bin/true\n",
        "at 10:11": "warning: commands will be executed using /bin/sh\njob 4 at Sun Mar  4 10:11:00 2035",
        "at soon": "syntax error. Last token seen: s\nGarbled time",
    }
    return programs(answers, grains={"os_family": "Debian"})


def test_the_queue_is_read_with_tags(recorded):
    first, second = at.atq()["jobs"]

    assert first == {
        "job": 4,
        "date": "2035-03-04",
        "time": "10:11:00",
        "queue": "a",
        "user": "root",
        "tag": "deploy",
    }
    assert second["tag"] == ""
    assert at.atq("deploy")["jobs"] == [first]
    assert at.atq(12)["jobs"] == [second]


def test_a_job_is_queued_with_its_tag(recorded):
    assert at.at("10:11", "/bin/echo", "x", tag="deploy")["jobs"][0]["job"] == 4
    assert recorded.lines[0] == "at 10:11"
    assert recorded.options[0]["stdin"] == "### SALT: deploy\n/bin/echo x\n"
    assert at.at("soon", "/bin/echo") == {"jobs": [], "error": "invalid timespec"}
    assert at.at("soon") == {"jobs": []}


def test_only_jobs_that_wait_are_removed(recorded):
    assert at.atrm(4, 99) == {"jobs": {"removed": ["4"], "tag": None}}
    assert at.atrm("all", "deploy") == {"jobs": {"removed": ["4"], "tag": "deploy"}}
    assert at.atrm("all")["jobs"]["removed"] == ["4", "12"]
    assert at.atrm() == {"jobs": {"removed": [], "tag": None}}


def test_jobs_are_found_by_conditions(recorded):
    assert [job["job"] for job in at.jobcheck(year=35, month=3, hour=10)["jobs"]] == [4]
    assert [job["job"] for job in at.jobcheck(runas="ann")["jobs"]] == [12]
    assert at.jobcheck(day=5) == {"jobs": [], "note": "No match jobs or time format error"}
