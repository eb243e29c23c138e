"""The first process."""

from salt_g.grains.init import init


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
