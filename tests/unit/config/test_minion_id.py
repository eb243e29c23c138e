"""Minion id without one in any config file."""

import os

import pytest

from salt_g.config import minion_id
from salt_g.errors import ConfigError


@pytest.fixture
def opts(tmp_path):
    return {"conf_file": str(tmp_path / "own/minion"), "root_dir": str(tmp_path / "root")}


def found(opts, name="Web1.Example.org", standard=("/etc/salt-g",), **changes):
    return minion_id.find_id({**opts, **changes}, standard, name_id=lambda: name)


def remember(path, content):
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, minion_id.FILE_NAME), "wb") as file:
        file.write(content)


def test_an_id_that_is_remembered_beside_the_config_file_wins(opts, tmp_path):
    remember(tmp_path / "root/etc/salt-g", b"second\n")
    assert found(opts) == ("second", False)

    remember(tmp_path / "own", b"first\nand more\n")
    assert found(opts) == ("first", False)
    assert found(opts, minion_id_caching=False) == ("Web1.Example.org", False)


@pytest.mark.parametrize("content", [b"", b"\n", b"localhost\n", b"  \nweb2\n", b"\xff\n"])
def test_a_file_that_remembers_nothing_useful_is_skipped(opts, tmp_path, content):
    remember(tmp_path / "own", content)
    remember(tmp_path / "root/etc/salt-g", b"\xef\xbb\xbfweb2 \r\n")

    assert found(opts) == ("web2", False)


def test_a_remembered_id_that_cannot_be_read_does_not_make_another_minion(opts, tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/minion_id").symlink_to("minion_id")

    with pytest.raises(ConfigError, match="own/minion_id: cannot be read"):
        found(opts)


def test_a_found_name_is_shaped_by_the_settings(opts):
    assert found(opts, minion_id_lowercase=True) == ("web1.example.org", False)
    assert found(opts, minion_id_remove_domain="example.org") == ("Web1", False)
    assert found(opts, minion_id_lowercase=True, minion_id_remove_domain=True) == ("web1", False)


@pytest.mark.parametrize(
    ("name", "is_address"),
    [
        ("10.0.0.1", True),
        ("1.2.3.255", True),
        ("10.0.0.256", False),
        ("10.0.0", False),
        ("1.2.3.x", False),
    ],
)
def test_an_address_is_distinguished_from_a_name(opts, name, is_address):
    assert found(opts, name) == (name, is_address)


def test_without_asking_anybody_the_name_is_that_of_the_kernel(opts):
    assert minion_id.find_id(opts, (), asks=False)[0] == os.uname().nodename


@pytest.mark.parametrize(
    ("name", "domain", "expected"),
    [
        ("a.example.org", True, "a"),
        ("a.example.org", "example.org", "a"),
        ("a.Example.org", "example.ORG", "a"),
        ("a.example.org", "org", "a.example"),
        ("a.example.org", "other", "a.example.org"),
        ("a.example.org", False, "a.example.org"),
    ],
)
def test_domains_are_removed_from_found_ids(name, domain, expected):
    assert minion_id.without_domain(name, domain) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a", "a.org"), ("a.org", "a.org"), ("a.", "a."), ("a.org.uk", "a.org.uk.org")]
)
def test_a_domain_is_appended_once(name, expected):
    assert minion_id.with_domain(name, "org") == expected
