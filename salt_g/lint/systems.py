"""Recorded grains of the systems on which trees are compiled.

Source: `salt-g grains.items` on fresh machines; reduced to grains on which templates of public formulas
branch.
"""

from __future__ import annotations

from typing import Any

from salt_g.shapes import GrainsDict

_COMMON: GrainsDict = {
    "kernel": "Linux",
    "kernelrelease": "6.1.0",
    "cpuarch": "x86_64",
    "num_cpus": 2,
    "mem_total": 4096,
    "virtual": "kvm",
    "init": "systemd",
    "locale_info": {"defaultlanguage": "en_US", "defaultencoding": "UTF-8"},
    "ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": ["192.0.2.10"]},
    "ip6_interfaces": {"lo": ["::1"], "eth0": ["2001:db8::10"]},
    "ip_interfaces": {"lo": ["127.0.0.1", "::1"], "eth0": ["192.0.2.10", "2001:db8::10"]},
    "hwaddr_interfaces": {"lo": "00:00:00:00:00:00", "eth0": "52:54:00:12:34:56"},
    "ipv4": ["127.0.0.1", "192.0.2.10"],
    "ipv6": ["::1", "2001:db8::10"],
    "fqdn_ip4": ["192.0.2.10"],
    "fqdn_ip6": ["2001:db8::10"],
    "domain": "example.org",
    "dns": {"nameservers": ["192.0.2.53"], "search": ["example.org"]},
    "gid": 0,
    "uid": 0,
    "groupname": "root",
    "username": "root",
    "path": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "ps": "ps -efHww",
    "pythonversion": [3, 11, 2, "final", 0],
    "pythonexecutable": "/usr/bin/python3",
    "saltpath": "/usr/lib/python3/dist-packages/salt",
    "saltversion": "3008.3",
    "saltversioninfo": [3008, 3],
    "selinux": {"enabled": False, "enforced": "Disabled"},
    "shell": "/bin/sh",
    "server_id": 1,
    "master": "salt",
    "disks": ["vda"],
    "SSDs": [],
    "manufacturer": "QEMU",
    "productname": "Standard PC",
    "serialnumber": "",
    "biosversion": "1.16",
    "gpus": [],
    "num_gpus": 0,
    "cpu_flags": [],
    "cpu_model": "QEMU Virtual CPU",
    "machine_id": "00000000000000000000000000000001",
    "zfs_support": False,
}


def _system(os: str, family: str, release: str, codename: str, finger: str, **more: Any) -> GrainsDict:
    major = release.partition(".")[0]
    return {
        **_COMMON,
        "os": os,
        "os_family": family,
        "osrelease": release,
        "osmajorrelease": int(major),
        "osrelease_info": [int(part) for part in release.split(".")],
        "oscodename": codename,
        "osfullname": os,
        "osfinger": finger,
        "osarch": "x86_64",
        "lsb_distrib_codename": codename,
        "lsb_distrib_id": os,
        "lsb_distrib_release": release,
        "systemd": {"version": "252", "features": ""},
        **more,
    }


#: {name for `--os`: grains}
SYSTEMS: dict[str, GrainsDict] = {
    "debian": _system("Debian", "Debian", "12", "bookworm", "Debian-12", osarch="amd64"),
    "ubuntu": _system("Ubuntu", "Debian", "24.04", "noble", "Ubuntu-24.04", osarch="amd64"),
    "rhel": _system("RedHat", "RedHat", "9.4", "Plow", "Red Hat Enterprise Linux-9"),
    "suse": _system("SUSE", "Suse", "15.6", "SLES 15 SP6", "SLES-15"),
    "alpine": _system("Alpine", "Alpine", "3.20.0", "Alpine Linux v3.20", "Alpine-3", init="openrc"),
}
_FAMILIES = {"Debian": "debian", "RedHat": "rhel", "Suse": "suse", "Alpine": "alpine"}


def grains_of(system: str, id: str) -> GrainsDict:
    """Return the grains of a minion with this id on a system (a key of SYSTEMS)."""
    host = id.partition(".")[0]
    fqdn = id if "." in id else f"{id}.example.org"
    return {**SYSTEMS[system], "id": id, "host": host, "localhost": host, "nodename": host, "fqdn": fqdn}


def system_like(grains: GrainsDict) -> str:
    """Return the recorded system most like one with these grains, `debian` if none is like it."""
    named = str(grains.get("os", "")).lower()
    return named if named in SYSTEMS else _FAMILIES.get(str(grains.get("os_family")), "debian")
