"""Live progress line of state runs on a terminal, which a pipe never gets."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import yaml

from tests.support.commands import PROGRAM

SLS = "{% for n in range(30) %}\nstep-{{ n }}:\n  test.nop\n{% endfor %}\n"


def _run_at_terminal(salt_g):
    """Return the complete terminal output of a local run."""
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))
    return _at_terminal([salt_g.program, "call", "-c", str(salt_g.conf), "--local", "state.apply", "steps"])


def _at_terminal(words):
    """Run a command on a terminal; return its complete output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says EIO when the other side has closed
            break
        if not chunk:
            break
        seen += chunk
    os.close(ours)
    assert process.wait(timeout=90) == 0
    return seen.decode()


def test_at_a_terminal_there_is_a_live_line(salt_g):
    salt_g.write({"steps.sls": SLS})

    seen = _run_at_terminal(salt_g)

    assert "30/30" in seen
    assert "test.nop step-" in seen
    assert "Succeeded:" in seen


def test_in_a_pipe_there_is_none(salt_g):
    salt_g.write({"steps.sls": SLS})

    finished = salt_g("state.apply", "steps", as_json=False)

    assert finished.code == 0
    assert finished.err == ""
    assert "\r" not in finished.out


def test_with_an_outputter_there_is_none(salt_g):
    salt_g.write({"steps.sls": SLS})
    (salt_g.conf / "minion").write_text(yaml.safe_dump(salt_g.settings))

    seen = _at_terminal(
        [salt_g.program, "call", "-c", str(salt_g.conf), "--local", "state.apply", "steps", "--out=json"]
    )

    assert "\x1b[K" not in seen
    assert len(json.loads(seen)["local"]) == 30


def test_a_remote_run_reports_the_progress_of_each_minion(start_master, start_minion):
    master = start_master()
    (master.root / "states" / "slow.sls").write_text(
        "{% for n in range(4) %}\nwait-{{ n }}:\n  cmd.run:\n    - name: sleep 0.6\n{% endfor %}\n"
    )
    start_minion(master)

    seen = _at_terminal([PROGRAM, "cmd", "-c", str(master.config_dir), "*", "state.apply", "slow"])

    assert "1/1 running · m1 " in seen
    assert re.search(r"m1 \d/4 cmd.run wait-\d", seen)
    assert "Succeeded: 4" in seen
