"""The script that ends the processes of a job on a host, run here."""

import os
import subprocess

from salt_g.process import command
from salt_g.resources.ssh._sessions import KILL, ended_by, mark_of_job, marked
from tests.support.waiting import until


def test_it_ends_a_command_with_all_below_it_and_daemons_with_the_mark(tmp_path):
    programs = command.Programs("20260101000000000000")
    token = command.programs.set(programs)
    try:
        mark = mark_of_job("web-01")
    finally:
        command.programs.reset(token)
    daemon = f"(setsid sleep 1001 >/dev/null 2>&1 & echo $! >{tmp_path}/daemon)"
    argv = ["/bin/sh", "-c", f"{daemon}; sleep 1002 & sleep 1003"]
    with subprocess.Popen(marked(argv, mark), start_new_session=True) as process:
        until(lambda: len(list_of(process.pid)) == 2, "what it starts")
        daemon = int((tmp_path / "daemon").read_text())

        killed = ["/bin/sh", "-c", KILL, "sh", str(process.pid), mark]
        ended = ended_by(subprocess.run(killed, capture_output=True, text=True, check=False).stdout)

    assert sorted(ended.values())[1:] == ["sleep 1001", "sleep 1002", "sleep 1003"]
    assert ended[daemon] == "sleep 1001"
    until(lambda: not os.path.exists(f"/proc/{daemon}"), "the end of the daemon")


def list_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def test_outside_of_jobs_nothing_is_marked():
    assert mark_of_job("web-01") == ""
    assert marked(["true"], "") == ["true"]


def test_lines_of_other_output_and_of_our_own_shell_are_left_out():
    shell = "12 /bin/sh -c command -v setsid >/dev/null && command -v cat >/dev/null"

    shown = ended_by(f"hello\n{shell}\n13 mysql --password=x9\n14 \n")

    assert shown == {13: "mysql --password=REDACTED", 14: ""}
