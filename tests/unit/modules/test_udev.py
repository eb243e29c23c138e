"""Output of udevadm, recorded and from this machine's devices."""

import os
import shutil

import pytest

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import cmd, udev

DISK = """\
P: /devices/pci0000:00/block/vda
N: vda
S: disk/by-id/one
S: disk/by-path/two
E: DEVNAME=/dev/vda
E: MAJOR=254
E: ID_PATH=a=b
E: SPEED=1.5
E: SUBSYSTEM=block
"""
PORT = "P: /devices/eth0\nI: 4\nE: SUBSYSTEM=net\n"


@pytest.fixture
def recorded(programs):
    return programs({"info": DISK, "--export-db": f"{DISK}\n{PORT}\n"})


def test_a_device_has_facts_and_an_environment(recorded):
    assert udev.info("/dev/vda")["N"] == "vda"
    assert udev.env("/dev/vda") == {
        "DEVNAME": "/dev/vda",
        "MAJOR": 254,
        "ID_PATH": "a=b",
        "SPEED": 1.5,
        "SUBSYSTEM": "block",
    }
    assert udev.name("/dev/vda") == "vda"
    assert udev.path("/dev/vda") == "/devices/pci0000:00/block/vda"
    assert udev.links("/dev/vda") == ["disk/by-id/one", "disk/by-path/two"]


def test_a_device_is_given_by_its_name_or_its_path(recorded):
    udev.info("/dev/vda")
    udev.info("/sys/block/vda")

    assert [line.split("=")[-2].split()[-1] for line in recorded.lines] == ["--name", "--path"]


def test_the_database_is_limited_to_subsystems(recorded):
    assert [device["P"] for device in udev.exportdb()] == ["/devices/pci0000:00/block/vda", "/devices/eth0"]
    assert udev.exportdb(["net"]) == [{"P": "/devices/eth0", "I": "4", "E": {"SUBSYSTEM": "net"}}]
    with pytest.raises(InvocationError, match="subsystems must be a list"):
        udev.exportdb("net")


def test_an_unknown_device_is_refused(programs):
    programs().answer("udevadm", retcode=1, stderr='Unknown device "/dev/x": No such device')

    with pytest.raises(CommandExecutionError, match="No such device"):
        udev.info("/dev/x")


def test_a_real_device_is_described(call_context):
    if not shutil.which("udevadm") or not os.path.exists("/sys/class/net/lo"):
        pytest.skip("udev is not installed")
    call_context(functions={"cmd.run_all": cmd.run_all})

    found = udev.info("/sys/class/net/lo")

    assert (found["E"]["INTERFACE"], found["E"]["IFINDEX"]) == ("lo", 1)
    assert udev.name("/sys/class/net/lo") is None
    assert found["P"] in [device["P"] for device in udev.exportdb(["net"])]
