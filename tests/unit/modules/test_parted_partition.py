"""Partition tables in a plain file, by the real parted, and its recorded output about devices."""

import os
import shutil

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import cmd
from salt_g.modules import parted_partition as partition

LISTED = """\
BYT;
/dev/loop0:315MB:loopback:512:512:gpt:Loopback device:pmbr_boot;
1:1049kB:99.6MB:98.6MB:ext2:My Documents:boot, esp;
2:99.6MB:200MB:101MB:::;
"""
TYPES = "\nId  Name\n\n 0  Empty\n82  Linux swap / Solaris\n83  Linux\n"


@pytest.fixture
def image(call_context, tmp_path):
    """Return a file of 300 MiB with an empty gpt."""
    # Without udev, parted's results contain its shell's complaint about `udevadm`, as stock's do.
    if not (shutil.which("parted") and shutil.which("udevadm")):
        pytest.skip("parted or udev is not installed")
    call_context(functions={"cmd.run_all": cmd.run_all})
    path = tmp_path / "disk"
    with open(path, "wb") as file:
        file.truncate(300 << 20)
    assert partition.mklabel(str(path), "gpt") == []
    return str(path)


def _print(image):
    return cmd.run_all(["parted", "-m", "-s", image, "unit", "s", "print"], python_shell=False)["stdout"]


def test_partitions_are_made_named_flagged_and_removed(image):
    assert partition.mkpart(image, "primary", start=1, end="50%") == []
    assert partition.mkpartfs(image, "primary", "ext4", "50%", "100%") == []
    assert partition.rescue(image, "-2MB", "-1MB") == []
    assert partition.name(image, 1, "My Documents") == []
    assert partition.set_(image, 1, "boot", True) == []
    assert partition.disk_set(image, "pmbr_boot", "on") == []
    made = _print(image)
    assert ":My Documents:boot, esp;" in made
    assert "pmbr_boot;" in made

    assert partition.toggle(image, "1", "boot") == []
    assert partition.disk_toggle(image, "pmbr_boot") == []
    assert ":My Documents:;" in _print(image)


def test_a_refusal_of_the_program_is_returned(image):
    assert partition.mkpart(image, "primary", start="90%", end="200%")[0].startswith("Error: ")


def test_a_disk_and_its_partitions_are_listed(programs):
    ran = programs({"parted": LISTED})

    found = partition.list_(_block_device(), unit="MB")

    assert ran.lines[0].endswith("unit MB print")
    assert found["info"]["partition table"] == "gpt"
    assert (found["info"]["model"], found["info"]["disk flags"]) == ("Loopback device", "pmbr_boot")
    assert found["partitions"]["1"] == {
        "number": "1",
        "start": "1049kB",
        "end": "99.6MB",
        "size": "98.6MB",
        "file system": "ext2",
        "name": "My Documents",
        "flags": "boot, esp",
    }
    assert list(found["partitions"]) == ["1", "2"]


def test_types_are_read_and_set_with_sfdisk(programs):
    functions = {"cmd.which": lambda name: name}
    ran = programs({"sfdisk -T": TYPES, "--part-type": "83\n"}, functions=functions)
    device = _block_device()

    assert partition.system_types() == {"0": "Empty", "82": "Linux swap / Solaris", "83": "Linux"}
    assert partition.get_id(device, 1) == "83"
    assert partition.set_id(device, 1, 82) is True
    assert ran.lines[-1] == f"sfdisk --part-type {device} 1 82"
    with pytest.raises(CommandExecutionError, match="Invalid system_id passed to partition.set_id"):
        partition.set_id(device, 1, "zz")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: partition.mklabel("/x", "bla"), "Invalid label_type passed to partition.mklabel"),
        (
            lambda: partition.mkpart("/x", "bla", start=0, end=1),
            "Invalid part_type passed to partition.mkpart",
        ),
        (
            lambda: partition.mkpart("/x", "primary", "bla", 0, 1),
            "Invalid fs_type passed to partition.mkpart",
        ),
        (lambda: partition.mkpart("/x", "primary", None, "x", 1), 'Invalid partition boundary passed: "x"'),
        (lambda: partition.set_("/x", "a", "boot", "on"), "Invalid minor number passed to partition.set"),
        (lambda: partition.set_("/x", 1, "bla", "on"), "Invalid flag passed to partition.set"),
        (lambda: partition.set_("/x", 1, "boot", "bla"), "Invalid state passed to partition.set"),
        (lambda: partition.disk_set("/x", "boot", "on"), "Invalid flag passed to partition.disk_set"),
        (lambda: partition.name("/x", 1, "a;b"), "Invalid characters passed to partition.name"),
        (lambda: partition.list_("/nosuch"), "Invalid device passed to partition module"),
        (lambda: partition.probe("/"), "Invalid device passed to partition module"),
        (lambda: partition.rm("/nosuch", 1), "Invalid device passed to partition module"),
    ],
)
def test_a_malformed_argument_runs_nothing(programs, call, why):
    ran = programs()

    with pytest.raises(CommandExecutionError, match=why):
        call()
    assert ran.lines == []


def test_a_file_system_needs_its_program(programs, installed, monkeypatch):
    monkeypatch.setattr("salt_g.process.command.SYSTEM_DIRECTORIES", ())
    installed("mkfs.ext4", "mkfs.fat", "mkswap")
    ran = programs()
    device = _block_device()

    for kind in ("ext4", "fat32", "linux-swap"):
        partition.mkfs(device, kind)

    assert ran.lines == [f"mkfs.ext4 {device}", f"mkfs.fat -F 32 {device}", f"mkswap {device}"]
    with pytest.raises(CommandExecutionError, match=r"mkfs.xfs is unavailable"):
        partition.mkfs(device, "xfs")


def test_disks_exclude_loops_and_memory(programs):
    programs({"lsblk": "vda\nvdb\n"})

    assert partition.get_block_device() == ["vda", "vdb"]
    assert partition.exists("/nosuch") is partition.exists("/") is partition.exists() is False


def test_the_module_names_the_missing_program(installed, monkeypatch):
    monkeypatch.setattr("salt_g.process.command.SYSTEM_DIRECTORIES", ())
    installed("parted", "lsblk")

    assert "partprobe binary is not in the path" in partition.__virtual__()[1]


def _block_device():
    """Return the path of any block device; programs that would use it are recorded."""
    for name in sorted(os.listdir("/sys/class/block")):
        if partition.exists(f"/dev/{name}"):
            return f"/dev/{name}"
    pytest.skip("there is no block device")
    return ""
