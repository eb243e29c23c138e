"""Settings of repositories: accepted values, and refusals with the location of the setting."""

import pytest

from salt_g.errors import ConfigError
from salt_g.git.source import (
    Access,
    RemoteSource,
    checked_url,
    folder,
    join_options,
    number,
    read_options,
    texts,
)


def test_a_source_is_shown_by_its_name_or_without_its_password():
    assert str(RemoteSource("https://me:secret@example.org/a", name="here")) == "here"
    assert "secret" not in str(RemoteSource("https://me:secret@example.org/a"))


def test_credentials_that_are_empty_are_none():
    assert Access.of({"user": None, "privkey": ""}) == Access()
    assert Access.of({"user": 7, "ssl_verify": False, "insecure_auth": 1}) == (
        Access(user="7", ssl_verify=False, insecure_auth=True)
    )


@pytest.mark.parametrize("url", ["", "--upload-pack=x", "-x"])
def test_a_url_that_git_would_take_for_an_option_is_refused(url):
    with pytest.raises(ConfigError, match="gitfs_remotes, .*not a valid repository URL"):
        checked_url(url, "gitfs_remotes")


def test_options_are_a_list_of_mappings_or_one():
    assert join_options([{"a": 1}, {"b": 2, "a": 3}], "here") == {"a": 3, "b": 2}
    assert join_options({"a": 1}, "here") == {"a": 1}
    assert join_options(None, "here") == {}
    with pytest.raises(ConfigError, match="here: options must be written as 'name: value', not 'a'"):
        join_options(["a"], "here")


def test_unknown_options_are_named():
    assert read_options([{"root": "a"}], ("root",), "here") == {"root": "a"}
    with pytest.raises(ConfigError, match="here: unknown options other, rot"):
        read_options([{"rot": "a"}, {"other": 1}], ("root",), "here")


@pytest.mark.parametrize(("value", "expected"), [(None, 60.0), (0, 60.0), ("5", 5.0), (2.5, 2.5)])
def test_a_number_may_be_text_and_has_a_default(value, expected):
    assert number({"interval": value}, "interval", 60, "here") == expected


def test_an_invalid_number_is_refused():
    with pytest.raises(ConfigError, match="here: interval must be a number, not 'often'"):
        number({"interval": "often"}, "interval", 60, "here")


@pytest.mark.parametrize(
    ("value", "expected"), [(None, ""), ("/a/b/", "a/b"), ("salt://a", "a"), ("a..b", "a..b")]
)
def test_a_folder_is_relative_to_the_repository(value, expected):
    assert folder(value, "here") == expected


def test_a_folder_outside_of_the_repository_is_refused():
    with pytest.raises(ConfigError, match="leaves the repository"):
        folder("a/../../b", "here")


@pytest.mark.parametrize(("value", "expected"), [("a, b,,", ("a", "b")), (["a", 1], ("a", "1")), (None, ())])
def test_lists_may_be_written_with_commas(value, expected):
    assert texts(value) == expected
