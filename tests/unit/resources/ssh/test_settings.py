"""Settings of hosts, and the options of `ssh` that follow from them."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh._program import (
    configuration,
    explanation,
    path_words,
    why_no_shell,
    why_no_sudo,
    words,
)
from salt_g.resources.ssh._settings import host_of


def test_absent_settings_have_the_defaults_of_stock():
    host = host_of("web-01", {"host": "192.0.2.1", "thin_dir": "/tmp/x"})

    assert (host.user, host.port, host.timeout, host.sudo, host.tty) == ("root", 22, 30.0, False, False)
    assert (host.keepalive, host.keepalive_count) == (60, 3)
    assert host.place == "root@192.0.2.1:22"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("host", "-oProxyCommand=id"),
        ("host", "a b"),
        ("host", None),
        ("user", "-l"),
        ("port", 0),
        ("port", "many"),
        ("priv", "/k\nHost *"),
        ("proxy_jump", "-oX=y"),
        ("proxy_jump", ["a", "b c"]),
        ("ssh_options", ["ProxyCommand"]),
        ("ssh_options", {"a": "b"}),
        ("timeout", -1),
    ],
)
def test_settings_that_could_mean_something_else_are_refused_by_name(setting, value):
    with pytest.raises(CommandExecutionError) as refused:
        host_of("web-01", {"host": "192.0.2.1", setting: value})

    assert f"the setting {setting} of ssh host web-01" in str(refused.value)


def test_secrets_are_neither_words_nor_configuration():
    host = host_of("w", {"host": "h", "priv": "/k", "passwd": "s3cret", "priv_passwd": "s3cret2"})

    result = " ".join(words(host, config="/c", socket="/s")) + configuration(host)

    assert "s3cret" not in result


def test_host_keys_are_checked_unless_that_is_switched_off():
    by_default = configuration(host_of("w", {"host": "h"}))
    none = configuration(host_of("w", {"host": "h", "no_host_keys": True}))
    ignored = configuration(host_of("w", {"host": "h", "ignore_host_keys": True}))

    assert "StrictHostKeyChecking yes" in by_default
    assert "UserKnownHostsFile /dev/null" in none
    assert "StrictHostKeyChecking no" in ignored


def test_options_of_the_operator_come_first_and_paths_are_quoted():
    host = host_of("w", {"host": "h", "priv": '/a "b"%h', "ssh_options": ["Compression=yes"]})

    lines = configuration(host).splitlines()

    assert lines[0] == "Compression=yes"
    assert 'IdentityFile "/a \\"b\\"%%h"' in lines


def test_jump_hosts_are_handed_over_in_order():
    host = host_of("w", {"host": "h", "proxy_jump": ["a@b:2222", "[2001:db8::1]:22"]})

    result = words(host, config="/c", socket="/s")

    assert result[result.index("-J") + 1] == "a@b:2222,[2001:db8::1]:22"


def test_set_path_has_the_path_of_the_login_and_no_other_expansion():
    host = host_of("w", {"host": "h", "set_path": "$PATH:/a b:$(id):${PATH}"})

    assert path_words(host)[2] == """PATH=''"$PATH"':/a b:$(id):'"$PATH"''; export PATH; exec "$@\""""
    assert path_words(host_of("w", {"host": "h"})) == []


@pytest.mark.parametrize(
    ("stderr", "part"),
    [
        (
            "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
            "ssh-keygen -R",
        ),
        ("No ED25519 host key is known for h and you have requested strict checking.", "ssh-keyscan"),
        ("root@h: Permission denied (publickey).", "authorized_keys"),
        ("ssh: connect to host h port 22: Connection refused", "cannot be reached: connect to host h"),
        ("", "without a message"),
    ],
)
def test_failures_say_what_to_do(stderr, part):
    assert part in explanation(host_of("w", {"host": "h"}), stderr)


def test_options_that_ssh_refuses_are_named_with_the_file_of_the_user_alone():
    stderr = (
        "/tmp/salt-g-ssh-7-abc/config: line 1: Bad configuration option: bogus\n"
        "/root/.ssh/config line 2: Bad port 'abc'.\n"
        "/tmp/salt-g-ssh-7-abc/config: terminating, 2 bad configuration options\n"
    )

    assert explanation(host_of("w", {"host": "h"}), stderr) == (
        "ssh refuses its options for root@h:22 (ssh_options, ~/.ssh/config):"
        " Bad configuration option: bogus; /root/.ssh/config line 2: Bad port 'abc'."
    )


def test_a_key_that_ssh_does_not_use_is_named_where_the_user_is_not_let_in(tmp_path):
    key = tmp_path / "key"
    stderr = "root@h: Permission denied (publickey).\n"

    missing = explanation(host_of("w", {"host": "h", "priv": str(key)}), stderr)
    key.touch(mode=0o600)
    fine = explanation(host_of("w", {"host": "h", "priv": str(key)}), stderr)
    key.chmod(0o644)
    is_open = explanation(host_of("w", {"host": "h", "priv": str(key)}), stderr)

    assert missing.endswith(f"(publickey). The private key {key} cannot be read: No such file or directory")
    assert "Look at the settings user, priv" in fine
    assert f"(mode 0644), so ssh does not use it: chmod 600 {key}" in is_open


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (
            "Welcome\nThis account is currently not available.\n",
            " (This account is currently not available.)",
        ),
        ("", ""),
    ],
)
def test_a_login_shell_that_runs_no_commands_is_named(printed, words):
    found = why_no_shell(host_of("w", {"host": "h"}), "", printed)

    assert found.startswith(f"root@h:22 lets the user in, but no command runs there{words}: the login shell")


@pytest.mark.parametrize(
    ("stderr", "remedy"),
    [
        ("sudo: a password is required", "NOPASSWD"),
        ("sorry, you must have a tty to run sudo", "!requiretty"),
    ],
)
def test_a_refusal_of_sudo_has_its_remedy(stderr, remedy):
    found = why_no_sudo(host_of("w", {"host": "h", "user": "u"}), stderr)

    assert found.startswith(f"sudo on u@h:22 refuses: {stderr}. ")
    assert remedy in found
