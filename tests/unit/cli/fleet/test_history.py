"""Lines of `salt-g history`."""

from salt_g.cli.fleet.history import indented, line_of
from salt_g.report.change_groups import by_job
from salt_g.report.state_changes import Cause, Change


def change(minion="web1", jid="20261118140300000000", **more):
    one = Change(jid, minion, 0, 0.0, "motd", "/etc/motd", "file.managed", 1, 0, "ann", 2, 1, b"t")
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
