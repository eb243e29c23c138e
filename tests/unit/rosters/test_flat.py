"""The roster in a file: entries, defaults, templates, targets."""

import pytest

from salt_g.errors import RosterError, TargetError

ROSTER = """
web1: {host: 192.0.2.1, user: deploy}
web2: 192.0.2.2
{% for number in (1, 2) %}
db{{ number }}: {host: 198.51.100.{{ number }}, port: 2222}
{% endfor %}
7: {host: 192.0.2.7}
"""


@pytest.fixture
def ask(tmp_path, targets):
    (tmp_path / "roster").write_text(ROSTER)
    return targets


def test_the_roster_is_beside_the_settings_and_rendered(ask):
    assert ask("flat", "db*") == {
        "db1": {"host": "198.51.100.1", "port": 2222},
        "db2": {"host": "198.51.100.2", "port": 2222},
    }


@pytest.mark.parametrize(
    ("tgt", "tgt_type", "ids"),
    [
        ("web*", "glob", ["web1", "web2"]),
        ("web1", "glob", ["web1"]),
        ("nobody", "glob", []),
        (["db1", "web2", "nobody"], "list", ["web2", "db1"]),
        ("(web|db)1", "pcre", ["web1", "db1"]),
        ("192.0.2.0/24", "ipcidr", ["web1", "web2", "7"]),
        ("198.51.100.2", "ipcidr", ["db2"]),
        ("web* and not E@.*2 or S@198.51.100.1", "compound", ["web1", "db1"]),
        ("7", "glob", ["7"]),
    ],
)
def test_targets_select_by_id_and_address(ask, tgt, tgt_type, ids):
    assert list(ask("flat", tgt, tgt_type)) == ids


@pytest.mark.parametrize("group", [["web1", "db2"], "web1,db2", "L@web1,db2", "web1 or db2"])
def test_nodegroups_are_those_of_the_settings(ask, group):
    assert list(ask("flat", "some", "nodegroup", ssh_list_nodegroups={"some": group})) == ["web1", "db2"]


def test_defaults_apply_where_the_roster_says_nothing(ask):
    found = ask("flat", "web*", roster_defaults={"user": "root", "sudo": True})

    assert found == {
        "web1": {"host": "192.0.2.1", "user": "deploy", "sudo": True},
        "web2": {"host": "192.0.2.2", "user": "root", "sudo": True},
    }


def test_a_named_file_is_searched_in_the_directories_of_rosters(tmp_path, targets):
    (tmp_path / "rosters").mkdir()
    (tmp_path / "rosters" / "prod").write_text("p1: 192.0.2.9\n")

    assert list(targets("flat", roster_file="prod", rosters=[str(tmp_path / "rosters")])) == ["p1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, "does not exist"), ("- a\n", "not a list"), ("{{ nothing.here }}: x\n", "cannot be read")],
)
def test_an_unusable_roster_is_reported_with_the_file(tmp_path, targets, text, words):
    if text is not None:
        (tmp_path / "roster").write_text(text)

    with pytest.raises(RosterError, match=words) as raised:
        targets("flat")

    assert str(tmp_path / "roster") in str(raised.value)


@pytest.mark.parametrize(
    ("tgt", "tgt_type"),
    [("(", "pcre"), ("( web1", "compound"), ("192.0.2.0/99", "ipcidr"), ("none", "nodegroup")],
)
def test_a_malformed_target_is_an_error(ask, tgt, tgt_type):
    with pytest.raises(TargetError):
        ask("flat", tgt, tgt_type)
