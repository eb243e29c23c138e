"""Command lines of stock Salt 3008: the same results and exit codes here."""

import json
import shutil

import pytest

from tests.support.commands import Machine, outcome_of


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    """Return a master and its own minion m1, whose settings share one directory."""
    master = shared_daemons.start_master(id="boss_master", timeout=5, show_jid=False)
    minion = shared_daemons.start_minion(master, "m1")
    shutil.copy(master.config_dir / "master", minion.config_dir / "master")
    master.minion = minion
    return master


@pytest.fixture
def run_command():
    """Return a function: `run_command(daemon, "run", "test.arg")` runs `salt-g run -c ... test.arg`.

    The command uses the settings of the daemon.
    """

    def run(daemon, name, *words):
        return outcome_of(
            [Machine.program, name, "-c", str(daemon.config_dir), *words], stdin="", timeout=120
        )

    return run


@pytest.fixture
def command(fleet, run_command):
    """Return the same function with the settings of the master, or of another daemon given as `of`."""
    return lambda *words, of=None: run_command(of or fleet, *words)


def read(ran):
    """Return the whole standard output as JSON."""
    return json.loads(ran.out)


def test_a_run_takes_a_jid_and_shows_it(command, fleet):
    jid = "20260101010101010101"

    ran = command("run", "--jid", jid, "test.arg", "1", "--out=json")
    again = command("run", "--jid", jid, "test.arg", "2")
    wrong = command("run", "--jid", "7", "test.arg")

    assert (ran.code, read(ran)) == (0, {"args": [1], "kwargs": {}})
    kept = read(command("run", "jobs.lookup_jid", jid, "--out=json"))
    assert kept["boss_master"]["return"]["args"] == [1]
    assert again.code == 2
    assert f"another job with the jid {jid}" in again.err
    assert (wrong.code, "'7' is not a valid JID" in wrong.err) == (64, True)
    detached = command("run", "--async", "--jid", "20260101010101010102", "test.arg")
    assert detached.err.strip().endswith("salt/run/20260101010101010102")


def test_show_jid_is_printed_before_the_result_of_a_run(run_command, start_master):
    talkative = start_master(show_jid=True)

    plain = run_command(talkative, "run", "--jid", "20260101010101010103", "test.arg")
    as_json = run_command(talkative, "run", "test.arg", "--out=json")

    assert plain.out.startswith("jid: 20260101010101010103\nargs:")
    assert read(as_json) == {"args": [], "kwargs": {}}
    assert as_json.err.startswith("jid: ")


def test_running_runners_have_a_stamp(command):
    running = read(command("run", "jobs.master", "--out=json"))
    [one] = [one for one in running if one["fun"] == "runner.jobs.master"]

    assert one["_stamp"].endswith("+00:00")


@pytest.mark.parametrize("program", ["cmd", "call"])
def test_saltutil_reaches_the_master_on_the_minion_s_own_machine(command, fleet, program):
    def value_of(*words):
        if program == "cmd":
            return read(command("cmd", "m1", *words, "--out=json"))["m1"]
        return read(command("call", *words, "--out=json", of=fleet.minion))["local"]

    keys = value_of("saltutil.wheel", "key.list_all")
    assert (keys["fun"], keys["return"]["minions"]) == ("wheel.key.list_all", ["m1"])
    assert value_of("saltutil.runner", "test.arg", "arg=[1]")["args"] == [1]
    assert value_of("saltutil.runner", "test.arg", "full_return=True")["fun"] == "runner.test.arg"
    assert value_of("saltutil.cmd", "m1", "test.ping")["m1"]["ret"] is True
    assert value_of("saltutil.cmd", "m1", "test.ping", "subset=1")["m1"]["ret"] is True


def test_a_minion_without_a_master_beside_it_refuses_calls_of_the_master(
    run_command, start_master, start_minion, daemon_root
):
    away = start_minion(start_master(), "m2", root_dir=str(daemon_root / "elsewhere"))

    outcome = run_command(away, "call", "saltutil.runner", "test.arg")

    assert outcome.code == 1
    assert "a minion that is located on the master" in outcome.err


def test_a_module_s_name_alone_prints_its_functions(command, fleet):
    result = command("call", "test", "--out=json", of=fleet.minion)
    unknown = command("call", "nosuch", of=fleet.minion)

    assert result.code == 1
    assert read(result)["local"]["test"] == "'test' is not available."
    assert "test.ping" in read(result)["local"]
    assert (unknown.code, "'nosuch' is not available.\n" in unknown.err) == (255, True)


@pytest.fixture
def settings(tmp_path):
    """Return a directory with settings of a master and a minion that are not running."""
    for role in ("master", "minion"):
        (tmp_path / role).write_text(f"root_dir: {tmp_path}\nid: m1\n")
    return tmp_path


@pytest.mark.parametrize("program", ["cmd", "call", "run", "key", "cp", "master", "minion", "event", "top"])
def test_the_version_is_printed_after_other_options(program, settings):
    with_settings = outcome_of([Machine.program, program, "-c", str(settings), "--version"])
    bare = outcome_of([Machine.program, "-c", str(settings), "--version"])

    assert (with_settings.code, bare.code) == (0, 0)
    assert bare.out.startswith("salt-g ")
    assert with_settings.out == bare.out


@pytest.mark.parametrize("words", [["cmd", "*", "-d"], ["run", "-d"], ["call", "-d"]])
def test_documentation_of_two_functions_is_wrong_usage(words, settings):
    program, *more = words

    outcome = outcome_of([Machine.program, program, "-c", str(settings), *more, "test.ping", "test.echo"])

    assert outcome.code == 64
    assert "You can only get documentation for one method at one time" in outcome.err


def test_a_target_without_a_function_and_a_mistyped_daemon_say_what_to_do(settings):
    alone = outcome_of([Machine.program, "-c", str(settings), "web1"])
    daemon = outcome_of([Machine.program, "mastr", "-c", str(settings), "-d"])

    assert (alone.code, "salt-g web1 test.ping" in alone.err) == (255, True)
    assert daemon.code == 64
    assert daemon.err == (
        "salt-g: there is no subcommand 'mastr': did you mean salt-g master? (a minion needs a function)\n"
    )


def test_documentation_without_a_minion_names_the_reason(command):
    outcome = command("cmd", "nobody", "-d", "test.ping")

    assert (outcome.code, outcome.err) == (2, "No minions found to gather docs from\n")


@pytest.mark.parametrize(
    "words",
    [
        ["key", "--user", "nosuchuser", "-L"],
        ["call", "--local", "--priv", "nosuchuser", "test.ping"],
        ["master", "-u", "nosuchuser"],
        ["minion", "-u", "nosuchuser"],
    ],
)
def test_an_unknown_user_has_its_exit_code(words, settings):
    outcome = outcome_of([Machine.program, words[0], "-c", str(settings), *words[1:]])

    assert outcome.code == 67
    assert "The user is not available." in outcome.err


@pytest.mark.parametrize("option", ["-p", "-f"])
def test_a_key_listing_without_keys_is_an_empty_object(option, settings):
    outcome = outcome_of([Machine.program, "key", "-c", str(settings), option, "NOBODY", "--out=json"])

    assert (outcome.code, read(outcome)) == (0, {})


def test_only_json_is_on_standard_output(command):
    def json_outcome(*words):
        return command("cmd", *words, "--out=json")

    nobody = json_outcome("nobody", "test.ping")
    batch = json_outcome("m1", "test.ping", "-b", "1", "--static")
    empty_batch = json_outcome("nobody", "test.ping", "-b", "1")
    detached = json_outcome("m1", "test.ping", "--async")
    verbose = json_outcome("m1", "test.ping", "-v", "--summary")

    assert (nobody.code, read(nobody)) == (2, {})
    assert "No minions matched" in nobody.err
    assert read(batch) == {"m1": True}
    assert (empty_batch.code, read(empty_batch)) == (2, {})
    assert read(detached)["jid"].isdigit()
    assert read(verbose) == {"m1": True}
    refused = command("key", "-a", "nobody", "--out=json")
    assert (read(refused), "does not match any" in refused.err) == ({}, True)
