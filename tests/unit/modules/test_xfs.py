"""File systems in a file, created and read by xfsprogs; output of programs that need a mount is recorded."""

import shutil

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import cmd, xfs

INVENTORY = (
    "file system 0:\n\tfs id:\t\t839e\n\tsession 0:\n\t\tmount point:\tvm:/mnt\n\t\tsession id:\tone\n"
    '\t\tsession label:\t"of 2026.11.23, 23:06"\n\t\tstream 0:\n\t\t\tpathname:\t/dump\n'
    "\t\t\tmedia file 0:\n\t\t\t\tmfile size:\t22144\n\tsession 1:\n\t\tsession id:\ttwo\n"
    "xfsrestore: Restore Status: SUCCESS\n"
)
DUMP = """\
xfsdump: using file dump (drive_simple) strategy
xfsdump: session label: "one"
xfsdump: session id: 100091f1
xfsdump: media file size 22144 bytes
xfsdump: dump complete: 0 seconds elapsed
xfsdump: Dump Summary:
xfsdump:   stream 0 /backup OK (success)
xfsdump: Dump Status: SUCCESS
"""
MOUNTED = {"/data": {"device": "/dev/sdb1", "fstype": "xfs", "opts": ["rw"]}}


@pytest.fixture
def device(call_context, tmp_path):
    """Return a sparse file of 400 MiB for a file system."""
    if not shutil.which("mkfs.xfs"):
        pytest.skip("xfsprogs is not installed")
    functions = {"cmd.which": cmd.which, "cmd.run_all": cmd.run_all, "mount.active": dict}
    call_context(functions=functions)
    path = tmp_path / "device"
    with open(path, "wb") as file:
        file.truncate(400 << 20)
    return str(path)


def test_a_file_system_is_made_and_described(device):
    made = xfs.mkfs(device, label="data", bso="size=2048", ssize="size=1024")

    assert made == xfs.info(device)
    assert made["meta-data"]["section"] == device
    assert made["meta-data"]["agsize"].endswith(" blks")
    assert made["meta-data"]["sectsz"] == "1024"
    assert made["data"]["section"] == "data"
    assert (made["data"]["bsize"], made["data"]["blocks"]) == ("2048", "204800")
    assert made["naming"]["section"] == "version 2"
    assert made["log"]["section"] == "internal log"


def test_an_existing_file_system_is_kept_on_request(device):
    xfs.mkfs(device)

    with pytest.raises(CommandExecutionError, match="appears to contain an existing filesystem"):
        xfs.mkfs(device, noforce=True)


def test_a_file_system_is_changed(device):
    xfs.mkfs(device, label="old")

    changed = xfs.modify(device, label="new", uuid=True)

    assert list(changed) == [device]
    assert changed[device]["label"] == "new"
    before = changed[device]["uuid"]
    assert xfs.modify(device, uuid=True)[device]["uuid"] != before
    with pytest.raises(CommandExecutionError, match="Nothing specified for modification"):
        xfs.modify(device)


def test_a_device_without_a_file_system_is_refused(device):
    with pytest.raises(CommandExecutionError):
        xfs.info(device)


def test_space_is_estimated(device, tmp_path):
    found = xfs.estimate(str(tmp_path))

    assert sorted(found[str(tmp_path)]) == ["block _size", "blocks", "logsize", "megabytes"]
    with pytest.raises(CommandExecutionError, match="was not found"):
        xfs.estimate(str(tmp_path / "nosuch"))


def test_devices_have_their_mounts(programs):
    listed = "DEVNAME=/dev/sdb1\nLABEL=data\nUUID=1\nBLOCK_SIZE=512\nTYPE=xfs\n\n"
    listed += "DEVNAME=/dev/sdc\nUUID=2\nTYPE=xfs\n"
    programs({"blkid": listed}, functions={"mount.active": lambda: MOUNTED})

    assert xfs.devices() == {
        "/dev/sdb1": {
            "label": "data",
            "uuid": "1",
            "block_size": "512",
            "mount_point": "/data",
            "options": ["rw"],
        },
        "/dev/sdc": {"uuid": "2"},
    }


def test_only_a_mounted_file_system_is_defragmented(programs):
    ran = programs({"xfs_fsr": "/data done"}, functions={"mount.active": lambda: MOUNTED})

    assert xfs.defragment("/dev/sdb1") == {"log": "/data done"}
    assert ran.lines == ["xfs_fsr /dev/sdb1"]
    with pytest.raises(CommandExecutionError, match='Device "/dev/sdc" is not mounted'):
        xfs.defragment("/dev/sdc")


def test_a_dump_is_summarized(programs):
    ran = programs({"xfsdump": DUMP}, functions={"cmd.which": lambda name: name})

    assert xfs.dump("/dev/sdb1", "/backup", label="one", level=1, noerase=True) == {
        "Session label": '"one"',
        "Session ID": "100091f1",
        "Media size": "22144 bytes",
        "Dump complete": "0 seconds elapsed",
        "Summary": "stream 0 /backup OK (success)",
        "Status": "SUCCESS",
    }
    assert ran.lines == ["xfsdump -F -L one -l 1 -f /backup /dev/sdb1"]


def test_the_inventory_is_nested_and_pruned(programs):
    ran = programs({"xfsrestore -I": INVENTORY}, functions={"cmd.which": lambda name: name})
    found = xfs.inventory()

    session = found["file system 0"]["session 0"]
    assert session["session label"] == '"of 2026.11.23, 23:06"'
    assert session["stream 0"]["media file 0"] == {"mfile size": "22144"}
    assert found["file system 0"]["session 1"] == {"session id": "two"}
    assert found["restore_status"] == "xfsrestore: Restore Status: SUCCESS"

    ran.answer("xfsinvutil", then=lambda: ran.answer("xfsrestore -I", INVENTORY.replace("two", "three")))
    assert xfs.prune_dump("two") is True
    assert "xfsinvutil -s two -F" in ran.lines
    with pytest.raises(CommandExecutionError, match='Session UUID "two" was not found'):
        xfs.prune_dump("two")
