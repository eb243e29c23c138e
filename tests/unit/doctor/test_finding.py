"""Findings of the doctor."""

import pytest

from salt_g.doctor import finding


@pytest.mark.parametrize(
    ("make", "level"), [(finding.warning, finding.WARNING), (finding.error, finding.ERROR)]
)
def test_a_problem_has_an_advice(make, level):
    assert make("ports", "4505 is in use", "stop the other program") == finding.DoctorFinding(
        level, "ports", "4505 is in use", "stop the other program"
    )


def test_a_good_finding_has_none():
    assert finding.good("clock", "is right") == ("ok", "clock", "is right", "")
