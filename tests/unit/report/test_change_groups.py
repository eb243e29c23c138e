"""Changes of a job grouped together, and drift by kind."""

from salt_g.report.change_groups import by_job, drifts
from salt_g.report.state_changes import StateChange


def change(minion, *, jid="j1", at=0.0, text=b"t", cause=2, is_test=0):
    row = (jid, minion, 0, at, "sshd", "/etc/sshd", "file.managed", cause, is_test, "ann", 1, 1, text)
    return StateChange(*row)


def test_changes_of_one_job_and_text_are_one_group():
    groups = by_job([change("m2"), change("m1"), change("m3", text=b"u"), change("m1", jid="j2", cause=1)])

    assert [(one["jid"], one["minions"], one["cause"]) for one in groups] == [
        ("j1", ["m1", "m2"], "corrective"),
        ("j1", ["m3"], "corrective"),
        ("j2", ["m1"], "intended"),
    ]


def test_the_newest_change_of_a_minion_counts():
    (group,) = drifts([change("m1", at=9.0, is_test=1), change("m1", at=1.0)])

    assert (group["state"], group["last"], group["minions"]) == ("found", 9.0, ["m1"])
