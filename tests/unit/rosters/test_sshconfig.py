"""The roster of `~/.ssh/config`."""

import pytest

from salt_g.errors import RosterError

CONFIG = """
User nobody
Host web1 web2 *.example.org
    HostName 192.0.2.1
    Port=2222
    User deploy
Host web1
    User other
    IdentityFile "/keys/web 1"
Match host web2
    User matched
Host gone
"""


def test_names_are_hosts_and_the_first_value_of_matching_entries_counts(tmp_path, targets):
    path = tmp_path / "config"
    path.write_text(CONFIG)

    found = targets("sshconfig", ssh_config_file=str(path))

    file = {"ssh_options": [f'Include "{path}"']}
    assert found == {
        "web1": {
            "host": "web1", "port": "2222", "user": "nobody", "priv": "/keys/web 1", **file,
        },
        "web2": {"host": "web2", "port": "2222", "user": "nobody", **file},
        "gone": {"host": "gone", "user": "nobody", **file},
    }  # fmt: skip


def test_entries_with_patterns_apply_to_the_hosts_that_they_match(tmp_path, targets):
    text = "Host web* !web2\n  User deploy\nHost web1 web2 db1\n  IdentityFile ~/.ssh/%h\nHost *\n  Port 22\n"
    (tmp_path / "config").write_text(text)

    found = targets("sshconfig", "*1", ssh_config_file=str(tmp_path / "config"))

    assert {id: {name: own.get(name) for name in ("user", "port", "priv")} for id, own in found.items()} == {
        "web1": {"user": "deploy", "port": "22", "priv": None},
        "db1": {"user": None, "port": "22", "priv": None},
    }


def test_included_files_are_read_in_their_place_and_end_their_own_entries(tmp_path, targets):
    (tmp_path / "more.conf").write_text("Host db1\n  User dba\n")
    text = f"Host web1\n  Port 2222\nHost *\n  Include {tmp_path}/*.conf\n  Port 22\n"
    (tmp_path / "config").write_text(text)

    found = targets("sshconfig", ssh_config_file=str(tmp_path / "config"))

    assert {id: (own.get("user"), own["port"]) for id, own in found.items()} == {
        "web1": (None, "2222"), "db1": ("dba", "22"),
    }  # fmt: skip


def test_a_file_that_includes_itself_is_an_error(tmp_path, targets):
    (tmp_path / "config").write_text(f"Include {tmp_path}/config\n")

    with pytest.raises(RosterError, match="includes itself"):
        targets("sshconfig", ssh_config_file=str(tmp_path / "config"))


def test_a_file_that_is_missing_is_named(tmp_path, targets):
    with pytest.raises(RosterError, match="nowhere"):
        targets("sshconfig", ssh_config_file=str(tmp_path / "nowhere"))
