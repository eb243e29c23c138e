"""Runners and orchestration, in each mix of master, minion and tools."""

import json

ORCHESTRATION = {
    "states/orch_good.sls": "it:\n  test.succeed_with_changes:\n    - name: foo\n",
    "states/orch_bad.sls": "it:\n  test.fail_without_changes:\n    - name: foo\n",
    "states/orch_run.sls": """
first:
  salt.function:
    - name: test.echo
    - tgt: m1
    - arg: [{{ pillar.get('word', 'none') }}]
second:
  salt.state:
    - tgt: m1
    - sls: orch_good
    - require: [salt: first]
third:
  salt.runner:
    - name: test.arg
    - a: 1
fourth:
  salt.wheel:
    - name: key.list_all
fails:
  salt.state:
    - tgt: m1
    - sls: orch_bad
after:
  salt.function:
    - name: test.ping
    - tgt: m1
    - require: [salt: fails]
nobody:
  salt.state:
    - tgt: nobody
    - sls: orch_good
""",
}


def test_runners_list_connected_minions(fleet):
    status = fleet.run("manage.status")

    assert status.value == {"up": ["m1"], "down": []}, status
    assert fleet.run("manage.up").value == ["m1"]


def test_runner_arguments_and_failures(fleet):
    echoed = fleet.run("test.arg", "1", "two", "k=v", "d={a: 1}")
    failed = fleet.run("error.error", "name=Exception", "message=oh dear", as_json=False)

    assert echoed.value == {"args": [1, "two"], "kwargs": {"k": "v", "d": {"a": 1}}}, echoed
    assert "Exception occurred in runner error.error: Traceback" in failed.out
    assert failed.code == 1


def test_surveys_gather_answers(fleet):
    assert fleet.run("survey.hash", "*", "test.ping").value == [{"pool": ["m1"], "result": "True"}]


def test_an_orchestration_uses_minions_runners_and_wheel(fleet):
    fleet.write(ORCHESTRATION)

    ran = fleet.run("state.orchestrate", "orch_run", 'pillar={"word": "hey"}')

    assert ran.code == 1, ran
    (running,) = json_of(ran)["data"].values()
    found = {tag.split("_|-")[1]: result for tag, result in running.items()}
    assert found["first"]["changes"] == {"ret": {"m1": "hey"}}
    assert found["second"]["comment"] == "States ran successfully. Updating m1."
    assert found["third"]["changes"] == {"return": {"args": [], "kwargs": {"a": 1}}}
    assert found["fourth"]["changes"]["return"]["minions"] == ["m1"]
    assert (found["fails"]["result"], found["fails"]["comment"]) == (False, "Run failed on minions: m1")
    assert found["after"]["result"] is False
    assert (found["nobody"]["result"], found["nobody"]["comment"]) == (False, "No minions returned")


def json_of(ran):
    """Return the result; stock's client prints a line before it when a target selects no minion."""
    return json.loads(ran.out[ran.out.index("{") :])
