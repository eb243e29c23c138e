"""Names against lists of globs and regular expressions: salt_g/regex/name_patterns.py and its callers."""

import time

import pytest

from salt_g.auth.permissions import matches_whole
from salt_g.loader.grains import _without
from salt_g.regex.name_patterns import is_exposed, matches_name
from salt_g.render.jinja.filters.text import check_whitelist_blacklist

#: An expression whose number of ways doubles with each character, and a name that it does not match.
EXPLOSIVE, LONG = "(a+)+$", "a" * 28 + "!"


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("web1", "web1", True),
        ("web1", "web*", True),
        ("web1", r"web\d", True),
        ("web12", r"web\d", False),
        ("xweb1", r"web\d", False),
        ("WEB1", "web1", False),
        ("db", "web|db", True),
        ("dbx", "web|db", False),
        ("web1\n", "web1", False),
        ("web1", "(", False),
        ("webx", "web)|(?:webx", False),
        ("web1", "", False),
        (LONG, EXPLOSIVE, False),
    ],
)
def test_a_pattern_is_a_glob_or_a_whole_expression(name, pattern, expected):
    assert matches_name(name, pattern) is expected


@pytest.mark.parametrize(
    "matches",
    [
        matches_name,
        lambda name, pattern: matches_whole(pattern, name),
        lambda name, pattern: is_exposed(name, [pattern], []),
        lambda name, pattern: not _without({name: 1}, [pattern]),
        lambda name, pattern: check_whitelist_blacklist(name, whitelist=[pattern]),
    ],
    ids=["names", "permissions", "environments", "grains", "templates"],
)
def test_a_costly_expression_is_refused_in_every_list(matches):
    started = time.monotonic()

    assert not matches(LONG, EXPLOSIVE)

    assert time.monotonic() - started < 5


def test_a_name_that_is_too_long_for_an_expression_does_not_match():
    short, long = "a" * 10, "a" * 2000

    assert matches_name(short, "(a*)(a*)(a*)")
    assert not matches_name(long, "(a*)(a*)(a*)")


@pytest.mark.parametrize(
    ("whitelist", "blacklist", "exposed"),
    [
        ([], [], True),
        ("", "", True),
        (["dev"], [], True),
        (["d*"], [], True),
        (["de.|x+"], [], True),
        ("base,dev", "", True),
        ("base, dev", "", True),
        (["base"], [], False),
        (["de"], [], False),
        (["ev"], [], False),
        ([], ["dev"], False),
        ([], "base, dev", False),
        (["dev"], ["d?v"], False),
        ([], ["DEV", "de", "(", ""], True),
        ([404], [], False),
    ],
)
def test_a_name_is_exposed_if_it_is_listed_and_not_hidden(whitelist, blacklist, exposed):
    assert is_exposed("dev", whitelist, blacklist) is exposed


def test_entries_that_yaml_reads_as_numbers_are_names():
    assert is_exposed("2024", [2024], [])
    assert not is_exposed("2024", [], [2024])
