"""Classification of sources by URL, and logins hidden in messages."""

import pytest

from salt_g.formats.urls import is_remote, local_part, scheme_of, without_password


@pytest.mark.parametrize(
    ("source", "scheme"),
    [("HTTPS://h/x", "https"), ("salt://x", "salt"), ("file:///x", "file"), ("/a:b", ""), ("x", "")],
)
def test_a_scheme_is_read_in_any_case_and_a_path_has_none(source, scheme):
    assert scheme_of(source) == scheme


def test_urls_of_network_protocols_are_remote():
    assert is_remote("ftp://h/x") and is_remote("S3://bucket/x")
    assert not is_remote("salt://x") and not is_remote("/x")


def test_the_path_of_a_file_url_is_local():
    assert local_part("file:///etc/hosts") == "/etc/hosts"
    assert local_part("/etc/hosts") == "/etc/hosts"


def test_passwords_do_not_get_into_messages():
    assert without_password("see https://u:p@h/x") == "see https://<redacted>@h/x"
    assert without_password("https://token@h/x@2") == "https://<redacted>@h/x@2"
    assert without_password("https://h/x@2") == "https://h/x@2"
    assert without_password("ftp://u:p@h/x") == "ftp://<redacted>@h/x"


def test_a_login_behind_another_address_is_hidden_too():
    assert without_password("http://proxy/https://u:p@h/x") == "http://proxy/https://<redacted>@h/x"
    assert without_password("remote: http://a:" * 3) == "remote: http://a:" * 3


@pytest.mark.parametrize("password", ["a@b", "a/b", "a/b@c", "a?b"])
def test_a_password_that_is_not_encoded_is_hidden_to_its_end(password):
    assert without_password(f"'https://u:{password}@h/x'") == "'https://<redacted>@h/x'"
