"""The commands of docs/operations.md that back up a master's data and restore it."""

import pathlib
import re
import shutil
import subprocess

import pytest

from tests.support.commands import Machine, outcome_of

PAGE = pathlib.Path(__file__).parents[2] / "docs/operations.md"


def test_a_store_is_copied_while_the_master_runs_and_works_in_its_place(start_master, tmp_path):
    if not shutil.which("sqlite3"):
        pytest.skip("there is no sqlite3")
    master = start_master()
    assert _run(master, "event.send", "a/tag").code == 0
    copy = tmp_path / "backup/store.sqlite"

    block = re.search(r"```sh\n(umask 077\n.*?)```", PAGE.read_text(), re.S)[1]
    commands = [line for line in block.splitlines() if not line.startswith("tar ")]
    script = (
        "\n".join(commands)
        .replace("/var/cache/salt/master", str(master.cachedir))
        .replace("/backup", str(copy.parent))
    )
    subprocess.run(["sh", "-ec", script], check=True, timeout=60)

    assert copy.stat().st_mode & 0o077 == 0
    jobs = _run(master, "jobs.list_jobs").out
    master.stop()
    for path in master.cachedir.glob("store.sqlite*"):
        path.unlink()
    shutil.copy(copy, master.cachedir)
    master.start()
    assert jobs.splitlines()[0] in _run(master, "jobs.list_jobs").out


def _run(master, *words):
    return outcome_of([Machine.program, "run", "-c", str(master.config_dir), *words])
