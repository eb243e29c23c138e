"""Selection of paths in a tree by patterns."""

import pytest

from salt_g.data.path_patterns import is_included


@pytest.mark.parametrize(
    ("path", "include", "exclude", "expected"),
    [
        ("a/b.conf", None, None, True),
        ("a/b.conf", "*.conf", None, True),
        ("a/b.conf", "b.conf", None, False),
        ("a/b.conf", ["*.txt", "a/*"], None, True),
        ("a/b.conf", None, "*.conf", False),
        ("a/b.conf", "*.conf", "a/*", False),
        ("a/b.conf", "E@b\\.c", None, True),
        ("a/b.conf", "E@^b", None, False),
        ("a/b.conf", None, ["x", "E@f$"], False),
    ],
)
def test_a_path_is_included_if_it_fits_and_is_not_excluded(path, include, exclude, expected):
    assert is_included(path, include, exclude) is expected
