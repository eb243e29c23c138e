"""File systems in files, created and read by e2fsprogs."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import cmd, extfs


@pytest.fixture
def device(call_context, tmp_path):
    """Return a file of 20 MiB for a file system."""
    call_context(functions={"cmd.which": cmd.which, "cmd.run_all": cmd.run_all})
    if not cmd.which("mke2fs"):
        pytest.skip("e2fsprogs is not installed")
    path = tmp_path / "device"
    with open(path, "wb") as file:
        file.truncate(20 << 20)
    return str(path)


def test_a_file_system_is_made_and_described(device):
    result = extfs.mkfs(device, "ext4", label="data", block_size=1024, reserved=2, force=False)
    found = extfs.dump(device)

    assert result[0] == "Creating filesystem with 20480 1k blocks and 5112 inodes"
    assert not [line for line in result if line.startswith(("mke2fs", "Writing"))]
    assert found["attributes"]["Filesystem volume name"] == "data"
    assert found["attributes"]["Reserved block count"] == "409"
    assert "extent" in found["attributes"]["Filesystem features"]
    assert found["attributes"]["Group descriptor size"] == "64"
    first = found["blocks"]["Group 0"]
    assert (first["group"], first["range"]) == ("0", "1-8192")
    assert first["free inodes"] == ["12-1704"]
    assert first["extra"][0] == "Primary superblock at 1, Group descriptors at 2-2"
    assert sorted(found["blocks"]) == ["Group 0", "Group 1", "Group 2"]


def test_a_file_system_is_changed(device):
    extfs.mkfs(device, "ext2", label="old")

    result = extfs.tune(device, label="new name", full_return=True)

    assert (result["retcode"], result["comment"][0][:7]) == (0, "tune2fs")
    assert extfs.attributes(device, "h")["Filesystem volume name"] == "new name"
    assert extfs.blocks(device, "h") == {}


def test_a_trial_makes_nothing(device):
    extfs.mkfs(device, "ext4", test=True)

    with pytest.raises(CommandExecutionError, match="dumpe2fs .*device: .*"):
        extfs.dump(device)


def test_an_option_that_is_not_known_makes_nothing(device):
    with pytest.raises(InvocationError, match="extfs.mkfs has no option 'lable'; nearest: 'label'"):
        extfs.mkfs(device, "ext4", lable="data")

    with open(device, "rb") as file:
        assert not any(file.read())


def test_a_refusal_of_the_program_is_reported(device):
    result = extfs.mkfs(device, "ext4", opts="nosuch", full_return=True)

    assert result["retcode"] == 1
    assert result["comment"] == ["Invalid filesystem option set: nosuch"]
