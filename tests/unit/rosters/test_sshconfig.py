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
Host * !gone
    Port 22
"""


def test_entries_without_patterns_are_hosts_and_the_first_value_counts(tmp_path, targets):
    (tmp_path / "config").write_text(CONFIG)

    assert targets("sshconfig", ssh_config_file=str(tmp_path / "config")) == {
        "web1": {"host": "192.0.2.1", "port": "2222", "user": "deploy", "priv": "/keys/web 1"},
        "web2": {"host": "192.0.2.1", "port": "2222", "user": "deploy"},
    }


def test_a_file_that_is_missing_is_named(tmp_path, targets):
    with pytest.raises(RosterError, match="nowhere"):
        targets("sshconfig", ssh_config_file=str(tmp_path / "nowhere"))
