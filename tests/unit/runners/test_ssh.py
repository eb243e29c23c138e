"""Options of `salt-g ssh` for settings of one call of the runner `ssh.cmd`."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.runners import ssh
from salt_g.runners.ssh import program


def test_settings_become_options():
    given = {
        "roster": "ansible", "roster_file": "/r", "ssh_sudo": True, "ignore_host_keys": False,
        "ssh_user": None, "ssh_options": ["Port=1", "User=x"],
    }  # fmt: skip

    assert program._settings(given) == [
        "--roster=ansible", "--roster-file=/r", "--sudo", "--ssh-option=Port=1", "--ssh-option=User=x",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["ssh_passwd", "nosuch"])
def test_passwords_and_unknown_settings_are_refused(name):
    with pytest.raises(CommandExecutionError, match=f"does not accept '{name}'"):
        program._settings({name: "x"})


def test_the_right_to_call_the_runner_sets_none_of_its_settings():
    with pytest.raises(TypeError):
        ssh.cmd("*", "test.ping", ssh_options=["ProxyCommand=touch /tmp/x"])
