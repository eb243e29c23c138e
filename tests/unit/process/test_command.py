"""Programs run in their own process groups, as other users, within time limits."""

import os
import select
import sys

import pytest

from salt_g.errors import CommandExecutionError, CommandNotFound, CommandTimeout
from salt_g.process import command

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may switch users")


def test_output_and_retcode_come_back():
    done = command.run(["sh", "-c", "echo out; echo err >&2; exit 3"])

    assert (done.out, done.err, done.retcode) == ("out\n", "err\n", 3)


@needs_root
def test_a_file_is_passed_to_a_user_that_may_not_open_it(tmp_path):
    path = tmp_path / "ours"
    path.touch(mode=0o600)

    with open(path, "rb") as file:
        words = ["readlink", f"/proc/self/fd/{file.fileno()}"]
        done = command.run(words, cwd="/", who=command.identity("nobody"), pass_fds=[file.fileno()])

    assert done.out == f"{path}\n"


def test_output_that_is_not_utf8_is_replaced():
    done = command.run(["printf", r"a\377b"])

    assert done.out == "a\ufffdb"


def test_an_encoding_that_python_lacks_is_named():
    with pytest.raises(CommandExecutionError, match="no-such-encoding"):
        command.decode(b"x", "no-such-encoding")


def test_a_time_limit_kills_the_children_too(tmp_path):
    pid_file = tmp_path / "pid"

    with pytest.raises(CommandTimeout) as caught:
        command.run(["sh", "-c", f"sleep 60 & echo $! > {pid_file}; wait"], timeout=0.3)

    assert caught.value.pid > 0
    assert _ends(int(pid_file.read_text()))


def test_a_time_limit_kills_a_child_that_left_the_group(tmp_path):
    pid_file = tmp_path / "pid"
    script = f"setsid sh -c 'echo $$ > {pid_file}; exec sleep 60' & wait"

    with pytest.raises(CommandTimeout):
        command.run(["sh", "-c", script], timeout=1)

    assert _ends(int(pid_file.read_text()))


def test_a_child_that_left_the_group_does_not_hold_us():
    with pytest.raises(CommandTimeout):
        command.run(["setsid", "-w", "sleep", "3"], timeout=0.2)


def test_a_missing_program_is_named():
    with pytest.raises(CommandNotFound, match="no-such-program"):
        command.run(["no-such-program"])


def test_a_file_that_is_not_a_program_is_named():
    with pytest.raises(CommandExecutionError, match="'/etc/passwd' cannot be started: .*Permission denied"):
        command.run(["/etc/passwd"])


def test_a_missing_directory_is_named(tmp_path):
    missing = str(tmp_path / "missing")

    with pytest.raises(CommandExecutionError, match=f"cannot run in '{missing}'"):
        command.run(["true"], cwd=missing)


def test_stdin_and_umask_reach_the_program():
    done = command.run(["sh", "-c", "cat; umask"], stdin=b"text ", umask=0o27)

    assert done.out == "text 0027\n"


def test_which_looks_beyond_a_short_path(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")

    assert command.which("sh") in ("/bin/sh", "/usr/bin/sh")
    assert command.which("no-such-program") is None


def test_an_unknown_user_is_named():
    with pytest.raises(CommandExecutionError, match="User 'nosuchuser' is not available"):
        command.identity("nosuchuser")


@needs_root
def test_a_program_runs_as_another_user_with_its_groups():
    done = command.run(["id", "-un"], cwd="/", who=command.identity("nobody"))

    assert done.out == "nobody\n"


@needs_root
def test_the_login_environment_is_that_of_the_user():
    environment = command.login_environment(command.identity("nobody"), "/bin/sh")

    assert environment["USER"] == environment["LOGNAME"] == "nobody"
    assert environment["HOME"] == command.identity("nobody").home


def test_works_the_same_with_gevent_patched():
    source = (
        "from gevent import monkey; monkey.patch_all()\n"
        "from salt_g import errors\nfrom salt_g.process import command\n"
        "assert command.run(['sh', '-c', 'cat; umask'], stdin=b'x', umask=0o27).out == 'x0027\\n'\n"
        "try: command.run(['setsid', '-w', 'sleep', '3'], timeout=0.2)\n"
        "except errors.CommandTimeout: print('killed')\n"
    )

    done = command.run([sys.executable, "-W", "error", "-c", source])

    assert (done.out, done.err) == ("killed\n", "")


def _ends(pid):
    """Wait until a process is gone or a zombie, at most five seconds."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 5)[0])
    finally:
        os.close(handle)


def test_a_command_is_logged_with_its_secrets_redacted(caplog):
    caplog.set_level("DEBUG", "salt_g.process.command")

    command.run(["true", "--password", "s3cret"], cwd="/")

    assert [record.getMessage() for record in caplog.records] == ["command in /: true --password REDACTED"]


def test_a_secret_command_is_not_logged(caplog):
    caplog.set_level("DEBUG", "salt_g.process.command")

    command.run(["true", "s3cret"], is_logged=False)

    assert not caplog.records
