"""Crontabs, with a small fake `crontab` that keeps them in a folder."""

import os

import pytest

from salt_g.modules import _crontab, cmd
from salt_g.modules import cron as plugin
from salt_g.states import cron as state

PROGRAM = """#!/bin/sh
user=root
[ "$1" = -u ] && { user=$2; shift 2; }
case "$1" in
  -l) cat "$TABS/$user" 2>/dev/null || { echo "no crontab for $user" >&2; exit 1; } ;;
  *) cat "$1" > "$TABS/new" && if grep -q REFUSED "$TABS/new"; then echo refused >&2; exit 1; fi
     mv "$TABS/new" "$TABS/$user" ;;
esac
"""


@pytest.fixture(autouse=True)
def tabs(tmp_path, monkeypatch, call_context):
    """Return a folder with a program `crontab` in PATH, and the crontabs that it keeps."""
    program = tmp_path / "bin" / "crontab"
    program.parent.mkdir()
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("TABS", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    functions = {name: getattr(cmd, name.split(".")[1]) for name in ("cmd.run_all", "cmd.run_stdout")}
    functions |= {f"cron.{name}": getattr(plugin, name) for name in dir(plugin) if not name.startswith("_")}
    functions["user.info"] = lambda name: {"groups": ["root"]} if name == "root" else {}
    call_context(functions=functions, states={"file.managed": _managed})
    return tmp_path


def _managed(path, source, **options):
    with open(path, "w") as file:
        file.write(source)
    return {"name": path, "result": True, "comment": "", "changes": {"diff": "x"}}


def test_a_job_is_new_then_present_then_updated(tabs):
    words = [plugin.set_job("root", "*", 3, "*", "*", "*", "backup", identifier="b") for _ in range(2)]
    words.append(plugin.set_job("root", "5", 3, "*", "*", "*", "backup --all", identifier="b"))

    assert words == ["new", "present", "updated"]
    assert (tabs / "root").read_text() == (
        f"{_crontab.TAG}\n# SALT_CRON_IDENTIFIER:b\n5 3 * * * backup --all\n"
    )


def test_foreign_lines_are_left_alone(tabs):
    (tabs / "root").write_text("# mine\n1 * * * * mine\n")

    plugin.set_job("root", "*", "*", "*", "*", "*", "ours")

    assert (tabs / "root").read_text() == f"# mine\n1 * * * * mine\n{_crontab.TAG}\n* * * * * ours\n"


def test_random_is_chosen_once(tabs):
    plugin.set_job("root", "random", "1:3", "random", "2", "*", "x")
    first = plugin.get_entry("root", cmd="x")

    again = plugin.set_job("root", "random", "*", "random", "2", "*", "x")

    assert (
        0 <= int(first["minute"]) < 60 and 1 <= int(first["hour"]) <= 3 and 1 <= int(first["daymonth"]) <= 28
    )
    assert again == "updated"
    assert plugin.get_entry("root", cmd="x")["minute"] == first["minute"]


def test_a_job_becomes_special_and_back(tabs):
    plugin.set_job("root", "1", "*", "*", "*", "*", "x", identifier="i")

    assert plugin.set_special("root", "@daily", "x", identifier="i") == "updated"
    assert plugin.list_tab("root")["special"][0]["spec"] == "@daily"
    assert plugin.set_job("root", "1", "*", "*", "*", "*", "x", identifier="i") == "updated"
    assert plugin.ls("root")["special"] == []


def test_comments_and_disabled_jobs_survive(tabs):
    plugin.set_job("root", "1", "*", "*", "*", "*", "x", commented=True, comment="two\nlines", identifier="i")

    job = plugin.get_entry("root", "i")

    assert (job["comment"], job["commented"]) == ("two\nlines", True)
    assert "#DISABLED#1 * * * * x\n" in (tabs / "root").read_text()


def test_jobs_are_removed_by_identifier_and_times(tabs):
    plugin.set_job("root", "1", "*", "*", "*", "*", "x", identifier="i")
    plugin.set_special("root", "@daily", "y")

    assert plugin.rm_job("root", "x") == "absent"
    assert plugin.rm("root", "x", identifier="i", minute=2) == "absent"
    assert plugin.rm_job("root", "x", identifier="i", minute=1) == "removed"
    assert plugin.rm_special("root", "y", special="@hourly") == "absent"
    assert plugin.rm_special("root", "y") == "removed"


def test_variables_are_set_and_removed(tabs):
    words = [plugin.set_env("root", "MAILTO", value) for value in ("a", "a", "b", None, None)]

    assert words == ["new", "present", "updated", "updated", "present"]
    assert (plugin.rm_env("root", "MAILTO"), plugin.rm_env("root", "MAILTO")) == ("removed", "absent")


def test_the_header_of_cron_itself_is_left_out(tabs):
    (tabs / "root").write_text(f"{plugin.HEADER}\n# b\n# c\n1 * * * * x\n")

    assert plugin.raw_cron("root") == "1 * * * * x\n"


def test_the_state_reports_what_happened(tabs):
    comments = [state.present("x", minute=1)["comment"] for _ in range(2)]
    comments += [state.present("x", minute=2)["comment"]]
    comments += [state.absent("x")["comment"] for _ in range(2)]

    assert comments == [
        "Cron x added to root's crontab",
        "Cron x already present",
        "Cron x updated",
        "Cron x removed from root's crontab",
        "Cron x already absent",
    ]


def test_the_state_plans_in_test_mode(tabs, call_context):
    functions = {f"cron.{name}": getattr(plugin, name) for name in ("set_job", "rm_job", "set_env", "rm_env")}
    functions |= {"cmd.run_stdout": cmd.run_stdout, "cmd.run_all": cmd.run_all}
    call_context(functions=functions, opts={"test": True})

    made = state.present("x")

    assert (made["result"], made["comment"]) == (None, "Cron x is set to be added")
    assert state.absent("x")["comment"] == "Cron x is absent"
    assert state.env_present("A", "b")["comment"] == "Cron env A is set to be added"
    assert not (tabs / "root").exists()


def test_a_crontab_that_is_refused_is_a_failure(tabs):
    made = state.present("REFUSED")

    assert made["result"] is False
    assert made["comment"] == "Cron REFUSED for user root failed to commit with error \nrefused"


def test_a_whole_file_replaces_a_crontab(tabs):
    made = state.file("1 * * * * x\n")

    assert made["comment"] == "Crontab for user root was updated"
    assert (tabs / "root").read_text() == "1 * * * * x\n"
    assert state.file("y", replace=False)["comment"] == "User root already has a crontab. No changes made"
    assert state.file("y", user="nosuch")["comment"] == "Could not identify group for user nosuch"


def test_rm_takes_what_rm_job_takes(tabs):
    plugin.set_job("root", "*", 3, "*", "*", "*", "backup")

    assert plugin.rm("root", "backup", "*", 4) == "absent"
    assert plugin.rm("root", "backup", "*", 3) == "removed"
