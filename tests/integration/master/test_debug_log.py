"""`-l debug`: one line for each event, on the command line, the master and the minion."""

import re

import pytest


@pytest.fixture
def fleet(start_master, start_minion):
    master = start_master(log_level="debug", log_level_logfile="quiet")
    states = master.root / "states"
    (states / "web.sls").write_text(
        "{% set password = 'from-pillar' %}\nsaid:\n  cmd.run:\n    - name: echo --password {{ password }}\n"
    )
    minion = start_minion(master, "web1", log_level="debug", log_level_logfile="quiet")
    return master, minion


def has_line(log, pattern):
    assert re.search(rf"^\[DEBUG +\] {pattern}$", log, re.MULTILINE), log


def test_requests_files_rendered_sls_and_commands_are_shown(fleet, salt):
    master, minion = fleet

    done = salt(master, "-l", "debug", "web1", "state.apply", "web")

    has_line(done.err, r"Reading configuration from /.*/master")
    has_line(done.err, r"request to the master through .*: publish fun=state.apply .*tgt=web1.*")
    has_line(done.err, r"event salt/job/\d+/ret/web1")
    has_line(master.log(), r"Reading configuration from /.*/master")
    has_line(master.log(), r"request of \d+: publish fun=state.apply .*")
    has_line(master.log(), r"job \d{20} of \w+: state.apply for 1 minions")
    has_line(master.log(), r"request of web1: _serve_file path=web.sls saltenv=base.*")
    has_line(minion.log(), r"Reading configuration from /.*/minion")
    has_line(minion.log(), r"job fun=state.apply jid=\d+ .*: for this minion")
    has_line(minion.log(), r"request to the master: _serve_file path=web.sls .*, answered with \d+ bytes")
    has_line(minion.log(), r"file salt://web.sls \(base\): fetched from the master, \d+ bytes")
    has_line(minion.log(), r"rendered web \(base\) with jinja\|yaml: /.*/web.sls")
    has_line(minion.log(), r"command in /.*: echo --password REDACTED")
    assert "from-pillar" not in re.sub(r"(?m)^.*stdout: .*\n|^\[ERROR.*\n", "", minion.log())
