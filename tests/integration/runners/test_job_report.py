"""A page about a job, made as a user makes it."""

import json

import pytest

from tests.support.browser import artefacts, need_browser, page
from tests.support.commands import PROGRAM, outcome_of


@pytest.fixture
def job(start_master, start_minion, salt, tmp_path):
    """Return (state run with a diff and a failure, its master)."""
    master = start_master()
    (tmp_path / "motd").write_text("before\n")
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


def test_an_unknown_job_fails(start_master):
    outcome = _run(start_master(), "jobs.report", "20200101000000000000")

    assert outcome.code != 0
    assert "job 20200101000000000000 is not in the job cache" in outcome.err


@pytest.mark.parametrize(("name", "width", "is_dark"), [("wide", 1200, False), ("narrow", 420, True)])
def test_a_browser_draws_the_page_and_the_page_asks_for_nothing(job, tmp_path, name, width, is_dark):
    need_browser()
    master, jid = job
    path, picture = tmp_path / "report.html", artefacts(tmp_path) / f"report-{name}.png"
    _run(master, "jobs.report", jid, "--out", "html", "--out-file", path)

    with page() as shown:
        shown.look(width=width, is_dark=is_dark)
        shown.open(path)
        shown.screenshot(picture)
        bars = shown.ask("[...document.querySelectorAll('rect')].map(r => r.getBoundingClientRect().width)")
        verdicts = shown.ask("[...document.querySelectorAll('.minion .verdict')].map(v => v.innerText)")
        diff = shown.ask("[...document.querySelectorAll('.diff .add')].map(line => line.innerText)")
        overflow = shown.ask("document.documentElement.scrollWidth - innerWidth")
        paper, ink = shown.ask("['backgroundColor', 'color'].map(c => getComputedStyle(document.body)[c])")

    assert shown.requests == [path.as_uri()]
    assert shown.complaints == []
    assert len(bars) == 2 and min(bars) >= 1
    assert verdicts == ["failed", "changed", "failed"]
    assert diff == ["+a < b & c"]
    assert overflow <= 0
    assert (ink == "rgb(255, 255, 255)") == is_dark, paper
    assert picture.read_bytes().startswith(b"\x89PNG")
