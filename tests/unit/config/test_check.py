"""Validation of values against their declarations, with its messages."""

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


@pytest.mark.parametrize("item", [5, None, ["a"], {"a": "b"}])
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("runner_dirs", "a list of directories"),
        ("extmod_dirs", "a list of directories"),
        ("fileserver_open_roots", "a list of directories"),
        ("grains_blacklist", "a list of names"),
        ("event_return", "a list of names"),
    ],
)
def test_a_list_is_refused_for_an_item_of_a_wrong_type(name, wanted, item):
    result = check.check({name: ["x", item]}, {name: "f:1"})

    assert result == [f"f:1: {name} must be {wanted}, not {['x', item]!r}"]


@pytest.mark.parametrize("item", [5, None, "git", ["git"]])
def test_a_source_of_pillar_is_a_mapping(item):
    (result,) = check.check({"ext_pillar": [{"git": []}, item]}, {"ext_pillar": "f:1"})

    assert result == f"f:1: ext_pillar must be a list of mappings, not {[{'git': []}, item]!r}"


def test_a_source_of_pillar_may_be_looked_up_in_a_secret_store():
    assert check.check({"ext_pillar": ["sdb://secrets/source"]}, {}) == []


def test_a_text_in_a_list_may_look_like_a_number():
    fitting = {"gitfs_saltenv_blacklist": [2026, "dev", 1.5], "sls_list": [7], "event_return": "redis"}
    nested = {"gitfs_saltenv_blacklist": [["dev"]], "sls_list": [None]}

    assert check.check(fitting, {}) == []
    assert [line.partition(": ")[2] for line in check.check(nested, {})] == [
        "gitfs_saltenv_blacklist must be a list of texts, not [['dev']]",
        "sls_list must be a list of texts, not [None]",
    ]


def test_every_list_with_known_items_is_a_setting():
    names = {*check._LISTS_OF_NAMES, *check.LISTS_OF_TEXTS, *check._LISTS_OF_DIRECTORIES}

    assert [name for name in names if name not in KNOWN or list not in check.kinds(KNOWN[name])] == []


def test_an_environment_needs_a_list_of_directories():
    values = {"file_roots": {"base": "/srv", "dev": ["/d"], "qa": None}, "pillar_roots": ["/p"]}

    (result,) = check.malformed_roots(values, {"file_roots": "f:2"})

    assert result == "f:2: file_roots: environment 'base' needs a list of directories, not '/srv'"


@pytest.mark.parametrize("paths", [[5], ["/srv", None], [["/srv"]], [{"a": "b"}]])
def test_the_directories_of_an_environment_are_texts(paths):
    (result,) = check.malformed_roots({"file_roots": {"base": paths}}, {"file_roots": "f:1"})

    assert result == f"f:1: file_roots: environment 'base' needs a list of directories, not {paths!r}"


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
