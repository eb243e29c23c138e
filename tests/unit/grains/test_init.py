"""The init process."""

import pytest

from salt_g.grains.init import init, selinux, systemd


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a function that makes {name: shell script} the only programs of PATH."""

    def write(scripts):
        directory = tmp_path / "programs"
        directory.mkdir()
        for name, script in scripts.items():
            (directory / name).write_text(f"#!/bin/sh\n{script}\n")
            (directory / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(directory))

    return write


def test_a_running_systemd_is_known_by_its_directory(tree):
    assert init(tree({"/run/systemd/system": None})) == {"init": "systemd"}


def test_runit_is_known_by_its_name(tree):
    assert init(tree({"/proc/1/cmdline": "runit\0"})) == {"init": "runit"}


def test_the_init_of_phusions_images_is_runit(tree):
    assert init(tree({"/proc/1/cmdline": "/usr/bin/python3\0/sbin/my_init\0"})) == {"init": "runit"}


def test_anything_else_is_unknown(tree):
    assert init(tree({"/proc/1/cmdline": "/usr/local/bin/serve\0--all\0"})) == {"init": "unknown"}


def test_an_empty_command_line_is_unknown(tmp_path):
    assert init(str(tmp_path)) == {"init": "unknown"}


def test_systemd_reports_version_and_features(programs):
    programs({"systemctl": "echo 'systemd 252 (252.38)'; echo '+PAM -APPARMOR'", "localectl": "exit 0"})

    assert systemd() == {"systemd": {"version": "252", "features": "+PAM -APPARMOR"}}


def test_a_systemctl_without_systemd_is_reported_as_undefined(programs):
    programs({"systemctl": "exit 1", "localectl": "exit 0"})

    assert systemd() == {"systemd": {"version": "UNDEFINED", "features": ""}}


@pytest.mark.parametrize(
    ("files", "enabled", "enforced"),
    [
        ({"/sys/fs/selinux/enforce": "1"}, True, "Enforcing"),
        ({"/sys/fs/selinux/enforce": "0"}, True, "Permissive"),
        ({"/sys/fs": None}, False, "Disabled"),
    ],
)
def test_the_state_of_selinux_comes_from_the_kernel(programs, tree, files, enabled, enforced):
    programs({"selinuxenabled": "exit 0", "getenforce": "exit 0"})

    assert selinux(tree(files)) == {"selinux": {"enabled": enabled, "enforced": enforced}}
