"""Extensions as users write them: text of OpenSSL, lists, mappings."""

import pytest

from salt_g.x509.confstring import is_critical, options, pairs, words


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("critical, CA:TRUE", True),
        ("critical CA:TRUE", True),
        ("CA:TRUE", False),
        (["critical", {"CA": True}], True),
        ([{"CA": True}], False),
        ({"critical": True, "CA": True}, True),
        ({"critical": False}, False),
        (7, False),
    ],
)
def test_each_form_may_be_critical(value, expected):
    assert is_critical(value) is expected


@pytest.mark.parametrize(
    "value",
    [
        "critical, digitalSignature, keyCertSign",
        "critical digitalSignature,keyCertSign,",
        ["critical", "digitalSignature", "keyCertSign"],
        {"critical": True, "digitalSignature": True, "keyCertSign": None, "crlSign": False},
    ],
)
def test_words_are_those_beside_the_mark(value):
    assert words(value) == ["digitalSignature", "keyCertSign"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("CA:TRUE, pathlen:1", [("CA", "TRUE"), ("pathlen", "1")]),
        (["critical", {"CA": True}, "pathlen:1"], [("CA", True), ("pathlen", "1")]),
        ({"critical": True, "URI": "http://e.org/a:b"}, [("URI", "http://e.org/a:b")]),
        ("URI:http://e.org/a:b", [("URI", "http://e.org/a:b")]),
        ("keyid, issuer:always", [("keyid", True), ("issuer", "always")]),
    ],
)
def test_pairs_are_divided_at_the_first_colon(value, expected):
    assert list(pairs(value)) == expected


def test_options_are_pairs_of_which_the_last_wins():
    assert options("a:1, a:2, b") == {"a": "2", "b": True}
