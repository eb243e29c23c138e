"""Runners and orchestration over real minions."""

import pytest

STATES = {
    "good.sls": "it:\n  test.succeed_with_changes:\n    - name: foo\n",
    "bad.sls": "it:\n  test.fail_without_changes:\n    - name: foo\n",
    "orch/deploy.sls": """
first:
  salt.function:
    - name: test.echo
    - tgt: m1
    - arg: [{{ pillar.get('word', 'none') }}]
second:
  salt.state:
    - tgt: '*'
    - sls: good
    - require: [salt: first]
third:
  salt.runner:
    - name: test.arg
    - a: {{ grains.id }}
both:
  salt.parallel_runners:
    - runners:
        one: [{name: state.orchestrate}, {kwarg: {mods: orch.small}}]
        two: [{name: state.orchestrate}, {kwarg: {mods: orch.small}}]
""",
    "orch/small.sls": "ping:\n  salt.function: [{name: test.ping}, {tgt: m1}]\n",
    "orch/broken.sls": """
fails:
  salt.state:
    - tgt: m1
    - sls: bad
after:
  salt.function:
    - name: test.ping
    - tgt: m1
    - require: [salt: fails]
""",
}


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    """Return a master with states and one minion."""
    master = shared_daemons.start_master(id="boss_master", timeout=15, gather_job_timeout=15)
    (master.root / "states" / "orch").mkdir()
    for name, text in STATES.items():
        (master.root / "states" / name).write_text(text)
    shared_daemons.start_minion(master, id="m1")
    return master


def states_of(ran):
    """Return {ID: state return} of an orchestration."""
    running = ran.value["data"]["boss_master"]
    return {tag.split("_|-")[1]: result for tag, result in running.items()}


def test_orchestration_runs_in_order_on_minions_and_master(fleet, command):
    ran = command(fleet, "run", "state.orchestrate", "orch.deploy", "pillar={word: hey}", "--out=json")

    assert ran.code == 0, ran.out
    found = states_of(ran)
    assert found["first"]["changes"] == {"ret": {"m1": "hey"}}
    assert found["second"]["comment"] == "States ran successfully. Updating m1."
    assert found["third"]["changes"]["return"]["kwargs"] == {"a": "boss_master"}
    assert found["both"]["comment"] == "All runner functions executed successfully."


def test_orchestration_that_failed_stops_what_requires_it(fleet, command):
    ran = command(fleet, "run", "state.orchestrate", "orch.broken", "--out=json")

    assert ran.code == 1
    found = states_of(ran)
    assert found["fails"]["comment"] == "Run failed on minions: m1"
    assert found["after"]["result"] is False
    assert "requisite failed" in found["after"]["comment"].lower()


def test_orchestration_in_test_mode_changes_nothing(fleet, command):
    found = states_of(command(fleet, "run", "state.orchestrate", "orch.deploy", "test=True", "--out=json"))

    assert found["first"]["result"] is None
    assert found["second"]["result"] is None


def test_manage_reports_the_minions_that_answer(fleet, command):
    assert command(fleet, "run", "manage.status", "--out=json").value == {"up": ["m1"], "down": []}
    assert command(fleet, "run", "manage.present", "--out=json").value == ["m1"]
    assert list(command(fleet, "run", "manage.versions", "--out=json").value["Up to date"]) == ["m1"]


def test_a_job_can_be_looked_up_by_its_jid(fleet, command):
    command(fleet, "run", "salt.execute", "m1", "test.outputter", "arg=[hello]")
    (jid, job), *_ = command(
        fleet, "run", "jobs.list_jobs", "search_function=test.outputter", "--out=json"
    ).value.items()

    assert job["Target"] == "m1"
    assert command(fleet, "run", "jobs.lookup_jid", jid, "--out=json").value == {"m1": "hello"}
    assert command(fleet, "run", "jobs.exit_success", jid, "--out=json").value == {"m1": True}


def test_survey_puts_those_together_that_agree(fleet, command):
    (pool,) = command(fleet, "run", "survey.hash", "*", "test.ping", "--out=json").value

    assert pool == {"pool": ["m1"], "result": "True"}


def test_match_explains_each_term_with_its_value(fleet, command):
    ran = command(fleet, "match", "--explain", "-C", "m* and not G@id:other")
    plain = command(fleet, "match", "-L", "m1,gone")

    assert ran.code == 0
    assert ran.out.splitlines()[0] == "m1: yes"
    assert "G@id:other" in ran.out
    assert (plain.code, plain.out) == (0, "m1\n")


def test_match_refuses_a_malformed_target(fleet, command):
    ran = command(fleet, "match", "-C", "m1 and")

    assert (ran.code, ran.out) == (64, "")
    assert ran.err == "salt-g match: a target is missing at the end\n"
