"""The grammar of `salt://` URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.formats.salturl import SaltUrl, create, parse


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("salt://a/b", SaltUrl("a/b")),
        ("salt:///a", SaltUrl("a")),
        ("salt://a?saltenv=dev", SaltUrl("a", "dev")),
        ("salt://a?env=dev", SaltUrl("a")),
        ("salt://|a?saltenv=dev", SaltUrl("a?saltenv=dev")),
        ("a b#c", SaltUrl("a b#c")),
    ],
)
def test_a_url_has_a_path_and_perhaps_an_environment(url, parts):
    assert parse(url) == parts


@given(st.text(st.characters(exclude_characters="/|", exclude_categories=["Cs"]), min_size=1))
def test_any_path_survives_a_url(path):
    assert parse(create(path)) == SaltUrl(path)
