"""URLs as `salt.utils.url` of stock 3008 reads and writes them; its values are recorded here."""

import pytest

from salt_g.compat.utils.net import url


@pytest.mark.parametrize(
    ("text", "parsed", "escaped", "unescaped"),
    [
        ("salt://a/b", ("a/b", None), "salt://|a/b", "salt://a/b"),
        ("salt:///a?saltenv=dev", ("a", "dev"), "salt://|a?saltenv=dev", "salt://a?saltenv=dev"),
        ("salt://a?env=dev", ("a", None), "salt://|a", "salt://a"),
        ("salt://|a?", ("|a?", None), "salt://|a?", "salt://a?"),
        ("||a", ("||a", None), "||a", "a"),
        ("a b", ("a b", None), "|a b", "a b"),
        ("https://h/|a", ("https://h/|a", None), "https://h/|a", "https://h/|a"),
        ("://a", ("://a", None), "|://a", "://a"),
    ],
)
def test_paths_that_are_taken_literally_keep_their_mark(text, parsed, escaped, unescaped):
    assert url.parse(text) == parsed
    assert url.escape(text) == escaped
    assert url.unescape(text) == unescaped
    assert url.is_escaped(text) is (parsed[0].startswith("|"))


def test_a_path_becomes_a_url():
    assert url.create("a?b") == "salt://a?b"
    assert url.create("|a\\b", "dev") == "salt://|a/b?saltenv=dev"
    assert url.add_env("salt://|a?saltenv=x", "dev") == "salt://|a?saltenv=dev"
    assert url.split_env("salt://|a?saltenv=x") == ("salt://|a", "x")
    assert url.split_env("/a") == ("/a", None)


def test_schemes_and_logins_are_taken_out():
    assert url.strip_proto("https://h/a") == "h/a"
    assert url.strip_proto("a://b/c") == "b/c"
    assert url.strip_proto("/a://b") == "/a://b"
    assert url.redact_http_basic_auth("get HTTPS://u:p/w@x@h/a") == "get HTTPS://<redacted>@h/a"
