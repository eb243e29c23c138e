"""Grains, under stock's names, from the output of the facts script.

Shapes: lines `name=value`, some names several times; an empty value means unknown.
"""

from __future__ import annotations

from collections.abc import Iterable

from salt_g.resources.ssh._facts_script import SCRIPT
from salt_g.shapes import GrainsDict

#: The grains `os` and `os_family` by the ID of os-release(5).
_SYSTEMS: dict[str, tuple[str, str]] = {
    "debian": ("Debian", "Debian"),
    "ubuntu": ("Ubuntu", "Debian"),
    "raspbian": ("Raspbian", "Debian"),
    "linuxmint": ("Mint", "Debian"),
    "kali": ("Kali", "Debian"),
    "rhel": ("RedHat", "RedHat"),
    "centos": ("CentOS", "RedHat"),
    "fedora": ("Fedora", "RedHat"),
    "rocky": ("Rocky", "RedHat"),
    "almalinux": ("AlmaLinux", "RedHat"),
    "ol": ("OEL", "RedHat"),
    "amzn": ("Amazon", "RedHat"),
    "sles": ("SUSE", "Suse"),
    "sle-micro": ("SUSE", "Suse"),
    "opensuse-leap": ("Leap", "Suse"),
    "opensuse-tumbleweed": ("Tumbleweed", "Suse"),
    "alpine": ("Alpine", "Alpine"),
    "arch": ("Arch", "Arch"),
    "gentoo": ("Gentoo", "Gentoo"),
}
#: OS families by the words in ID_LIKE.
_FAMILIES = {"debian": "Debian", "rhel": "RedHat", "fedora": "RedHat", "suse": "Suse", "arch": "Arch"}
#: Values of `os` whose `osfinger` has the complete version instead of its first part.
_MINOR_MATTERS = frozenset(("Ubuntu",))
_ARCHITECTURES = {"Debian": "dpkg_arch"}
_DMI = {
    "sys_vendor": "manufacturer",
    "product_name": "productname",
    "product_serial": "serialnumber",
    "product_uuid": "uuid",
    "bios_version": "biosversion",
    "bios_vendor": "biosvendor",
    "board_name": "boardname",
}
_VIRTUAL = {"none": "physical", "oracle": "VirtualBox", "vmware": "VMware", "microsoft": "HyperV"}
_CONTAINERS = {"docker": "Docker", "podman": "Podman", "lxc": "LXC", "systemd-nspawn": "systemd-nspawn"}
_SAME = ("kernel", "kernelrelease", "kernelversion", "cpuarch", "nodename", "machine_id", "cpu_model")
_NAMES = ("username", "groupname", "path", "shell")


class _Facts:
    """Output of the script, by name."""

    def __init__(self, text: str) -> None:
        self._values: dict[str, list[str]] = {}
        for line in text.splitlines():
            name, equals, value = line.partition("=")
            if equals and value:
                self._values.setdefault(name, []).append(value)

    def one(self, name: str, default: str = "") -> str:
        return self.all(name)[0] if name in self._values else default

    def all(self, name: str) -> list[str]:
        return list(self._values.get(name, ()))

    def below(self, prefix: str) -> dict[str, list[str]]:
        return {name[len(prefix) :]: all for name, all in self._values.items() if name.startswith(prefix)}

    def number(self, name: str) -> int:
        value = self.one(name)
        return int(value) if value.isdigit() else 0


def script() -> str:
    """Return the facts script."""
    return SCRIPT


def parsed(text: str) -> GrainsDict:
    """Return the grains of a host, from the output of the facts script."""
    facts = _Facts(text)
    found: GrainsDict = {name: facts.one(name) for name in (*_SAME, *_NAMES) if facts.one(name)}
    found.update(_system(facts))
    found.update(_names(facts))
    found.update(_addresses(facts))
    found.update(_machine(facts))
    found.update(_virtual(facts))
    return found


def _system(facts: _Facts) -> GrainsDict:
    release = {name: values[0] for name, values in facts.below("os-release.").items()}
    id = release.get("ID", "").lower()
    name, family = _SYSTEMS.get(id, ("", ""))
    full = release.get("NAME", "")
    name = name or full.split(" ")[0] or facts.one("kernel")
    family = family or _family(release.get("ID_LIKE", ""), name)
    version = _version(id, release, facts)
    found: GrainsDict = {"os": name, "os_family": family, "osfullname": full or name}
    found.update({"osrelease": version} if version else {})
    codename = release.get("VERSION_CODENAME", "")
    found.update({"oscodename": codename or release.get("PRETTY_NAME", name)})
    found["osarch"] = facts.one(_ARCHITECTURES.get(family, "cpuarch")) or facts.one("cpuarch")
    return {**found, **_release(found, version)}


def _version(id: str, release: dict[str, str], facts: _Facts) -> str:
    version = release.get("VERSION_ID", "")
    # CentOS has its minor version in a separate file.
    if id == "centos":
        words = [word for word in facts.one("redhat_release").split() if word[:1].isdigit()]
        return words[0] if words else version
    return version


def _release(system: GrainsDict, version: str) -> GrainsDict:
    parts = [int(part) if part.isdigit() else part for part in version.split(".") if part]
    if not parts:
        return {}
    finger_name = system["os"] if system["os"] in _MINOR_MATTERS else system["osfullname"]
    finger_name = "Debian" if system["os"] == "Debian" else finger_name
    finger = version if system["os"] in _MINOR_MATTERS else parts[0]
    found: GrainsDict = {"osrelease_info": parts, "osfinger": f"{finger_name}-{finger}"}
    return {**found, "osmajorrelease": parts[0]} if isinstance(parts[0], int) else found


def _family(like: str, name: str) -> str:
    known = [_FAMILIES[word] for word in like.lower().split() if word in _FAMILIES]
    return known[0] if known else name


def _names(facts: _Facts) -> GrainsDict:
    nodename = facts.one("nodename")
    fqdn = facts.one("fqdn") or nodename
    host, _, domain = fqdn.partition(".")
    numbers = {name: facts.number(name) for name in ("uid", "gid")}
    path = [part for part in facts.one("path").split(":") if part]
    return {
        "fqdn": fqdn,
        "host": host,
        "domain": domain,
        "localhost": nodename,
        "systempath": path,
        **numbers,
    }


def _addresses(facts: _Facts) -> GrainsDict:
    four, six = facts.below("inet."), facts.below("inet6.")
    macs = {name: values[0] for name, values in facts.below("mac.").items()}
    names = list(dict.fromkeys([*macs, *four, *six]))
    found: GrainsDict = {
        "ip4_interfaces": {name: four.get(name, []) for name in names},
        "ip6_interfaces": {name: six.get(name, []) for name in names},
        "ip_interfaces": {name: [*four.get(name, []), *six.get(name, [])] for name in names},
        "hwaddr_interfaces": macs,
        "ipv4": _sorted(four.values()),
        "ipv6": _sorted(six.values()),
    }
    gateways = facts.all("gateway")
    found["ip4_gw"] = next((one for one in gateways if ":" not in one), False)
    found["ip_gw"] = bool(gateways)
    servers = facts.all("nameserver")
    found["dns"] = {
        "nameservers": servers,
        "ip4_nameservers": [one for one in servers if ":" not in one],
        "ip6_nameservers": [one for one in servers if ":" in one],
    }
    return found


def _sorted(groups: Iterable[list[str]]) -> list[str]:
    import ipaddress

    found = {address for group in groups for address in group}
    return sorted(found, key=lambda address: int(ipaddress.ip_address(address.partition("%")[0])))


def _machine(facts: _Facts) -> GrainsDict:
    disks = facts.below("disk.")
    flags = facts.one("cpu_flags").split()
    found: GrainsDict = {
        "num_cpus": facts.number("num_cpus"),
        "mem_total": facts.number("mem_kib") // 1024,
        "swap_total": facts.number("swap_kib") // 1024,
        "cpu_flags": flags,
        "disks": sorted(name for name, said in disks.items() if said[0] == "1"),
        "ssds": sorted(name for name, said in disks.items() if said[0] == "0"),
        "init": "systemd" if facts.one("booted") else facts.one("init", "unknown"),
        "pythonexecutable": facts.one("python"),
    }
    found.update({_DMI[name]: values[0] for name, values in facts.below("dmi.").items() if name in _DMI})
    selinux = facts.one("selinux")
    if selinux:
        found["selinux"] = {"enabled": selinux != "Disabled", "enforced": selinux}
    return {name: value for name, value in found.items() if value != ""}


def _virtual(facts: _Facts) -> GrainsDict:
    container = facts.one("container")
    detected = facts.one("detect_virt")
    container = container or (detected if detected in _CONTAINERS else "")
    if container:
        return {"virtual": "container", "virtual_subtype": _CONTAINERS.get(container, container)}
    if detected:
        return {"virtual": _VIRTUAL.get(detected, detected)}
    return {"virtual": "VM" if facts.one("hypervisor") else "physical"}
