"""Comparison of tags."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import TargetError
from salt_g.event.matching import WAYS, accepts, is_stored

TAG = "salt/job/1/ret/m1"


@pytest.mark.parametrize(
    ("way", "wanted", "expected"),
    [
        ("startswith", "", True),
        ("startswith", "salt/job", True),
        ("startswith", "job", False),
        ("endswith", "/m1", True),
        ("endswith", "/m", False),
        ("find", "/ret/", True),
        ("find", "/new", False),
        ("regex", r"salt/job/\d+/ret/", True),
        ("regex", r"job", False),
        ("regex", r".*job", True),
        ("fnmatch", "salt/*/m?", True),
        ("fnmatch", "salt/*", True),
        ("fnmatch", "salt/job", False),
        ("fnmatch", "SALT/*", False),
    ],
)
def test_each_way_compares_as_stock(way, wanted, expected):
    assert accepts(wanted, way)(TAG) is expected


def test_an_expression_that_cannot_be_used_is_refused():
    for wanted in ("(", "(a+)+"):
        with pytest.raises(TargetError):
            accepts(wanted, "regex")


def test_all_ways_of_the_setting_are_there():
    assert set(WAYS) == {"startswith", "endswith", "find", "regex", "fnmatch"}


@given(st.text(alphabet="ab/*?[]!", max_size=8), st.text(alphabet="ab/", max_size=8))
def test_globs_are_those_of_the_standard_library(wanted, tag):
    assert accepts(wanted, "fnmatch")(tag) is fnmatch.fnmatchcase(tag, wanted)


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ([], [], True),
        (["salt/job/*"], [], True),
        (["salt/auth"], [], False),
        ([], ["salt/job/*"], False),
        (["salt/*"], ["salt/job/*/ret/*"], False),
    ],
)
def test_events_to_store_pass_the_white_list_and_not_the_black_one(white, black, expected):
    assert is_stored(TAG, white, black) is expected


def test_an_expression_is_not_tried_on_a_tag_that_is_too_long_for_it(caplog):
    wanted = accepts("a*a*a*b", "regex")

    assert wanted("a" * 20 + "b")
    assert not wanted("a" * 1024)
    assert "too long" in caplog.text
