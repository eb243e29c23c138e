"""Disks, from recorded texts of programs."""

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import disk
from salt_g.modules.disk.drives import parse_hdparm, parse_iostat, parse_smart

DF = """\
Filesystem     1024-blocks     Used Available Capacity Mounted on
/dev/vda         264212084 23028104  83362808      22% /
map auto home            0        0         0     100% /my home
"""
#: What `blockdev` prints when it is asked for twelve settings.
LISTED = "\n".join(str(number) for number in range(12))
BLKID = '/dev/vda1: LABEL="my root" UUID="6a38" TYPE="ext4"\n/dev/vdb: TYPE="swap"\n'


def test_usage_is_listed_by_mount_point_and_copes_with_spaces(call_context):
    call_context(functions={"cmd.run": lambda *args, **kwargs: DF})

    assert disk.usage() == {
        "/": {
            "filesystem": "/dev/vda",
            "1K-blocks": "264212084",
            "used": "23028104",
            "available": "83362808",
            "capacity": "22%",
        },
        "/my home": {
            "filesystem": "map auto home",
            "1K-blocks": "0",
            "used": "0",
            "available": "0",
            "capacity": "100%",
        },
    }


def test_percent_of_all_one_or_none(call_context):
    call_context(functions={"cmd.run": lambda *args, **kwargs: DF})

    assert disk.percent() == {"/": "22%", "/my home": "100%"}
    assert disk.percent("/") == "22%"
    assert disk.percent("/nope") == {}


def test_unknown_flags_are_refused():
    with pytest.raises(CommandExecutionError, match="Invalid flag passed to disk.inodeusage"):
        disk.inodeusage("Z")


def test_blkid_reads_values_with_spaces(programs):
    programs({"blkid": BLKID}, functions={"cmd.which": lambda program: program})

    assert disk.blkid() == {
        "/dev/vda1": {"LABEL": "my root", "UUID": "6a38", "TYPE": "ext4"},
        "/dev/vdb": {"TYPE": "swap"},
    }


def test_dump_names_what_blockdev_lists(programs):
    programs({"blockdev": LISTED})

    assert disk.dump("/dev/vda")["getfra"] == "11"
    assert disk.dump("/dev/vda", ["getra"]) == {"getra": "10"}


def test_tune_sets_and_shows_what_it_set(programs):
    recorded = programs({"blockdev": LISTED})

    found = disk.tune("/dev/vda", **{"read-ahead": 1024, "read-write": True, "__pub_jid": "1"})

    assert recorded.lines[0] == "blockdev --setra 1024 --setrw /dev/vda"
    assert found == {"getra": "10", "getro": "0"}


def test_tune_refuses_other_arguments():
    with pytest.raises(InvocationError, match="Invalid keyword arguments: read-only=no, speed=9"):
        disk.tune("/dev/vda", **{"read-only": "no", "speed": 9})


def test_format_hands_on_the_options_of_the_type(call_context):
    ran = []

    def retcode(command, **kwargs):
        ran.append(command)
        return 0

    call_context(functions={"cmd.which": lambda program: program, "cmd.retcode": retcode})

    assert disk.format_("/dev/vdb", fs_type="xfs", inode_size=512, force=True) is True
    assert ran == [["mkfs", "-t", "xfs", "-i", "size=512", "-f", "/dev/vdb"], "sync"]


def test_the_type_of_a_file_system_comes_from_lsblk_or_df(call_context):
    outputs = {"lsblk": "FSTYPE\n\n", "df": "Type\next4\n"}
    table = {"cmd.which": lambda program: program, "cmd.run": lambda argv, **kwargs: outputs[argv[0]]}
    call_context(functions=table)

    assert disk.fstype("/dev/vda") == "ext4"


def test_a_device_that_cannot_be_wiped_is_false(programs):
    programs().answer("/dev/vda", retcode=1, stderr="busy")

    assert disk.wipe("/dev/vda") is False
    assert disk.resize2fs("/dev/vda") is None


def test_hdparm_lines_become_values():
    listing = (
        "\n/dev/sda:\n multcount     = 16 (on)\n readonly      =  0 (off)\n"
        " geometry      = 486401/255/63, sectors = 7814037168, start = 0\n drive state is:  active/idle\n"
    )

    assert parse_hdparm(listing) == {
        "multcount": [16, "on"],
        "readonly": [0, "off"],
        "geometry": [486401, 255, 63, {"sectors": "7814037168", "start": "0"}],
        "drive_state": ["active", "idle"],
    }


def test_smart_attributes_are_listed_by_number():
    listing = (
        "=== START ===\n"
        "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE\n"
        "  1 Raw_Read_Error_Rate     0x000f   118   099   006    Pre-fail  Always       -       184 0\n"
        "190 Airflow_Temp 0x0022   067   053   045    Old_age   Always       -       33 (Min/Max 27/33)\n"
        "\n"
    )

    found = parse_smart(listing)

    assert found[1]["raw_value"] == [184, 0]
    assert (found[190]["value"], found[190]["raw_value"]) == (67, "33 (Min/Max 27/33)")


def test_iostat_gives_means():
    listing = (
        "Linux 6.1\n\navg-cpu:  %user   %idle\n           1.00   99.00\n\nDevice r/s w/s\nsda 1.00 3.00\n\n"
        "avg-cpu:  %user   %idle\n           2.00   98.00\n\nDevice r/s w/s\nsda 2.00 4.00\n"
    )

    assert parse_iostat(listing) == {"sys": {"%user": 1.5, "%idle": 98.5}, "sda": {"r/s": 1.5, "w/s": 3.5}}
