"""Configuration of syslog-ng, and fake programs that report their arguments."""

import pytest

from salt_g.errors import InvocationError
from salt_g.modules import cmd, syslog_ng
from salt_g.modules._syslog_ng_text import statement

PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*" >> '{calls}'
echo "syslog-ng 3 (3.38.1)"; echo "Available-Modules: a,b , c"; echo problem >&2
exit ${EXIT:-0}
"""


@pytest.fixture
def programs(call_context, tmp_path, monkeypatch):
    """Enter a call with an installation below `tmp_path`; return the calls of its programs."""
    calls = tmp_path / "calls"
    for name in ("syslog-ng", "syslog-ng-ctl"):
        program = tmp_path / name
        program.write_text(PROGRAM.replace("{calls}", str(calls)))
        program.chmod(0o755)
    running = [[7, 8], None]
    call_context(
        functions={
            "cmd.run_all": cmd.run_all,
            "ps.pgrep": lambda name: running.pop(0) if running else None,
            "ps.pkill": lambda name: {"killed": [7, 8]},
        }
    )
    syslog_ng.set_binary_path(str(tmp_path))
    syslog_ng.set_config_file(str(tmp_path / "conf"))
    return lambda: calls.read_text().splitlines()


def test_paths_are_kept_with_what_was_there_before(call_context):
    call_context()

    assert syslog_ng.get_config_file() == "/etc/syslog-ng.conf"
    assert syslog_ng.set_config_file("/x")["changes"] == {"old": "/etc/syslog-ng.conf", "new": "/x"}
    assert syslog_ng.set_binary_path("/b")["changes"] == {"old": None, "new": "/b"}
    assert syslog_ng.set_binary_path("/c")["changes"] == {"old": "/b", "new": "/c"}


def test_a_configuration_begins_with_its_version_and_grows(programs, tmp_path):
    conf = tmp_path / "conf"
    conf.write_text("old")

    assert syslog_ng.set_parameters() == {"retcode": 0}
    syslog_ng.config("source.a", [{"x": 1}])
    syslog_ng.write_config("# c", newlines=1)

    assert conf.read_text().splitlines()[1:] == [
        *("@version: 3", "", "source a {", "    x(", "        1", "    );", "};", "", "", "# c"),
    ]


def test_text_that_is_only_shown_is_not_written(programs, tmp_path):
    shown = syslog_ng.config("a", {"options": [{"x": 1}]}, write=False)

    assert shown["name"] == "a" and shown["result"] is False
    assert shown["changes"]["new"].startswith("options {\n")
    assert not (tmp_path / "conf").exists()


def test_a_file_that_cannot_be_written_is_a_failure(programs, tmp_path):
    syslog_ng.set_config_file(str(tmp_path / "none" / "conf"))

    written = syslog_ng.config("source.a", [{"x": 1}])

    assert written["result"] is False and "No such file or directory" in written["comment"]
    assert syslog_ng.set_parameters(version="3")["retcode"] == -1


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("x", []),
        ("x", "text"),
        ("log.l", [{"junction": [{"filter": "x"}]}]),
        ("source.s", [{"a": 1, "b": 2}, 3]),
    ],
)
def test_data_without_a_form_is_refused(name, config):
    if name == "source.s":
        config = [{"inner": [{"a": 1, "b": 2}]}]
    with pytest.raises(InvocationError):
        statement(name, config)


def test_programs_are_those_of_the_chosen_directory(programs):
    assert syslog_ng.version() == {"retcode": 0, "stdout": "3"}
    assert syslog_ng.modules() == {"retcode": 0, "stdout": "a,b,c"}
    assert syslog_ng.config_test(cfgfile="/x")["stderr"] == "problem"
    assert syslog_ng.stats()["retcode"] == 0
    assert syslog_ng.reload_("n")["result"] is True
    assert programs() == [
        *("syslog-ng -V", "syslog-ng -V", "syslog-ng --syntax-only --cfgfile=/x"),
        *("syslog-ng-ctl stats", "syslog-ng-ctl reload"),
    ]


def test_a_start_has_the_options_and_fails_with_the_program(programs, tmp_path, monkeypatch):
    started = syslog_ng.start("n", user="u", no_caps=True, verbose=True, worker_threads=3, persist_file="/p")
    assert started["result"] is True
    assert started["changes"]["new"] == (
        f"{tmp_path}/syslog-ng --user=u --no-caps --verbose --cfgfile={tmp_path}/conf --persist-file=/p"
        " --worker-threads=3"
    )

    monkeypatch.setenv("EXIT", "3")
    assert syslog_ng.start()["result"] is False
    assert syslog_ng.start()["comment"] == "problem"
    assert syslog_ng.version()["retcode"] == 3
    assert syslog_ng.modules()["retcode"] == 3


def test_a_missing_program_is_an_answer(programs, tmp_path, monkeypatch):
    (tmp_path / "syslog-ng-ctl").unlink()
    monkeypatch.setenv("PATH", "/none")

    assert syslog_ng.stats() == {
        "retcode": -1,
        "stderr": "Unable to execute the command. It is not in the PATH.",
    }


def test_processes_are_killed_and_named(programs):
    assert syslog_ng.stop("n") == {
        "name": "n",
        "result": True,
        "changes": {"old": [7, 8], "new": []},
        "comment": "",
    }
    assert syslog_ng.stop("n")["comment"] == "Syslog-ng is not running"
