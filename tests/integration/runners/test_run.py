"""`salt-g run` as an operator uses it, with a running master and without one."""

import signal

import pytest

from tests.support.waiting import until

SETTINGS = {"id": "boss_master", "timeout": 15, "gather_job_timeout": 15}


@pytest.fixture(scope="module")
def master(shared_daemons):
    """Return a running master for read-only tests."""
    return shared_daemons.start_master(**SETTINGS)


@pytest.fixture
def own_master(start_master):
    """Return a running master for one test."""
    return start_master(**SETTINGS)


def test_a_runner_gets_its_arguments_and_prints_its_return(master, command):
    ran = command(master, "run", "test.arg", "1", "two", "k=v", "d={a: 1}", "--out=json")

    assert ran.code == 0
    assert ran.value == {"args": [1, "two"], "kwargs": {"k": "v", "d": {"a": 1}}}


def test_text_that_a_runner_prints_comes_before_its_return(master, command):
    assert command(master, "run", "test.stdout_print").out == "foo\nbar\n"


def test_a_function_that_does_not_exist_is_named(master, command):
    ran = command(master, "run", "test.nothing")

    assert (ran.code, ran.out) == (254, "'test.nothing' is not available.\n")
    assert command(master, "run", "--async", "test.nothing").code == 254


def test_wrong_keywords_show_how_the_function_is_called(master, command):
    ran = command(master, "run", "test.sleep", "speed=9")

    assert ran.code == 254
    assert ran.out.startswith("test.sleep:\n")
    assert "The following keyword arguments are not valid: speed=9" in ran.err


def test_a_runner_that_raises_shows_its_traceback(master, command):
    ran = command(master, "run", "error.error", "name=ValueError", "message=oh dear")

    assert ran.code == 1
    assert ran.out.startswith("Exception occurred in runner error.error: Traceback (most recent call last):")
    assert "ValueError: oh dear" in ran.out


def test_async_prints_how_to_follow_and_the_result_is_kept(master, command):
    ran = command(master, "run", "--async", "test.arg", "7")
    jid = ran.err.strip().rpartition("/")[2]

    assert (ran.code, ran.out) == (0, "")
    kept = command(master, "run", "jobs.lookup_jid", jid, "--out=json").value
    assert kept["boss_master"]["return"] == {"args": [7], "kwargs": {}}


def test_runners_of_users_are_brought_from_the_file_server(own_master, command, write):
    write(own_master.root / "states", {"_runners/greet.py": "def hello(name):\n    return f'hello {name}'\n"})

    synced = command(own_master, "run", "saltutil.sync_runners", "--out=json")

    assert synced.value == ["runners.greet"]
    assert command(own_master, "run", "greet.hello", "you").out == "hello you\n"
    assert "greet.hello:" in command(own_master, "run", "-d", "greet").out


def test_a_run_that_is_interrupted_goes_on(master, command, begin):
    client = begin(master, "run", "test.sleep", "5")
    assert client.stdout.readline() == "5\n"

    client.send_signal(signal.SIGINT)
    _, err = client.communicate(timeout=60)

    assert client.returncode == 130
    jid = err.strip().rpartition(" ")[2]
    assert f"This run's jid is: {jid}" in err
    assert jid in str(command(master, "run", "jobs.master", "--out=json").value)


def test_state_event_prints_events_and_ends_after_count(master, command, begin):
    listener = begin(master, "run", "state.event", "my/*", "count=1")
    while listener.poll() is None:
        # It may not have subscribed yet: fire until it has heard one.
        command(master, "run", "--quiet", "event.send", "my/event", "{a: 1}")

    tag, _, data = listener.communicate(timeout=60)[0].partition("\t")

    assert tag == "my/event"
    assert data.startswith('{"a": 1, "_stamp": ')


def test_without_a_master_what_needs_none_runs_here(own_master, command, write):
    write(own_master.root / "states", {"one.sls": "a:\n  test.nop: []\n"})
    command(own_master, "run", "test.arg", "1")
    own_master.stop()

    jobs = command(own_master, "run", "jobs.list_jobs", "--out=json")
    shown = command(own_master, "run", "state.orchestrate_show_sls", "one", "--out=json")
    refused = command(own_master, "run", "manage.up")

    assert [job["Function"] for job in jobs.value.values()] == ["runner.test.arg"]
    assert list(shown.value) == ["boss_master"]
    assert refused.code == 2
    assert "manage.up needs the running master" in refused.err
    assert str(own_master.sock_dir) in refused.err


def test_a_runner_that_cannot_do_its_work_is_reported_in_one_line(master, command):
    wrong_target = command(master, "run", "cache.grains", "web1", "globb")
    wrong_source = command(master, "run", "jobs.list_jobs", "ext_source=nosuch")
    wrong_type = command(master, "run", "event.send", "[1, 2]")

    assert [ran.code for ran in (wrong_target, wrong_source, wrong_type)] == [1, 1, 1]
    assert wrong_target.out.startswith("runner cache.grains: target type 'globb' does not exist; known: ")
    assert wrong_source.out.startswith("runner jobs.list_jobs: Requested returner 'nosuch' is not available")
    assert 'Passed invalid arguments: "tag" is a list, expected text\n' in wrong_type.out


def test_a_job_that_was_killed_was_no_success(own_master, start_minion, command):
    start_minion(own_master)
    begun = command(own_master, "cmd", "--async", "--out=json", "m1", "cmd.run", "sleep 60")
    jid = begun.value["jid"]
    until(
        lambda: command(own_master, "cmd", "--out=json", "m1", "saltutil.running").value["m1"], "the job runs"
    )

    command(own_master, "cmd", "m1", "saltutil.kill_job", jid)
    until(lambda: command(own_master, "run", "jobs.lookup_jid", jid, "--out=json").value, "the return")

    assert command(own_master, "run", "jobs.exit_success", jid, "--out=json").value == {"m1": False}


def test_a_stopped_master_shows_pillar_and_files(own_master, command, write):
    write(own_master.root / "pillar", {"top.sls": "base:\n  '*': [a]\n", "a.sls": "role: web\n"})
    own_master.stop()

    assert command(own_master, "run", "pillar.show_pillar", "m1", "--out=json").value == {"role": "web"}
    assert command(own_master, "run", "fileserver.envs", "--out=json").value == ["base"]
    assert command(own_master, "run", "cache.flush", "grains/m1").code == 2


def test_runners_of_users_reach_minions_by_stocks_client(own_master, start_minion, command, write):
    runner = (
        "import salt.client\n"
        "import salt.config\n"
        "from salt.ext import six\n"
        "def ping(tgt):\n"
        "    found = salt.client.LocalClient(mopts=__opts__).cmd(tgt, 'test.ping', timeout=60)\n"
        "    return dict(six.iteritems(found))\n"
    )
    write(own_master.root / "states", {"_runners/asks.py": runner})
    start_minion(own_master, id="m1")
    command(own_master, "run", "saltutil.sync_runners")

    ran = command(own_master, "run", "asks.ping", "m1", "--out=json")

    assert ran.value == {"m1": True}
