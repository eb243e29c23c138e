"""A page about a job, as a person makes it."""

import json
import os
import shutil
import subprocess

import pytest
from conftest import outcome_of
from daemons import PROGRAM

#: A browser that CI does not need; a path in this variable, or one that is installed, draws the page.
_BROWSER = os.environ.get("SALT_G_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture
def job(start_master, start_minion, salt, tmp_path):
    """A state run with a diff and a failure, and its master."""
    master = start_master()
    (master.root / "states" / "web.sls").write_text(
        f"{tmp_path}/motd:\n  file.managed:\n    - contents: 'a < b & c'\n"
        "broken:\n  test.fail_without_changes: []\n"
    )
    start_minion(master)
    outcome = salt(master, "*", "state.apply", "web", "-v", as_json=False)
    jid = outcome.out.split("jid ")[1].split()[0]
    return master, jid


def _run(master, *words):
    return outcome_of([PROGRAM, "run", "-c", str(master.config_dir), *map(str, words)])


def test_a_job_becomes_data_and_a_page(job, tmp_path):
    master, jid = job
    path = tmp_path / "report.html"

    data = json.loads(_run(master, "jobs.report", jid, "--out=json").out)
    written = _run(master, "jobs.report", jid, "--out", "html", "--out-file", path)

    states = data["minions"]["m1"]["states"]
    assert [state["verdict"] for state in states] == ["changed", "failed"]
    assert data["counts"] == {"failed": 1}
    assert written.code == 0 and not written.out
    text = path.read_text()
    assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    assert "test.fail_without_changes" in text and f"{tmp_path}/motd" in text


def test_a_job_that_nobody_knows_fails(start_master):
    outcome = _run(start_master(), "jobs.report", "20200101000000000000")

    assert outcome.code != 0
    assert "no job 20200101000000000000 is in the job cache" in outcome.err


@pytest.mark.skipif(not _BROWSER, reason="no Chromium here; SALT_G_CHROMIUM names one")
def test_a_browser_draws_the_page(job, tmp_path):
    master, jid = job
    path, picture = tmp_path / "report.html", tmp_path / "report.png"
    _run(master, "jobs.report", jid, "--out", "html", "--out-file", path)

    subprocess.run(
        [_BROWSER, "--headless", "--no-sandbox", f"--screenshot={picture}", path.as_uri()],
        check=True,
        capture_output=True,
        timeout=120,
    )

    assert picture.read_bytes().startswith(b"\x89PNG")
