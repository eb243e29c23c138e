"""Doctor's findings about the masters of a cluster."""

import pytest

from salt_g.cluster.observed_beats import Member
from salt_g.cluster.offline import Status
from salt_g.doctor.cluster import check, members
from salt_g.doctor.finding import ERROR, GOOD, WARNING

A, B = Member("a", 0, 1, 5, release="1.2"), Member("b", 1, 2, 7, release="1.2")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Status([A, B], {"a", "b"}, "a"), [(GOOD, "2 masters live: a, b")]),
        (Status([A, B], {"a"}, "a"), [(WARNING, "away: b; live: a")]),
        (Status([B], {"b"}, "b"), [(WARNING, "a has never joined; there are: b")]),
        (
            Status([A, B], {"a", "b"}, ""),
            [(GOOD, "2 masters live: a, b"), (WARNING, "no master leads")],
        ),
        (
            Status([A, B._replace(release="1.3")], {"a", "b"}, "a"),
            [(GOOD, "2 masters live: a, b"), (WARNING, "1.2, 1.3")],
        ),
    ],
    ids=["well", "one away", "not joined", "no leader", "two releases"],
)
def test_connected_masters_and_missing_ones_are_listed(found, expected):
    findings = list(members(found, "a"))

    assert [(finding.level, finding.text) for finding in findings] == expected
    assert all(finding.advice for finding in findings if finding.level != GOOD)


def test_a_master_alone_is_not_asked_for_others():
    assert list(check({"cluster": False})) == []


def test_contradictory_settings_are_reported():
    (finding,) = check({"cluster": True, "id": "a", "store": "", "cachedir": "/nowhere"})

    assert finding.level == ERROR
    assert "add store: postgresql://" in finding.text
