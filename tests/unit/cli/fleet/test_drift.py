"""Lines of `salt-g drift`."""

from salt_g.cli.fleet.drift import grouped, line_of
from salt_g.report.state_changes import Change


def change(minion, *, at=0.0, text=b"t", is_test=0):
    return Change(f"j{at}", minion, 0, at, "sshd", "/etc/sshd", "file.managed", 2, is_test, "ann", 1, 1, text)


def test_minions_with_the_same_drift_are_one_line_those_with_most_first():
    groups = grouped([change("m9", text=b"u"), change("m1"), change("m2")])

    assert line_of(groups[0]).startswith("2 minions: /etc/sshd +1 -1 corrected ")
    assert line_of(groups[0]).endswith(": m[1-2]")
    assert line_of(groups[1]).startswith("1 minion: /etc/sshd +1 -1 corrected ")


def test_the_newest_of_a_minion_counts():
    (group,) = grouped([change("m1", at=9.0, is_test=1), change("m1", at=1.0)])

    assert (group["state"], group["last"], group["minions"]) == ("found", 9.0, ["m1"])
