"""Calls that cannot succeed: functions, arguments, plugins, programs, disks, signals."""

import json
import os
import signal
import subprocess

import pytest
import yaml

from tests.support.waiting import until


def start(salt_g, *words):
    """Start the real command and return the process."""
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    return subprocess.Popen(
        [salt_g.program, "call", "-c", str(salt_g.conf), "--local", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )


def test_an_unknown_function_is_refused_with_the_nearest_names(salt_g):
    outcome = salt_g("test.pign")

    assert outcome.code == 255
    assert "'test.pign' is not available." in outcome.err
    assert "test.ping" in outcome.err
    assert "Traceback" not in outcome.err


def test_an_unknown_module_is_refused(salt_g):
    outcome = salt_g("nonsense.run")

    assert outcome.code == 255
    assert "'nonsense.run' is not available." in outcome.err


def test_a_missing_argument_is_refused_with_the_usage_line(salt_g):
    outcome = salt_g("test.echo")

    assert outcome.code == 1
    assert "Passed invalid arguments" in outcome.err and "text" in outcome.err
    assert outcome.out == "" and "test.echo TEXT\n" in outcome.err
    assert "Traceback" not in outcome.err


def test_superfluous_arguments_are_refused_with_the_usage_line(salt_g):
    outcome = salt_g("test.ping", "one", "two")

    assert outcome.code == 1
    assert "Passed invalid arguments" in outcome.err
    assert "Usage:" in outcome.err


def test_an_unknown_keyword_is_refused_with_the_nearest(salt_g):
    outcome = salt_g("file.file_exists", "pth=/etc")

    assert outcome.code == 1
    assert "The following keyword arguments are not valid: pth=/etc" in outcome.err
    assert "path=" in outcome.err


def test_a_plugin_with_a_syntax_error_is_named_and_others_still_load(salt_g):
    salt_g.write(
        {
            "_modules/broken.py": "def one():\n    return (\n",
            "_modules/whole.py": "def one():\n    return 1\n",
        }
    )
    salt_g("saltutil.sync_modules")

    broken, whole = salt_g("broken.one"), salt_g("whole.one")

    assert broken.code == 255
    assert "broken.py" in broken.err and "line 2" in broken.err
    assert whole.value == 1 and whole.code == 0


def test_a_plugin_that_lacks_its_library_says_which(salt_g):
    salt_g.write({"_modules/needy.py": "import no_such_library\n\ndef one():\n    return 1\n"})
    salt_g("saltutil.sync_modules")

    outcome = salt_g("needy.one")

    assert outcome.code == 255
    assert "no_such_library" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_function_that_raises_ends_with_its_traceback(salt_g):
    salt_g.write({"_modules/mine.py": "def bad():\n    raise ValueError('inside')\n"})
    salt_g("saltutil.sync_modules")

    outcome = salt_g("mine.bad")

    assert outcome.code == 1
    assert "mine.py" in outcome.err and "ValueError: inside" in outcome.err
    assert outcome.out == ""


def test_a_function_that_cannot_do_its_work_is_reported_in_one_line(salt_g):
    outcome = salt_g("cmd.run", "true", "runas=nobody-knows-him")

    assert outcome.code == 1
    assert "Error running 'cmd.run': User 'nobody-knows-him' is not available" in outcome.err
    assert "Traceback" not in outcome.err


def test_output_that_is_not_utf8_is_shown_with_replacements(salt_g):
    outcome = salt_g("cmd.run", r"printf 'a\377b'")

    assert outcome.code == 0
    assert outcome.value == "a\ufffdb"


def test_a_command_that_never_ends_is_killed_with_all_its_children(salt_g):
    marker = salt_g.root / "pid"

    outcome = salt_g(
        "cmd.run", f"sleep 600 & echo $! > {marker}; wait", "timeout=1", "python_shell=True", timeout=20
    )

    # Exit code 0 is stock's, which a conformance case pins; cmd.run_all and the state `cmd.run` have the 1.
    assert outcome.code == 0
    assert outcome.value.endswith(": Timed out after 1 seconds")
    assert not os.path.exists(f"/proc/{marker.read_text().strip()}/exe") or is_zombie(marker)


def is_zombie(marker):
    with open(f"/proc/{marker.read_text().strip()}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] == "Z"


def test_a_program_that_is_missing_is_named(salt_g):
    outcome = salt_g("cmd.run", "/nowhere/to/be/found", "python_shell=False")

    assert outcome.code == 1
    assert "/nowhere/to/be/found" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else")
def test_a_program_that_may_not_be_run_is_named(salt_g):
    program = salt_g.root / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o600)

    outcome = salt_g("cmd.run", program, "python_shell=False")

    assert outcome.code == 1
    assert str(program) in outcome.err
    assert "Traceback" not in outcome.err


def test_a_cache_directory_that_is_a_file_is_named(salt_g):
    (salt_g.root / "cache").write_text("in the way")
    salt_g.write({"a.sls": "a: {test.nop: []}\n"})

    outcome = salt_g("state.apply", "a")

    assert outcome.code != 0
    assert str(salt_g.root / "cache") in outcome.err + outcome.out
    assert "Traceback" not in outcome.err


def test_ctrl_c_ends_the_call_with_130_and_kills_the_command(salt_g):
    marker = salt_g.root / "started"
    os.mkfifo(marker)
    process = start(salt_g, "cmd.run", f"echo $$ > {marker}; exec sleep 600", "python_shell=True")
    child = int(marker.read_text())

    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert "Traceback" not in err
    # The process that adopted it reaps it in its own time; one that has ended has no program any more.
    until(lambda: not os.path.exists(f"/proc/{child}/exe"), "the end of the command")


def test_ctrl_c_does_not_wait_for_parallel_states(salt_g):
    marker = salt_g.root / "started"
    os.mkfifo(marker)
    wait = f"echo $$ > {marker}; exec sleep 600"
    salt_g.write({"two.sls": json.dumps({"a": {"cmd.run": [{"name": wait}, {"parallel": True}]}})})
    process = start(salt_g, f"--file-root={salt_g.states}", "state.apply", "two")
    child = int(marker.read_text())

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)

    assert process.returncode == 130
    until(lambda: not os.path.exists(f"/proc/{child}/exe"), "the end of the command")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminated_call_ends_its_command_too(salt_g, number):
    marker = salt_g.root / "started"
    os.mkfifo(marker)
    before = signal.signal(number, signal.SIG_DFL)  # The tests themselves may run under nohup.
    try:
        process = start(salt_g, "cmd.run", f"echo $$ > {marker}; exec sleep 600", "python_shell=True")
    finally:
        signal.signal(number, before)
    child = int(marker.read_text())

    process.send_signal(number)
    out, err = process.communicate(timeout=20)

    assert (process.returncode, out, err) == (128 + number, "", "")
    until(lambda: not os.path.exists(f"/proc/{child}/exe"), "the end of the command")


def test_a_call_under_nohup_goes_on_when_its_terminal_closes(salt_g):
    marker = salt_g.root / "started"
    os.mkfifo(marker)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = start(salt_g, "cmd.run", f"cat {marker}", "python_shell=True")
    finally:
        signal.signal(signal.SIGHUP, before)
    with open(marker, "w") as file:
        process.send_signal(signal.SIGHUP)
        file.write("still here")
    out, _ = process.communicate(timeout=20)

    assert process.returncode == 0
    assert "still here" in out


def run_with(salt_g, redirections, *words):
    """Run a local call with shell redirections."""
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    command = [salt_g.program, "call", "-c", str(salt_g.conf), "--local", *words]
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirections}', "sh", *command],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )


def test_streams_that_are_closed_are_not_crashes(salt_g):
    closed = run_with(salt_g, ">&- <&-", "test.ping")
    program = run_with(salt_g, "<&- 2>&-", "cmd.run", "echo out; echo err >&2; cat", "python_shell=True")

    assert (closed.returncode, closed.stdout, closed.stderr) == (0, "", "")
    assert program.returncode == 0
    assert program.stdout == "local:\n    out\n    err\n"


def test_a_full_disk_behind_standard_output_is_reported_in_one_line(salt_g):
    printed = run_with(salt_g, "> /dev/full", "test.ping")
    kept = run_with(salt_g, "> /dev/full", "--doc", "test.ping")

    assert (printed.returncode, kept.returncode) == (1, 1)
    for ended in (printed, kept):
        assert ended.stderr.startswith("salt-g: ") and ended.stderr.count("\n") == 1
        assert "No space left on device" in ended.stderr


def test_a_character_outside_the_terminals_encoding_is_escaped(salt_g):
    shown = salt_g("test.echo", "gr\u00fcn\u2026 a\udcffb", as_json=False, env={"PYTHONIOENCODING": "ascii"})

    assert shown.code == 0
    assert shown.out == "local:\n    gr\\xfcn\\u2026 a\udcffb\n"


def test_a_reader_that_goes_away_is_not_a_crash(salt_g):
    process = start(salt_g, "test.arg", *["word" * 20] * 2000)

    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=20)

    assert "Traceback" not in err


def test_a_failing_returner_does_not_hide_the_result(salt_g):
    missing = salt_g("test.ping", "--return=nosuch")
    failing = salt_g("test.ping", "--return=rawfile_json", **{"rawfile_json.filename": "/no/where"})

    assert [missing.value, failing.value] == [True, True]
    assert "cannot send the result to returner nosuch: 'nosuch.returner' is not available." in missing.err
    assert "cannot send the result to returner rawfile_json: " in failing.err
    assert "Traceback" not in missing.err + failing.err


def test_returners_of_the_settings_get_results_of_calls_unless_others_are_named(salt_g, tmp_path):
    kept = tmp_path / "kept"
    settings = {"return": "rawfile_json", "rawfile_json.filename": str(kept)}

    salt_g("test.ping", **settings)
    first = kept.read_text()
    named = salt_g("test.ping", "--return=nosuch", **settings)

    assert '"test.ping"' in first
    assert "returner nosuch" in named.err
    assert kept.read_text() == first
