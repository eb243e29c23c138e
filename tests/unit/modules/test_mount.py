import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import cmd, mount

FSTAB = "# mine\n/dev/sda1\t/\text4\tdefaults\t0 1\ntmpfs /tmp tmpfs size=1g 0 0\n"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "fstab"
    path.write_text(FSTAB)
    return path


def test_entries_are_read_by_mount_point(config):
    entries = mount.fstab(str(config))

    assert list(entries) == ["/", "/tmp"]
    assert entries["/tmp"] == {
        "device": "tmpfs",
        "fstype": "tmpfs",
        "opts": ["size=1g"],
        "dump": "0",
        "pass": "0",
    }


def test_a_new_entry_goes_to_the_end_and_the_rest_stays(config):
    assert mount.set_fstab("/data", "/dev/sdb1", "xfs", config=str(config)) == "new"
    assert config.read_text() == FSTAB + "/dev/sdb1\t\t/data\txfs\tdefaults\t0 0\n"


def test_an_entry_is_found_by_its_device_and_changed(config):
    assert mount.set_fstab("/", "/dev/sda1", "ext4", "noatime", 0, 1, config=str(config)) == "change"
    assert "/dev/sda1\t\t/\text4\tnoatime\t0 1\n" in config.read_text()
    assert mount.set_fstab("/", "/dev/sda1", "ext4", "noatime", 0, 1, config=str(config)) == "present"


def test_a_file_system_without_a_device_is_found_by_its_mount_point(config):
    assert mount.set_fstab("/var/tmp", "tmpfs", "tmpfs", config=str(config)) == "new"


def test_test_mode_writes_nothing(config):
    assert mount.set_fstab("/data", "/dev/sdb1", "xfs", config=str(config), test=True) == "new"
    assert config.read_text() == FSTAB


def test_an_entry_is_removed(config):
    mount.rm_fstab("/tmp", "tmpfs", str(config))

    assert list(mount.fstab(str(config))) == ["/"]


def test_slips_are_errors(config):
    with pytest.raises(CommandExecutionError, match="Unrecognized keys in match_on"):
        mount.set_fstab("/x", "/dev/x", "xfs", config=str(config), match_on="nosuch")
    with pytest.raises(CommandExecutionError, match="Bad config file"):
        mount.set_fstab("/x", "/dev/x", "xfs", config="/nosuch")


@pytest.mark.parametrize(
    "change",
    [lambda: mount.mount("/nosuch", "/dev/nosuch"), lambda: mount.swapon("/nosuch")],
)
def test_a_change_that_fails_fails_the_call(call_context, change):
    context = call_context(functions={"cmd.run_all": cmd.run_all})

    change()

    assert context.scratch["retcode"] != 0
