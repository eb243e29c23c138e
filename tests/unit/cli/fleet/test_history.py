"""Lines of `salt-g history`."""

import json
import os
import sqlite3
from unittest.mock import Mock

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cli import exit_codes
from salt_g.cli.fleet.history import indented, line_of, main
from salt_g.report.change_groups import by_job
from salt_g.report.state_changes import Cause, StateChange


def change(minion="web1", jid="20261118140300000000", **more):
    one = StateChange(jid, minion, 0, 0.0, "motd", "/etc/motd", "file.managed", 1, 0, "ann", 2, 1, b"t")
    return one._replace(**more)


def test_changes_of_a_job_with_one_text_are_one_line():
    groups = by_job([change("web2"), change("web1"), change("web3", text=b"u")])

    assert [group["minions"] for group in groups] == [["web1", "web2"], ["web3"]]
    line = line_of(groups[0])
    assert line.endswith(" web[1-2] file.managed +2 -1 intended job 20261118140300000000 ann")


def test_causes_tests_and_other_changes_are_reported():
    (group,) = by_job([change(cause=int(Cause.CORRECTIVE), is_test=1, added=None, removed=None, who="")])

    assert line_of(group).endswith(" web1 file.managed corrective test job 20261118140300000000")


def test_a_diff_is_indented():
    assert indented("-a\n+b\n") == "    -a\n    +b"


def test_a_minion_controls_no_terminal():
    (group,) = by_job([change(fun="file.managed\x1b[2J", who="ann\r")])

    assert "\x1b" not in line_of(group) and "\r" not in line_of(group)
    assert indented("+\x1b[1A\x9b") == "    +\ufffd[1A\ufffd"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('{"diff": "New file"}', ["New file"]),
        ('{"diff": "New file", "mode": "0644"}', ["New file", "mode: '0644'"]),
        ('{"nginx": {"new": "1.2", "old": ""}}', ["nginx:", "  new: '1.2'", "  old: ''"]),
        ('{"a": "cut o', ['{"a": "cut o']),
        ("[1]", ["[1]"]),
        ('{"diff": {"old": 1, "new": 2}}', ["diff:", "  new: 2", "  old: 1"]),
        ("[" * 5000 + "\n", ["[" * 5000]),
        ("--- \n+++ \n-a\n+b\n", ["--- ", "+++ ", "-a", "+b"]),
    ],
)
def test_changes_without_a_diff_are_shown_as_text(text, lines):
    assert indented(text).splitlines() == [f"    {line}" for line in lines]


@pytest.fixture
def master(tmp_path):
    """Return options that name the settings of a master with a history that is empty."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "master").write_text(f"root_dir: {tmp_path}\nhistory: True\n")
    store = EmbeddedStore(str(tmp_path / "var/cache/salt/master"))
    store.start()
    store.stop()
    return ("-c", str(tmp_path / "etc"))


def test_a_question_without_a_change_is_answered_in_words_or_data(master, capsys):
    assert main(["/etc/motd", "--minion=web*", *master]) == exit_codes.FAILED
    out, err = capsys.readouterr()
    assert out == ""
    start = "salt-g history: no change of '/etc/motd' on minions that match 'web*' since 20"
    assert err.startswith(start) and len(err.splitlines()) == 1

    assert main(["/etc/motd", *master, "--out=json"]) == exit_codes.FAILED
    out, err = capsys.readouterr()
    assert (json.loads(out), err.startswith("salt-g history: no change of '/etc/motd' since 20")) == (
        [],
        True,
    )


def test_a_history_that_cannot_be_read_has_a_code_of_its_own(tmp_path, capsys):
    (tmp_path / "master").write_text(f"root_dir: {tmp_path}\n")

    assert main(["/etc/motd", "-c", str(tmp_path), "--out=json"]) == exit_codes.NOBODY
    out, err = capsys.readouterr()
    assert (out, "no master has run with these settings" in err) == ("", True)

    assert main(["/etc/motd", "-c", str(tmp_path / "nope")]) == exit_codes.USAGE
    assert "nope' does not exist; correct -c" in capsys.readouterr().err


def test_the_store_of_another_user_names_the_user_who_may_read_it(master, capsys, monkeypatch):
    monkeypatch.setattr(os, "open", Mock(side_effect=PermissionError))
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=sqlite3.OperationalError("unable to open")))

    assert main(["/etc/motd", *master]) == exit_codes.NOBODY
    assert "permission denied; run as root or as the master's user" in capsys.readouterr().err
