"""Lines of `salt-g drift`."""

from salt_g.cli.fleet.drift import line_of
from salt_g.report.change_groups import drifts
from salt_g.report.state_changes import Change


def change(minion, *, at=0.0, text=b"t", is_test=0):
    return Change(f"j{at}", minion, 0, at, "sshd", "/etc/sshd", "file.managed", 2, is_test, "ann", 1, 1, text)


def test_minions_with_the_same_drift_are_one_line_those_with_most_first():
    groups = drifts([change("m9", text=b"u"), change("m1"), change("m2")])

    assert line_of(groups[0]).startswith("2 minions: /etc/sshd +1 -1 corrected ")
    assert line_of(groups[0]).endswith(": m[1-2]")
    assert line_of(groups[1]).startswith("1 minion: /etc/sshd +1 -1 corrected ")
