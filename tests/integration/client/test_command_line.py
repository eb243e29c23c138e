"""The remote command line from end to end: users, batches, output."""

import concurrent.futures
import json
import os
import re
import signal
import subprocess

import pytest

from tests.support.commands import PROGRAM
from tests.support.waiting import until


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    """Return a master with the minions a, b and c, and a user alice who may log in and call test.ping."""
    passwords = shared_daemons.root / "passwords"
    passwords.write_text("alice:secret\n")
    master = shared_daemons.start_master(
        timeout=3,
        external_auth={"file": {"^filename": str(passwords), "alice": ["test.*"]}},
        cli_summary=False,
    )
    for id in ("a", "b", "c"):
        shared_daemons.start_minion(master, id)
    return master


@pytest.fixture
def run_on_fleet(fleet, salt, daemon_root):
    """Run a command on the fleet as the user who runs the tests; return the Outcome."""

    def run(*words, as_json=False, **more):
        return salt(fleet, *words, as_json=as_json, env={"HOME": str(daemon_root)}, **more)

    return run


@pytest.fixture
def runner(fleet, daemon_root):
    """Return the value of a runner function."""

    def run(*words):
        command = [PROGRAM, "run", "-c", str(fleet.config_dir), "--out=json", *words]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return run


def test_a_password_then_a_token_let_a_user_do_what_is_allowed(run_on_fleet, daemon_root):
    alice = ("-a", "file", "--username", "alice", "--password")

    assert run_on_fleet(*alice, "secret", "a", "test.ping").out == "a:\n    True\n"
    wrong = run_on_fleet(*alice, "wrong", "a", "test.ping")
    assert (wrong.code, wrong.out) == (2, "")
    assert "Authentication" in wrong.err
    more = run_on_fleet(*alice, "secret", "a", "cmd.run", "id")
    assert (more.code, more.out) == (2, "")

    made = run_on_fleet("-T", *alice, "secret", "a", "test.echo", "x")
    token = daemon_root / ".salt_token"
    assert made.out == "a:\n    x\n"
    assert token.stat().st_mode & 0o777 == 0o600
    assert run_on_fleet("-T", "a", "test.echo", "again").out == "a:\n    again\n"


def test_failed_logins_have_one_exit_code(fleet):
    def words(*more):
        ran = subprocess.run(
            [PROGRAM, *more[:1], "-c", str(fleet.config_dir), *more[1:]], capture_output=True, text=True
        )
        return ran.returncode, ran.stderr

    eve = ("--username", "eve", "--password", "x")
    failure = 'Authentication failure of type "eauth" occurred for user eve.\n'

    assert words("run", "-a", "file", *eve, "test.arg") == (2, f"salt-g run: {failure}")
    assert words("key", "--eauth", "file", *eve, "-L") == (2, f"salt-g key: {failure}")
    assert words("run", "-a", "nosuch", *eve, "test.arg") == (
        2,
        'salt-g run: The specified external authentication system "nosuch" is not available\n'
        "Available eauth types: auto, file, ldap, oidc, pam, rest, sharedsecret,"
        " and users' modules (_auth)\n",
    )


def test_a_detached_batch_reports_a_target_without_minions(run_on_fleet):
    nobody = run_on_fleet("zzz*", "test.ping", "-b", "1", "--async")
    some = run_on_fleet("*", "test.ping", "-b", "1", "--async")

    assert (nobody.code, nobody.out) == (
        2,
        "No minions matched the target. No command was sent, no jid was assigned.\n",
    )
    assert some.code == 0
    assert some.out.startswith("Executed batch command with job ID: 2")


def test_settings_turn_large_jobs_into_batches(fleet, run_on_fleet):
    more = fleet.config_dir / "master.d" / "batches.conf"
    more.parent.mkdir(exist_ok=True)
    more.write_text("batch_safe_limit: 3\nbatch_safe_size: '2'\n")
    try:
        safe, given = run_on_fleet("*", "test.ping"), run_on_fleet("*", "test.ping", "--batch-safe-limit=4")
    finally:
        more.unlink()

    assert "NOTICE: Too many minions targeted, switching to batch execution." in safe.out
    assert safe.out.count("Executing run on [") == 2
    assert "NOTICE" not in given.out


def test_batches_wait_stop_and_take_parts(run_on_fleet):
    quarter = run_on_fleet("*", "test.ping", "-b", "34%")
    assert quarter.out.count("Executing run on [") == 3

    waiting = run_on_fleet("*", "test.ping", "-b", "2", "--batch-wait", "0.5")
    assert (waiting.code, waiting.out.count("True")) == (0, 3)

    safe = run_on_fleet("*", "test.ping", "--batch-safe-limit", "3", "--batch-safe-size", "2")
    assert "NOTICE: Too many minions targeted, switching to batch execution." in safe.out
    assert run_on_fleet("*", "test.ping", "--batch-safe-limit", "4").out.count("NOTICE") == 0

    halted = run_on_fleet("*", "test.retcode", "7", "-b", "1", "--failhard")
    assert (halted.code, halted.out.count("Executing run on [")) == (7, 1)

    wrong = run_on_fleet("*", "test.ping", "-b", "many")
    assert wrong.code == 2
    assert wrong.err.startswith("salt-g cmd: Invalid batch data sent: many\n")


def test_a_job_is_left_alone_and_found_again(run_on_fleet, runner):
    left = run_on_fleet("*", "test.echo", "later", "--async", "--metadata", "{ticket: 42}")
    jid = re.fullmatch(r"Executed command with job ID: (\d{20})\n", left.out)[1]

    returned = until(lambda: len(got := runner("jobs.lookup_jid", jid)) == 3 and got, "three returns")
    found = runner("jobs.list_jobs", "search_metadata={ticket: 42}")
    others = runner("jobs.list_jobs", "search_metadata={ticket: 43}")

    assert returned == dict.fromkeys("abc", "later")
    assert list(found) == [jid]
    assert found[jid]["Metadata"] == {"ticket": 42}
    assert others == {}


def test_jobs_under_way_are_reported(run_on_fleet, runner):
    left = run_on_fleet("L@a,b", "-C", "test.sleep", "60", "--async")
    jid = left.out.split()[-1]

    active = until(lambda: runner("jobs.active").get(jid), "the job is under way")
    ended = run_on_fleet("*", "saltutil.kill_job", jid)

    assert active["Function"] == "test.sleep"
    assert sorted(id for entry in active["Running"] for id in entry) == ["a", "b"]
    assert active["Returned"] == []
    assert ended.code == 0
    until(lambda: jid not in runner("jobs.active"), "the job has ended")


def test_arguments_come_from_standard_input_and_a_file_takes_the_output(run_on_fleet, daemon_root):
    result = run_on_fleet("a", "test.arg", "--args-stdin", "--out=json", stdin="one\nx=2\n")
    assert json.loads(result.out)["a"]["args"] == ["one"]
    assert json.loads(result.out)["a"]["kwargs"]["x"] == 2

    out = daemon_root / "out"
    kept = run_on_fleet("a", "test.echo", "x", "--out=yaml", f"--out-file={out}")
    assert (kept.out, out.read_text()) == ("", "a: x\n")


@pytest.mark.parametrize("more", [(), ("-b", "1"), ("--static",)], ids=["all", "batch", "static"])
def test_a_file_takes_the_returns_of_all_minions_and_loses_what_it_had(run_on_fleet, daemon_root, more):
    out = daemon_root / "out"
    out.write_text("earlier\n")

    kept = run_on_fleet("*", "test.echo", "x", "--out=yaml", f"--out-file={out}", *more)
    one = [line for line in out.read_text().splitlines() if line.endswith(": x")]
    again = run_on_fleet("a", "test.echo", "y", "--out=yaml", f"--out-file={out}", "--out-file-append")

    assert (kept.code, again.code) == (0, 0)
    assert sorted(one) == ["a: x", "b: x", "c: x"]
    assert "earlier" not in out.read_text()
    assert out.read_text().endswith("a: y\n")


def test_a_file_that_cannot_be_written_is_reported_before_anything_is_done(run_on_fleet, daemon_root):
    made = daemon_root / "made"
    nowhere = run_on_fleet("a", "file.touch", str(made), f"--out-file={daemon_root}/no/where")
    full = run_on_fleet("a", "test.ping", "--out-file=/dev/full")
    batch = run_on_fleet("a", "test.ping", "--out-file=/dev/full", "-b", "1")

    assert nowhere.code == 64
    assert nowhere.err == f"--out-file: {daemon_root}/no/where: No such file or directory\n"
    assert not made.exists()
    assert (full.code, batch.code) == (1, 1)
    assert "--out-file: /dev/full: No space left on device" in full.err


def test_a_prompt_without_a_terminal_is_an_error_with_advice(run_on_fleet):
    for words in (("-a", "file"), ("-a", "file", "--username", "alice")):
        ended = run_on_fleet(*words, "a", "test.ping")

        assert (ended.code, ended.out.replace("username: ", "")) == (1, "")
        assert "give --username and --password" in ended.err
        assert "Traceback" not in ended.err


def test_states_are_shown_with_their_summary(fleet, run_on_fleet):
    (fleet.root / "states" / "two.sls").write_text(
        "one:\n  test.nop: []\ntwo:\n  test.fail_without_changes: []\n"
    )

    full = run_on_fleet("a", "state.apply", "two")
    terse = run_on_fleet("a", "state.apply", "two", "--state-output=terse")

    assert full.code == 1
    assert full.out.startswith("a:\n----------\n          ID: one\n    Function: test.nop\n")
    assert "Succeeded: 1\nFailed:    1\n" in full.out
    assert full.err == "ERROR: Minions returned with non-zero exit code\n"
    assert "  Name: one - Function: test.nop - Result: Clean" in terse.out


def test_returners_of_a_job_run_on_the_minion(fleet, run_on_fleet, tmp_path):
    returns = tmp_path / "returns"

    keywords = f"--return_kwargs={{filename: {returns}}}"
    result = run_on_fleet("a", "test.echo", "kept", "--return=rawfile_json", keywords)

    assert result.out == "a:\n    kept\n"
    until(lambda: returns.exists() and json.loads(returns.read_text())["return"] == "kept", "the return")


def test_a_master_that_goes_away_is_reported_with_the_job(start_master, start_minion):
    master = start_master()
    start_minion(master, "a")
    command = [PROGRAM, "cmd", "-c", str(master.config_dir), "--show-jid", "a", "test.sleep", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        title = running.stdout.readline()
        master.kill()
        _out, err = running.communicate(timeout=60)
    master.start()

    assert title.startswith("jid: ")
    assert running.returncode == 2
    assert "the master has closed" in err
    assert len(err.splitlines()) <= 2


def test_twenty_commands_at_once_are_answered(fleet, run_on_fleet):
    with concurrent.futures.ThreadPoolExecutor(20) as threads:
        result = list(
            threads.map(lambda number: run_on_fleet("*", "test.echo", str(number), as_json=True), range(20))
        )

    assert [one.minions for one in result] == [dict.fromkeys("abc", number) for number in range(20)]


def test_interrupted_batches_go_on_and_the_command_prints_how_to_stop_them(fleet, run_on_fleet, runner):
    command = [PROGRAM, "cmd", "-c", str(fleet.config_dir), "*", "test.sleep", "2", "-b", "1"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    ) as running:
        while "Executing run on" not in (line := running.stdout.readline()):
            assert line
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    jid = re.search(r"jid is: (\d{20})", err)[1]

    assert running.returncode == 1
    assert f"salt-g run batch.stop {jid}" in err
    until(lambda: runner("jobs.lookup_jid", jid) == dict.fromkeys("abc", True), "all three have returned")
