"""Possible presence of volume groups: True in any doubt."""

import pytest

from salt_g.grains._volume_labels import may_have_groups

_EMPTY_DISK = "\0" * 4096
_VOLUME = "\0" * 512 + "LABELONE" + "\0" * 3000


def _machine(tree, devices, **attributes):
    """Return a root with block devices {name: first bytes}; `attributes` is {file of /sys: text} for all."""
    files = {}
    for name, beginning in devices.items():
        files[f"/dev/{name}"] = beginning
        for file, content in {"size": "8192", **attributes}.items():
            files[f"/sys/class/block/{name}/{file.replace('__', '/')}"] = f"{content}\n"
    return tree(files)


def test_without_a_label_there_is_no_group(tree):
    assert not may_have_groups(_machine(tree, {"sda": _EMPTY_DISK, "sda1": _EMPTY_DISK}))


def test_a_label_on_any_device_may_be_a_group(tree):
    assert may_have_groups(_machine(tree, {"sda": _EMPTY_DISK, "sda1": _VOLUME}))


def test_the_label_counts_in_each_of_the_first_four_sectors_and_no_later(tree):
    for sector, expected in ((0, True), (3, True), (4, False)):
        beginning = "\0" * 512 * sector + "LABELONE" + "\0" * 512

        assert may_have_groups(_machine(tree, {"vda": beginning})) is expected


def test_the_label_of_the_first_format_counts(tree):
    assert may_have_groups(_machine(tree, {"sda": "HM" + _EMPTY_DISK}))


def test_a_drive_is_not_read(tree):
    assert not may_have_groups(_machine(tree, {"sr0": _VOLUME, "sda": _EMPTY_DISK}))


@pytest.mark.parametrize(
    ("device", "attributes"),
    [
        ("rbd0", {}),
        ("sda", {"device__state": "blocked"}),
        ("dm-0", {"dm__suspended": "1"}),
        ("dm-0", {"dm__uuid": "mpath-3600"}),
    ],
)
def test_devices_that_may_be_slow_are_left_to_vgs(tree, device, attributes):
    assert may_have_groups(_machine(tree, {device: _EMPTY_DISK}, **attributes))


def test_a_mapped_device_that_works_is_read(tree):
    assert not may_have_groups(_machine(tree, {"dm-0": _EMPTY_DISK}, dm__suspended="0", dm__uuid="CRYPT-1"))


def test_a_device_that_dev_does_not_have_is_left_to_vgs(tree):
    assert may_have_groups(tree({"/sys/class/block/sda/size": "8192"}))


def test_devices_of_size_0_alone_are_left_to_vgs(tree):
    assert may_have_groups(_machine(tree, {"loop0": _EMPTY_DISK}, size="0"))


def test_very_many_block_devices_are_left_to_vgs(tree):
    assert may_have_groups(_machine(tree, {f"sd{number}": _EMPTY_DISK for number in range(65)}))
