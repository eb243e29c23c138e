"""Disks."""

import os

from salt_g.grains.disks import disks, fibre_channel_host, mdadm


def test_rotating_and_solid_disks_are_parted_and_virtual_ones_left_out(tree, tmp_path):
    root = tree(
        {
            "/sys/devices/pci0/sda/queue/rotational": "1\n",
            "/sys/devices/pci0/nvme0n1/queue/rotational": "0\n",
            "/sys/devices/virtual/block/loop0/queue/rotational": "0\n",
            "/sys/block": None,
        }
    )
    for name, target in {"sda": "pci0", "nvme0n1": "pci0", "loop0": "virtual/block"}.items():
        os.symlink(f"../devices/{target}/{name}", tmp_path / "sys/block" / name)

    assert disks(root) == {"disks": ["sda"], "ssds": ["nvme0n1"]}


def test_software_raid_comes_from_mdstat(tree):
    arrays = "md1 : active raid1 sdb1[1]\nmd0 : active raid1 sda1[0]\n"
    text = f"Personalities : [raid1]\n{arrays}unused devices: <none>\n"

    assert mdadm(tree({"/proc/mdstat": text})) == {"mdadm": ["md0", "md1"]}


def test_without_mdstat_there_is_no_raid_grain(tmp_path):
    assert mdadm(str(tmp_path)) == {}


def test_a_fibre_channel_adapter_is_a_class_of_sysfs(tree):
    assert fibre_channel_host(tree({"/sys/class/fc_host": None})) == {"fibre_channel_host": True}
