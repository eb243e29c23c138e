"""`cmd.run` and its relatives, with real commands."""

import os

import pytest

from salt_g import api
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import cmd

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may switch users")


@pytest.fixture(autouse=True)
def context(call_context):
    return call_context()


def test_calls_from_modules_use_no_shell():
    assert cmd.run("echo $HOME; id") == "$HOME; id"


def test_calls_from_outside_use_a_shell():
    assert cmd.run("echo $((1 + 2)) | cat", __pub_jid="20260101000000000000") == "3"


def test_run_all_keeps_errors_apart_and_the_retcode():
    done = cmd.run_all("echo o; echo e >&2; exit 2", python_shell=True)

    assert (done["retcode"], done["stdout"], done["stderr"]) == (2, "o", "e")
    assert api.scratch["retcode"] == 2


def test_ignore_retcode_leaves_the_job_successful():
    cmd.run("exit 3", python_shell=True, ignore_retcode=True)

    assert api.scratch["retcode"] == 0


def test_success_retcodes_and_texts_count_as_success():
    assert cmd.retcode("exit 4", python_shell=True, success_retcodes="4, 5") == 0
    assert cmd.retcode("echo fine; exit 4", python_shell=True, success_stdout=["fine"]) == 0


def test_success_retcodes_must_be_numbers():
    with pytest.raises(InvocationError, match="success_retcodes must be a list of integers"):
        cmd.retcode("true", success_retcodes="x")


def test_a_time_limit_gives_stock_s_text_and_retcode():
    done = cmd.run_all("sleep 5", timeout=0.2, python_shell=True)

    assert (done["stdout"], done["retcode"]) == ("sleep 5 : Timed out after 0.2 seconds", 1)


def test_raise_err_raises_with_the_output():
    with pytest.raises(CommandExecutionError, match="^bad$"):
        cmd.run("echo bad; exit 1", python_shell=True, raise_err=True)


@pytest.mark.parametrize("python_shell", [True, False])
def test_the_programs_true_and_false_may_arrive_as_booleans(python_shell):
    assert [cmd.retcode(name, python_shell=python_shell) for name in (True, False)] == [0, 1]


def test_a_missing_program_is_named():
    with pytest.raises(CommandExecutionError, match=r"Unable to run command '\['nosuchcmd'\]'.*No such file"):
        cmd.run("nosuchcmd")


def test_a_missing_directory_is_named():
    with pytest.raises(CommandExecutionError, match="Specified cwd '/nonexistent' either not absolute"):
        cmd.run("pwd", cwd="/nonexistent")


def test_env_takes_a_mapping_or_a_list():
    assert cmd.run("echo $X", env={"X": 1}, python_shell=True) == "1"
    assert cmd.run("echo $X$Y", env=[{"X": "a"}, {"Y": "b"}], python_shell=True) == "ab"


def test_clean_env_leaves_out_ours(monkeypatch):
    monkeypatch.setenv("OURS", "1")

    shown = cmd.run("env", clean_env=True, prepend_path="/first", env={"PATH": "/usr/bin:/bin"})

    assert "OURS" not in shown
    assert "PATH=/first:/usr/bin:/bin" in shown


def test_stdin_from_a_command_line_has_newlines():
    assert cmd.run("cat", stdin="a\\nb") == "a\nb"


def test_umask_zero_is_refused():
    with pytest.raises(CommandExecutionError, match="Zero umask is not allowed."):
        cmd.run("umask", umask="000")


def test_blacklisted_commands_from_outside_are_refused(context, call_context):
    call_context(opts={"cmd_blacklist_glob": ["rm *"]})

    with pytest.raises(CommandExecutionError, match='The shell command "rm -rf /" is not permitted'):
        cmd.run("rm -rf /", __pub_jid="20260101000000000000")


def test_run_bg_answers_with_a_pid_at_once():
    assert cmd.run_bg("sleep 1")["pid"] > 0


def test_hide_output_hides():
    assert cmd.run("echo x", hide_output=True) == ""


@needs_root
def test_runas_runs_in_the_environment_of_the_user():
    shown = cmd.run("id -un; echo $USER", runas="nobody", cwd="/", python_shell=True)

    assert shown == "nobody\nnobody"


def test_exec_code_runs_code_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    assert cmd.exec_code("python3", "import sys; print(sys.argv[1:])", args=["a"]) == "['a']"
    assert list(tmp_path.iterdir()) == []


def test_script_gets_its_arguments_and_goes_away(call_context, tmp_path, monkeypatch):
    source = tmp_path / "source"
    source.write_text("#!/bin/sh\necho got $1 $2\n")
    (tmp_path / "run").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "run"))
    call_context(functions={"cp.cache_file": lambda url, saltenv: str(source)})

    done = cmd.script("salt://s.sh", "'one two' three")

    assert done["stdout"] == "got one two three"
    assert list((tmp_path / "run").iterdir()) == []


def test_a_missing_script_is_a_cache_error(call_context):
    call_context(functions={"cp.cache_file": lambda url, saltenv: ""})

    done = cmd.script("salt://nope.sh")

    assert done == {"pid": 0, "retcode": 1, "stdout": "", "stderr": "", "cache_error": True}


def test_shells_and_programs_are_found():
    assert cmd.has_exec("sh") and not cmd.has_exec("no-such-program")
    assert cmd.which_bin(["no-such-program", "sh"]) == cmd.which("sh")
    assert cmd.shell_info("nosuchshell")["installed"] is None


def test_a_missing_terminal_is_an_error():
    assert cmd.tty("nottty") == {"Error": "The specified device is not a valid TTY"}


def test_passwords_in_output_and_before_a_command_are_not_logged(caplog):
    caplog.set_level("DEBUG")
    prints = (
        'PGPASSWORD=s3cret printenv | sed -n "s/PGPASSWORD=/password = /p"; echo token: s3cret >&2; exit 3'
    )

    assert cmd.run_all(prints, python_shell=True)["stdout"] == "password = s3cret"

    assert "stdout: password = REDACTED" in caplog.text
    assert "stderr: token: REDACTED" in caplog.text
    logged = [line.partition("command in ")[0] for line in caplog.messages]
    assert "'PGPASSWORD=REDACTED' failed with return code: 3" in caplog.text
    assert not [line for line in logged if "s3cret" in line]
