import pytest

from salt_g.modules import mdadm_raid

SCAN = "ARRAY /dev/md0 metadata=1.2 name=m1:0 UUID=fea6:0b\nINACTIVE\n"
DETAIL = """\
/dev/md0:
           Version : 1.2
     Creation Time : Thu Jan  4 10:00:00 2024
        Raid Level : raid1

    Number   Major   Minor   RaidDevice State
       0       8       17        0      active sync   /dev/sdb1
       1       8       33        1      spare rebuilding   /dev/sdc1
"""


@pytest.fixture
def recorded(programs, monkeypatch):
    """Return the answers of mdadm; changes of files are listed among the commands."""

    def replace(path, pattern, *args, **kwargs):
        machine.ran.append(["replace", path, pattern])

    machine = programs(
        {
            "mdadm --detail --scan": SCAN,
            "mdadm --detail /dev/md0": DETAIL,
            "mdadm -Y -E /dev/sdb1": "MD_LEVEL=raid1\nMD_UUID=fea6:0b\n",
        },
        functions={"file.replace": replace, "file.touch": lambda path: True},
        grains={"kernel": "Linux", "os_family": "Debian", "os": "Debian"},
    )
    monkeypatch.setattr(mdadm_raid.os.path, "exists", lambda path: True)
    return machine


def test_arrays_are_listed(recorded):
    assert mdadm_raid.list_() == {
        "/dev/md0": {"device": "/dev/md0", "metadata": "1.2", "name": "m1:0", "uuid": "fea6:0b"}
    }


def test_an_array_is_described_with_its_members(recorded):
    found = mdadm_raid.detail("/dev/md0")

    assert found["raid_level"] == "raid1"
    assert found["members"]["1"] == {
        "device": "/dev/sdc1",
        "major": "8",
        "minor": "33",
        "number": "1",
        "raiddevice": "1",
        "state": "spare rebuilding",
    }
    assert mdadm_raid.examine("/dev/sdb1")["MD_UUID"] == "fea6:0b"


def test_an_array_is_made_with_options(recorded):
    given = {"chunk": 256, "force": True, "spare-devices": 1}

    result = mdadm_raid.create("/dev/md0", 5, ["/dev/a", "/dev/b", "missing"], test_mode=True, **given)

    options = "--chunk 256 --force --spare-devices 1"
    assert result == f"mdadm -C /dev/md0 -R -v -l 5 {options} -e default -n 2 /dev/a /dev/b missing"
    assert mdadm_raid.assemble("/dev/md0", "/dev/a,/dev/b", test_mode=True)[-2:] == ["/dev/a", "/dev/b"]


def test_an_array_is_destroyed_with_what_its_devices_know(recorded):
    assert mdadm_raid.destroy("/dev/md0") is False

    assert "mdadm --zero-superblock /dev/sdb1 /dev/sdc1" in recorded.lines
    assert r"replace /etc/mdadm/mdadm.conf ARRAY /dev/md0 .*" in recorded.lines


def test_arrays_are_written_down_for_the_next_boot(recorded):
    mdadm_raid.save_config()

    assert recorded.lines[-2:] == [
        r"replace /etc/mdadm/mdadm.conf ^ARRAY\s+/dev/md0\s+.*$",
        "update-initramfs -u",
    ]
