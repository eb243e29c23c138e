"""Incrontabs, kept by a fake incrontab: the real one needs its daemon's directories."""

import pytest

from salt_g.modules import cmd, incron

PROGRAM = """\
#!/bin/sh
tab='{tab}'
case "$1" in
  -l) cat "$tab" 2>/dev/null || { echo 'no table for root'; exit 1; } ;;
  -) cat > "$tab" ;;
  *) cat "$1" > "$tab" 2>/dev/null || { echo "cannot load table from file '$1'"; exit 1; } ;;
esac
"""


@pytest.fixture
def tab(call_context, tmp_path, monkeypatch):
    """Return the file of the one user's incrontab."""
    path = tmp_path / "tab"
    path.write_text("/old IN_CREATE touch /tmp/x\n# a comment\n")
    program = tmp_path / "bin" / "incrontab"
    program.parent.mkdir()
    program.write_text(PROGRAM.replace("{tab}", str(path)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    call_context(functions={"cmd.run_all": cmd.run_all})
    return path


@pytest.fixture
def user():
    """Return the name of the user of the tests."""
    return incron.command.identity().name


def test_a_job_is_added_once(tab, user):
    assert incron.set_job(user, "/srv", "IN_MODIFY,IN_CREATE", 'echo "$$ $@"') == "new"
    assert incron.set_job(user, "/srv", "IN_CREATE,IN_MODIFY", 'echo "$$ $@"') == "present"

    assert tab.read_text().splitlines() == [
        "# a comment",
        "/old IN_CREATE touch /tmp/x",
        '/srv IN_MODIFY,IN_CREATE echo "$$ $@"',
    ]
    assert incron.list_tab(user)["crons"][1] == {
        "path": "/srv",
        "mask": "IN_MODIFY,IN_CREATE",
        "cmd": 'echo "$$ $@"',
    }
    assert incron.ls(user)["pre"] == ["# a comment"]


def test_a_job_is_removed(tab, user):
    assert incron.rm_job(user, "/old", "IN_CREATE", "touch /tmp/y") == "absent"
    assert incron.rm(user, "/old", "IN_CREATE", "touch /tmp/x") == "removed"

    assert tab.read_text() == "# a comment\n"


def test_a_command_of_one_word_is_a_job(tab, user):
    assert incron.set_job(user, "/srv", "IN_OPEN", "cmd") == "new"
    assert incron.set_job(user, "/srv", "IN_OPEN", "cmd") == "present"
    assert incron.rm_job(user, "/srv", "IN_OPEN", "cmd") == "removed"


def test_an_unknown_event_changes_nothing(tab, user):
    before = tab.read_text()

    assert incron.set_job(user, "/srv", "IN_CREATE,BLA", "cmd") == "Invalid mask type: BLA"
    assert tab.read_text() == before


def test_a_file_replaces_a_tab(tab, user, tmp_path):
    (tmp_path / "new").write_text("/a IN_OPEN x y\n")

    assert incron.write_incron_file(user, str(tmp_path / "new")) is True
    assert incron.raw_incron(user) == "/a IN_OPEN x y\n"
    assert incron.write_incron_file(user, str(tmp_path / "nosuch")) is False
    assert "cannot load" in incron.write_incron_file_verbose(user, str(tmp_path / "nosuch"))["stdout"]


def test_a_missing_tab_is_empty_of_jobs(tab, user):
    tab.unlink()

    assert incron.list_tab(user)["crons"] == []


def test_tabs_of_the_system_are_read_together(monkeypatch, tmp_path):
    monkeypatch.setattr(incron, "SYSTEM_TABS", str(tmp_path / "incron.d"))
    assert incron.raw_system_incron() == ""

    (tmp_path / "incron.d").mkdir()
    (tmp_path / "incron.d" / "b").write_text("/b IN_OPEN y\n")
    (tmp_path / "incron.d" / "a").write_text("/a IN_OPEN x\n")
    assert incron.raw_system_incron() == "/a IN_OPEN x\n/b IN_OPEN y\n"


def test_a_refusal_is_returned(tab, user):
    tab.unlink()
    tab.mkdir()

    assert "irectory" in incron.set_job(user, "/srv", "IN_OPEN", "cmd")
