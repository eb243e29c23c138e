"""Findings of several systems as one list."""

from salt_g.lint.finding import ERROR, WARNING, LintFinding, merged

FIRST = LintFinding("a.sls", 1, 1, ERROR, "cycle", "round", "cut it")
SECOND = LintFinding("a.sls", 2, 1, ERROR, "syntax", "bad")


def test_a_finding_on_all_systems_is_reported_once():
    assert merged({"debian": [SECOND, FIRST, FIRST], "rhel": [FIRST, SECOND]}) == [FIRST, SECOND]


def test_a_finding_on_some_systems_is_a_warning_that_names_them():
    found = merged({"debian": [FIRST], "rhel": [], "suse": [FIRST]})

    assert found == [FIRST._replace(level=WARNING, systems=("debian", "suse"))]
    assert found[0].text() == "round (cut it) [on debian, suse]"
