import itertools

import pytest

from salt_g.states._pep440 import compare, fulfils, normalize, parse_requirement

IN_ORDER = [
    "1.0.dev1",
    "1.0a1.dev1",
    "1.0a1",
    "1.0b2",
    "1.0rc1",
    "1.0",
    "1.0+local.1",
    "1.0.post1.dev2",
    "1.0.post1",
    "1.0.1",
    "1.10",
    "1!0.1",
]


@pytest.mark.parametrize(("older", "newer"), list(itertools.pairwise(IN_ORDER)))
def test_versions_are_in_pep440s_order(older, newer):
    assert compare(older, newer) == -1
    assert compare(newer, older) == 1


def test_spellings_of_one_version_are_the_same():
    assert compare("1.0", "v1") == 0
    assert compare("1.0-RC.1", "1.0rc1") == 0
    assert compare("not a version", "1") is None


@pytest.mark.parametrize(
    ("version", "clauses", "expected"),
    [
        ("1.4.2", [("~=", "1.4")], True),
        ("2.0", [("~=", "1.4")], False),
        ("1.4.5", [("~=", "1.4.2")], True),
        ("1.5", [("~=", "1.4.2")], False),
        ("5.0.1", [("!=", "5.0.*")], False),
        ("5.1", [("==", "5.*"), (">=", "5.1")], True),
        ("1.0+cuda", [("==", "1.0")], True),
        ("1.0", [("===", "1.0.0")], False),
    ],
)
def test_clauses_are_fulfilled(version, clauses, expected):
    assert fulfils(version, clauses) is expected


def test_a_requirement_is_a_name_with_clauses():
    assert parse_requirement("Django[argon2]>=4.2, !=5.0.*") == ("Django", [(">=", "4.2"), ("!=", "5.0.*")])
    assert parse_requirement("x; python_version<'3'") == ("x", [])


def test_a_url_or_a_slip_is_not_a_requirement():
    assert parse_requirement("git+https://example.org/x.git") is None
    assert parse_requirement("x=1") is None


def test_names_have_one_spelling():
    assert normalize("Sphinx.Ext__Napoleon") == "sphinx-ext-napoleon"
