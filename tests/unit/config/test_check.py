"""Values against their declarations: what is refused, and in which words."""

import math

import pytest

from salt_g.config import check
from salt_g.config.registry import KNOWN


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("failhard", True, True),
        ("failhard", 1, False),
        ("worker_threads", "5", True),
        ("worker_threads", 2.5, False),
        ("worker_threads", True, False),
        ("worker_threads", math.inf, False),
        ("worker_threads", "five", False),
        ("worker_threads", None, False),
        ("loop_interval", 1, True),
        ("default_top", 2024, True),
        ("default_top", ["base"], False),
        ("master", ["a", "b"], True),
        ("file_roots", [], True),
        ("file_roots", ["/srv"], False),
        ("worker_threads", "sdb://store/key", True),
    ],
)
def test_which_values_a_setting_takes(name, value, fits):
    assert check.fits(value, KNOWN[name]) is fits


def test_all_wrong_values_are_reported_with_their_places():
    values = {"failhard": 1, "worker_threads": "many", "hash_type": "sha256", "company": object()}

    result = check.check(values, {"failhard": "/etc/master:3"})

    assert result == [
        "/etc/master:3: failhard must be true or false, not 1",
        "unknown place: worker_threads must be a whole number (workers), not 'many'",
    ]


@pytest.mark.parametrize("value", [False, 5, 1.5, b"x", "a\0b"])
def test_a_path_that_yaml_read_as_something_else_is_reported_once(value):
    (result,) = check.check({"pki_dir": value}, {"pki_dir": "f:1"})

    assert result == f"f:1: pki_dir must be text; put it in quotes, not {value!r}"


def test_a_list_of_names_has_names_only():
    (result,) = check.check({"fileserver_backend": ["roots", {"git": 1}]}, {})

    assert "fileserver_backend must be a list of names" in result


def test_an_environment_needs_a_list_of_directories():
    values = {"file_roots": {"base": "/srv", "dev": ["/d"], "qa": None}, "pillar_roots": ["/p"]}

    (result,) = check.malformed_roots(values, {"file_roots": "f:2"})

    assert result == "f:2: file_roots: environment 'base' needs a list of directories, not '/srv'"


def test_a_unit_is_reported_with_the_type():
    name = next(name for name, setting in KNOWN.items() if setting.unit == "s" and setting.kind is int)

    assert check.expected(KNOWN[name]) == "a whole number (s)"
    assert check.expected(KNOWN["file_ignore_glob"]) == "a list or text"


def test_names_of_users_modules_are_not_slips():
    assert check.near_names(["mysql.hots", "_private", "id", "idd", "company", "master"]) == {}
    assert check.near_names(["file_root", "hash_tpye"]) == {
        "file_root": "file_roots",
        "hash_tpye": "hash_type",
    }


def test_a_login_module_needs_a_mapping_of_users():
    values = {"external_auth": {"pam": ["fred"], "ldap": None, "file": {"fred": [".*"]}}}

    (result,) = check.malformed_logins(values, {"external_auth": "f:2"})

    assert result.startswith("f:2: external_auth: pam needs a mapping of users to lists of permissions")
    assert result.endswith("not ['fred']; nobody can log in with it")
    assert check.malformed_logins({}, {}) == check.malformed_logins({"external_auth": None}, {}) == []
