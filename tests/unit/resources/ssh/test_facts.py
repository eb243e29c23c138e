"""Grains from the output of a host."""

import pytest

from salt_g.resources.ssh._facts import parsed

DEBIAN = """kernel=Linux
cpuarch=x86_64
nodename=web
fqdn=web.example.org
os-release.ID=debian
os-release.NAME=Debian GNU/Linux
os-release.VERSION_ID=12
os-release.VERSION_CODENAME=bookworm
dpkg_arch=amd64
mem_kib=2048000
num_cpus=2
uid=0
booted=systemd
detect_virt=kvm
mac.eth0=02:00:00:00:00:01
inet.lo=127.0.0.1
inet.eth0=192.0.2.7
inet6.eth0=fe80::1
gateway=192.0.2.1
disk.vda=1
disk.nvme0n1=0
"""


def test_a_debian_is_known_by_stocks_grains():
    found = parsed(DEBIAN)

    assert (found["os"], found["os_family"], found["osfinger"]) == ("Debian", "Debian", "Debian-12")
    assert (found["osrelease"], found["osmajorrelease"], found["oscodename"]) == ("12", 12, "bookworm")
    assert (found["host"], found["domain"], found["fqdn"]) == ("web", "example.org", "web.example.org")
    assert (found["osarch"], found["mem_total"], found["num_cpus"], found["init"]) == (
        "amd64",
        2000,
        2,
        "systemd",
    )
    assert found["ipv4"] == ["127.0.0.1", "192.0.2.7"]
    assert found["ip_interfaces"]["eth0"] == ["192.0.2.7", "fe80::1"]
    assert (found["ip4_gw"], found["virtual"]) == ("192.0.2.1", "kvm")
    assert (found["disks"], found["ssds"]) == (["vda"], ["nvme0n1"])


@pytest.mark.parametrize(
    ("release", "os", "family", "finger"),
    [
        ("ID=ubuntu\nNAME=Ubuntu\nVERSION_ID=24.04", "Ubuntu", "Debian", "Ubuntu-24.04"),
        ("ID=rocky\nNAME=Rocky Linux\nVERSION_ID=9.4", "Rocky", "RedHat", "Rocky Linux-9"),
        ("ID=alpine\nNAME=Alpine Linux\nVERSION_ID=3.20.1", "Alpine", "Alpine", "Alpine Linux-3"),
        ("ID=opensuse-leap\nNAME=openSUSE Leap\nVERSION_ID=15.6", "Leap", "Suse", "openSUSE Leap-15"),
        ("ID=neon\nID_LIKE=ubuntu debian\nNAME=Neon\nVERSION_ID=1", "Neon", "Debian", "Neon-1"),
    ],
)
def test_distributions_are_distinguished(release, os, family, finger):
    found = parsed("".join(f"os-release.{line}\n" for line in release.splitlines()))

    assert (found["os"], found["os_family"], found["osfinger"]) == (os, family, finger)


def test_a_host_without_information_has_few_grains():
    assert parsed("")["os_family"] == ""
