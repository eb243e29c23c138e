"""`salt-g TARGET FUNCTION` with a real master and real minions."""

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios

import pytest

from tests.support.commands import PROGRAM


@pytest.fixture(scope="module")
def fleet(shared_daemons):
    """Return a master with the minions a and b."""
    master = shared_daemons.start_master(nodegroups={"both": "L@a,b"})
    for id in ("a", "b"):
        shared_daemons.start_minion(master, id)
    return master


def test_commands_and_their_exit_codes(fleet, salt):
    ping = salt(fleet, "*", "test.ping")
    assert (ping.code, ping.minions) == (0, {"a": True, "b": True})

    failing = salt(fleet, "a", "cmd.run", "exit 3")
    assert (failing.code, failing.minions) == (1, {"a": ""})
    assert failing.err == "ERROR: Minions returned with non-zero exit code\n"

    nobody = salt(fleet, "zzz*", "test.ping", as_json=False)
    assert nobody.code == 2
    assert nobody.out == "No minions matched the target. No command was sent, no jid was assigned.\n"
    assert nobody.err == "ERROR: No return received\n"

    unknown = salt(fleet, "a", "no.such")
    assert (unknown.code, unknown.minions) == (1, {"a": "'no.such' is not available."})

    group = salt(fleet, "-N", "both", "test.echo", "hi")
    assert group.minions == {"a": "hi", "b": "hi"}

    several = salt(fleet, "-L", "a,b", "test.ping,test.echo", ",", "x", "--static")
    assert json.loads(several.out) == {id: {"test.ping": True, "test.echo": "x"} for id in "ab"}

    preview = salt(fleet, "*", "--preview-target")
    assert json.loads(preview.out) == ["a", "b"]

    summary = salt(fleet, "*", "test.ping", "--summary", "-v", as_json=False)
    assert summary.out.startswith("Executing job with jid 2")
    assert "# of minions returned: 2\n" in summary.out

    one = salt(fleet, "*", "test.ping", "--subset", "1")
    assert len(one.minions) == 1


def test_a_batch_is_run_by_the_master_and_all_its_slices_are_one_job(fleet, salt):
    batch = salt(fleet, "*", "cmd.run", "exit 3", "-b", "1", as_json=False)

    assert batch.code == 3
    assert batch.out.count("Executing run on [") == 2
    jids = {
        line.strip() for line in batch.out.splitlines() if line.strip().isdigit() and len(line.strip()) == 20
    }
    assert len(jids) == 1

    stopped = salt(fleet, "*", "cmd.run", "exit 3", "-b", "1", "--failhard", as_json=False)
    assert stopped.code == 3
    assert stopped.out.count("Executing run on [") == 1


def test_a_minion_that_is_gone_gets_a_verdict_and_one_at_work_is_waited_for(start_master, start_minion, salt):
    master = start_master(timeout=2, gather_job_timeout=3)
    start_minion(master, "a")
    start_minion(master, "b").stop()

    outcome = salt(master, "*", "test.sleep", "6")

    assert outcome.code == 1
    assert outcome.minions["a"] is True
    assert outcome.minions["b"].startswith("Minion did not return. [Not connected]")

    hidden = salt(master, "*", "test.ping", "--hide-timeout")
    assert (hidden.code, hidden.minions) == (1, {"a": True})


def test_ctrl_c_leaves_the_job_running_and_prints_its_jid(fleet, salt):
    command = [PROGRAM, "cmd", "-c", str(fleet.config_dir), "a", "test.sleep", "30", "-v"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    ) as running:
        title = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    jid = title.split()[-1]

    assert running.returncode == 1
    assert f"This job's jid is: {jid}\nExiting gracefully on Ctrl-c\n" in err
    assert f"salt-g run jobs.lookup_jid {jid}" in err
    assert salt(fleet, "a", "saltutil.is_running", "test.sleep").minions["a"][0]["jid"] == jid
    salt(fleet, "a", "saltutil.kill_job", jid)


def test_files_are_copied_whole_and_in_pieces(fleet, tmp_path):
    text, blob = tmp_path / "motd", tmp_path / "blob"
    text.write_text("hello\n")
    blob.write_bytes(os.urandom(300_000))
    (tmp_path / "to").mkdir()

    assert copy(fleet, "a", text, tmp_path / "nowhere/motd").returncode == 1
    assert copy(fleet, "a", text, tmp_path / "to/").returncode == 0
    assert copy(fleet, "--chunked", "a", blob, tmp_path / "to/new/blob").returncode == 0

    assert (tmp_path / "to/motd").read_text() == "hello\n"
    assert (tmp_path / "to/new/blob").read_bytes() == blob.read_bytes()


def copy(master, *words):
    command = [PROGRAM, "cp", "-c", str(master.config_dir), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_events_are_followed_until_there_were_enough(fleet, salt):
    command = [PROGRAM, "event", "-c", str(fleet.config_dir), "--count=1", "salt/job/*/ret/a"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as following:
        # Whether it listens yet is not to be seen, so jobs are run until it has seen one.
        while following.poll() is None:
            salt(fleet, "a", "test.ping")
        tag, data = following.stdout.read().split("\t")

    assert following.returncode == 0
    assert tag.endswith("/ret/a")
    assert json.loads(data)["return"] is True


#: Runs the command as its script does, then prints the loaded modules.
LISTS_MODULES = """
import sys
import termios
from salt_g.cli import dispatch
dispatch.run(["salt-g", *sys.argv[1:]])
print("\\n".join(sys.modules), file=sys.stderr)
"""
HEAVY = {"asyncio", "Cryptodome", "dataclasses", "gevent", "inspect", "logging", "ruamel.yaml", "ssl", "zmq"}


def test_a_remote_command_imports_little(fleet):
    words = ["-c", str(fleet.config_dir), "*", "test.ping"]
    done = subprocess.run(
        [sys.executable, "-c", LISTS_MODULES, *words], capture_output=True, text=True, check=True, timeout=120
    )
    imported = done.stderr.split()

    assert done.stdout == "a:\n    True\nb:\n    True\n" or done.stdout == "b:\n    True\na:\n    True\n"
    assert not HEAVY & set(imported)
    assert len(imported) <= 200


def test_at_a_terminal_a_live_line_counts_the_minions(fleet):
    pytest.importorskip("tqdm", reason="the live line needs the extra 'terminal'")
    command = [PROGRAM, "cmd", "-c", str(fleet.config_dir), "*", "test.sleep", "1"]

    seen = seen_at_terminal(command)

    assert "0/2" in seen and "2/2" in seen
    assert seen.count("True") == 2


def seen_at_terminal(command):
    """Return the complete output of a command on a terminal of 40 lines and 120 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "TQDM_MININTERVAL": "0"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        seen = b""
        # Linux says EIO when the other side has closed.
        with contextlib.suppress(OSError):
            while chunk := os.read(ours, 65536):
                seen += chunk
        os.close(ours)
        assert process.wait(timeout=60) == 0
    return seen.decode()
