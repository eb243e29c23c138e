"""Real disks: loop devices as physical volumes, with file systems, mounted, as swap space."""

import os
import subprocess

import pytest

from tests.support.servers import missing

SIZE = 48 * 1024 * 1024


@pytest.fixture
def loop_device(tmp_path, need):
    """Yield a function that makes a block device, removed at the end."""
    need("losetup", root=True)
    devices = []

    def make():
        image = tmp_path / f"disk{len(devices)}"
        with open(image, "wb") as file:
            file.truncate(SIZE)
        made = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, text=True)
        if made.returncode:
            missing(f"a free loop device ({made.stderr.strip()})")
        devices.append(made.stdout.strip())
        return devices[-1]

    yield make
    for device in devices:
        subprocess.run(["losetup", "-d", device], check=True)


def test_devices_become_a_volume_group_and_free_again(salt_g, loop_device, need):
    need("pvcreate", "vgcreate", "vgremove")
    first, second, group = loop_device(), loop_device(), f"sgtest{os.getpid()}"

    assert salt_g.state("lvm.vg_present", group, f"devices={first}", test=True)["result"] is None
    try:
        assert salt_g.state("lvm.pv_present", first)["changes"] == {"created": True}
        assert salt_g.state("lvm.pv_present", first)["changes"] == {}
        made = salt_g.state("lvm.vg_present", group, f"devices={first}")
        assert made["comment"] == f"Created Volume Group {group}"
        refused = salt_g.state("lvm.vg_present", group, f"devices={first},{second}")
        assert refused["comment"].endswith(f"pv {second} is not present")
        salt_g.state("lvm.pv_present", second)
        grown = salt_g.state("lvm.vg_present", group, f"devices={first},{second}")
        assert grown["changes"] == {second: f"added to {group}"}
        shown = salt_g("lvm.pvdisplay", first).value[first]
        assert shown["Volume Group Name"] == group
        gone = salt_g.state("lvm.vg_absent", group)
        assert gone["changes"] == {"removed": f'Volume group "{group}" successfully removed'}
    finally:
        subprocess.run(["vgremove", "-qq", "--yes", group], capture_output=True)
    assert salt_g.state("lvm.pv_absent", first)["changes"] == {"removed": True}
    assert salt_g.state("lvm.pv_absent", first)["comment"] == f"Physical Volume {first} does not exist"


def test_a_device_is_formatted_mounted_and_unmounted(salt_g, loop_device, tmp_path, need):
    need("mkfs.ext4", "blkid", "mount")
    device, point, table = loop_device(), tmp_path / "data", tmp_path / "fstab"
    table.write_text("# mine\n")
    how = (f"device={device}", "fstype=ext4", "mkmnt=True", f"config={table}")

    assert salt_g.state("blockdev.formatted", device, test=True)["result"] is None
    assert salt_g.state("blockdev.formatted", device)["changes"] == {"new": "ext4", "old": ""}
    assert salt_g.state("blockdev.formatted", device)["changes"] == {}
    try:
        mounted = salt_g.state("mount.mounted", point, *how)
        assert mounted["changes"] == {"mount": True, "persist": "new"}
        again = salt_g.state("mount.mounted", point, *how)
        assert (again["result"], again["changes"]) == (True, {})
        remounted = salt_g.state("mount.mounted", point, *how, "opts=[noatime]")
        assert remounted["changes"]["persist"] == "update"
        assert "noatime" in salt_g("mount.active").value[str(point)]["opts"]
        assert salt_g("disk.get_fstype_from_path", point).value == "ext4"
        gone = salt_g.state("mount.unmounted", point, f"config={table}", "persist=True")
        assert gone["changes"] == {"umount": True, "persist": "purged"}
    finally:
        subprocess.run(["umount", point], capture_output=True)
    assert table.read_text() == "# mine\n"


def test_an_entry_of_the_table_comes_and_goes(salt_g, loop_device, tmp_path, need):
    need("mkfs.ext4", "blkid")
    device, table = loop_device(), tmp_path / "fstab"
    table.write_text("")
    subprocess.run(["mkfs.ext4", "-q", "-L", "sgdata", device], check=True)
    how = ("fs_file=/sgdata", "fs_vfstype=ext4", "mount=False", "mount_by=label", f"config={table}")

    made = salt_g.state("mount.fstab_present", device, *how)

    assert made["comment"] == f"/sgdata entry added in {table}."
    assert table.read_text() == "LABEL=sgdata\t\t/sgdata\text4\tdefaults\t0 0\n"
    assert salt_g.state("mount.fstab_present", device, *how)["changes"] == {}
    where = ("fs_file=/sgdata", "mount_by=label", f"config={table}")
    assert salt_g.state("mount.fstab_absent", device, *where)["changes"] == {"persist": "removed"}
    assert table.read_text() == ""


def test_a_device_becomes_swap_space(salt_g, loop_device, tmp_path, need):
    need("mkswap", "swapoff")
    device, table = loop_device(), tmp_path / "fstab"
    table.write_text("")
    subprocess.run(["mkswap", "-q", device], check=True)
    try:
        used = salt_g.state("mount.swap", device, f"config={table}")
        assert used["comment"] == f"Swap {device} activated. Added new entry to the fstab."
        assert salt_g.state("mount.swap", device, f"config={table}")["changes"] == {}
        assert salt_g("mount.swapoff", device).value is True
    finally:
        subprocess.run(["swapoff", device], capture_output=True)
    assert table.read_text() == f"{device}\t\tnone\tswap\tdefaults\t0 0\n"


def test_a_device_reads_further_ahead(salt_g, loop_device, need):
    need("blockdev")
    device = loop_device()

    tuned = salt_g.state("blockdev.tuned", device, "read-ahead=512")

    assert tuned["changes"]["read-ahead"].endswith(" to 512")
    assert salt_g.state("blockdev.tuned", device, "read-ahead=512")["changes"] == {}


def test_a_device_is_asked_for_what_it_holds_now(salt_g, loop_device, tmp_path, need):
    need("mkfs.ext4", "blkid", "blockdev")
    device = loop_device()
    subprocess.run(["mkfs.ext4", "-q", device], check=True)
    # blkid keeps what it found, and believes it for two seconds unless the device's node is newer.
    subprocess.run(["blkid", device], check=True, stdout=subprocess.DEVNULL)
    os.truncate(tmp_path / "disk0", 0)
    os.truncate(tmp_path / "disk0", SIZE)
    subprocess.run(["blockdev", "--flushbufs", device], check=True)

    assert salt_g("disk.blkid", device).value == {}
    assert salt_g.state("blockdev.formatted", device, test=True)["result"] is None
