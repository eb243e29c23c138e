"""Grains of the virtual machine or container: `virtual`, `virtual_subtype`, Xen's `virtual_hv_*`, and `ps`.

Results of later probes override earlier ones: programs, chroot, /proc and /sys of OpenVZ and Xen, the
processor, the firmware's product name, the control groups of a container, the cloud.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import opts
from salt_g.grains._sources import below, is_directory, is_file, lines, output, text, which

__all__ = ["ps", "virtual", "virtual_hv"]
__virtualname__ = "core"

Found = dict[str, str]

#: Outputs of `systemd-detect-virt` that equal the grain.
DETECTED_AS_SAID = {"qemu", "kvm", "oracle", "xen", "bochs", "chroot", "uml", "systemd-nspawn"}
#: {part of the output of `systemd-detect-virt`: (virtual, virtual_subtype)}
DETECTED = {
    "vmware": ("VMware", ""),
    "microsoft": ("VirtualPC", ""),
    "lxc": ("container", "LXC"),
    "podman": ("container", "Podman"),
    "docker": ("container", "Docker"),
    "amazon": ("Nitro", "Amazon EC2"),
}
#: Lines of `virt-what` that equal the grain.
WHAT_AS_SAID = {"kvm", "qemu", "uml", "xen"}
#: Whole lines of `virt-what`.
WHAT_EXACTLY = {
    "ibm_power-kvm": ("kvm", ""),
    "ibm_power-lpar_shared": ("LPAR", "shared"),
    "ibm_power-lpar_dedicated": ("LPAR", "dedicated"),
}
#: Parts of a line of `virt-what`.
WHAT = {
    "lxc": ("container", "LXC"),
    "docker": ("container", "Docker"),
    "vmware": ("VMware", ""),
    "parallels": ("Parallels", ""),
    "nutanix": ("kvm", "Nutanix AHV"),
    "hyperv": ("HyperV", ""),
}
#: Parts of the firmware's names (vendor, manufacturer, product); the first match counts.
FIRMWARE = {
    "BHYVE": ("bhyve", ""),
    "oVirt": ("kvm", "ovirt"),
    "RHEV Hypervisor": ("kvm", "rhev"),
    "VirtualBox": ("VirtualBox", ""),
    "VMware": ("VMware", ""),
    "Parallels Software": ("Parallels", ""),
    "Google": ("kvm", ""),
    "Nutanix": ("kvm", "Nutanix AHV"),
    "SeaBIOS": ("kvm", ""),
    "QEMU": ("kvm", ""),
    "Bochs": ("kvm", ""),
}
#: Parts of the firmware's product name that override the programs.
PRODUCTS = {
    "VirtualBox": ("VirtualBox", ""),
    "RHEV Hypervisor": ("kvm", "rhev"),
    "oVirt Node": ("kvm", "ovirt"),
    "Google": ("gce", ""),
    "BHYVE": ("bhyve", ""),
}
#: Parts of the output of `lspci`, in lower case.
PCI = {
    "vmware": ("VMware", ""),
    "virtualbox": ("VirtualBox", ""),
    "qemu": ("kvm", ""),
    "virtio": ("kvm", ""),
}
#: Parts of /proc/1/cgroup; an empty `virtual` leaves that grain unchanged.
CONTROL_GROUPS = {
    ":/lxc/": ("container", "LXC"),
    ":/kubepods/": ("", "kubernetes"),
    ":/libpod_parent/": ("", "libpod"),
    ":/system.slice/docker": ("container", "Docker"),
    ":/docker/": ("container", "Docker"),
    ":/docker-ce/": ("container", "Docker"),
}
#: Bits of Xen's feature word. Source: xen/interface/features.h.
XEN_FEATURES = {
    0: "writable_page_tables",
    1: "writable_descriptor_tables",
    2: "auto_translated_physmap",
    3: "supervisor_mode_kernel",
    4: "pae_pgdir_above_4gb",
    5: "mmu_pt_update_preserve_ad",
    7: "gnttab_map_avail_bits",
    8: "hvm_callback_vector",
    9: "hvm_safe_pvclock",
    10: "hvm_pirqs",
    11: "dom0",
    12: "grant_map_identity",
    13: "memory_op_vnode_supported",
    14: "ARM_SMCCC_supported",
}


def virtual() -> Found:
    """Return `virtual` (`physical` on bare metal) and, where known, `virtual_subtype`."""
    return from_witnesses(_from_programs())


def from_witnesses(said: Found, root: str = "/") -> Found:
    """Return the grains: those found by programs (`said`), overridden by the files below `root`."""
    found = {"virtual": "physical", **said, **_chroot(root), **_openvz(root)}
    found.update(_xen(root))
    if "QEMU Virtual CPU" in (text("/proc/cpuinfo", root) or ""):
        found["virtual"] = "kvm"
    found.update(_first_part(PRODUCTS, _firmware("product_name", root)))
    found.update(_container(found, root))
    if found.get("virtual_subtype") and found["virtual"] == "physical":
        found["virtual"] = "virtual"
    if found["virtual"] in ("qemu", "kvm", "xen", "amazon"):
        found.update(_cloud(found["virtual"], root))
    return found


def virtual_hv(grains: dict[str, Any], root: str = "/") -> dict[str, Any]:
    """Return version and features of the hypervisor (Xen only)."""
    return {**_xen_version(root), **_xen_features(root)} if "xen" in grains["virtual"] else {}


def ps(grains: dict[str, Any]) -> dict[str, str]:
    """Return the command that lists the processes of this machine."""
    if grains["virtual"] == "openvzhn":
        # On an OpenVZ host `ps` also shows the containers' processes; envID 0 is the host.
        pids = (
            '$(grep -l "^envID:[[:space:]]*0\\$" /proc/[0-9]*/status | sed -e "s=/proc/\\([0-9]*\\)/.*=\\1=")'
        )
        return {"ps": f"ps -fH -p {pids}  | awk '{{ $7=\"\"; print }}'"}
    if grains["os_family"] == "NILinuxRT":
        return {"ps": "ps -o user,pid,ppid,tty,time,comm"}
    return {"ps": "ps -efHww"}


def from_detect_virt(answer: str) -> Found:
    """Return the grains for one word of `systemd-detect-virt`."""
    return {"virtual": answer} if answer in DETECTED_AS_SAID else _first_part(DETECTED, answer)


def from_virt_what(answer: str) -> Found:
    """Return the grains for the first known line in the output of `virt-what`."""
    for line in answer.splitlines():
        if line in WHAT_AS_SAID:
            return {"virtual": line}
        found = _first_part(WHAT, line) or _as_grains(WHAT_EXACTLY.get(line))
        if found:
            return found
    return {}


def _from_programs() -> Found:
    if which("virt-what"):
        return from_virt_what(output("virt-what") or "")
    found = from_detect_virt(output("systemd-detect-virt") or "")
    if found or is_directory("/sys/class/dmi/id"):
        return found or from_firmware("/")
    if opts.get("enable_lspci", True) and is_directory("/proc/bus/pci"):
        return _first_part(PCI, (output("lspci") or "").lower())
    return {}


def from_firmware(root: str) -> Found:
    """Return the grains for the names in the firmware; the manufacturer Microsoft alone is no proof."""
    names = [_firmware(name, root) for name in ("bios_vendor", "sys_vendor", "product_name")]
    if "Microsoft" in names[1] and "Virtual Machine" in names[2]:
        return {"virtual": "VirtualPC"}
    return _first_part(FIRMWARE, "\n".join(names))


def _first_part(table: dict[str, tuple[str, str]], said: str) -> Found:
    return next((_as_grains(meaning) for part, meaning in table.items() if part in said), {})


def _as_grains(meaning: tuple[str, str] | None) -> Found:
    pairs = zip(("virtual", "virtual_subtype"), meaning or (), strict=False)
    return {grain: value for grain, value in pairs if value}


def _firmware(name: str, root: str) -> str:
    return text(f"/sys/class/dmi/id/{name}", root) or ""


def _chroot(root: str) -> Found:
    try:
        own, first = os.stat(below(root, "/")), os.stat(below(root, "/proc/1/root/."))
    except OSError:
        return {}
    return {} if os.path.samestat(own, first) else {"virtual_subtype": "chroot"}


def _openvz(root: str) -> Found:
    found = {}
    if is_file("/proc/vz/version", root):
        found["virtual"] = "openvzhn"
    elif is_file("/proc/vz/veinfo", root):
        found["virtual"] = "openvzve"
    for line in lines("/proc/self/status", root):
        if line.startswith("envID:"):
            found["virtual"] = "openvzhn" if line.split()[1] == "0" else "openvzve"
    return found


def _xen(root: str) -> Found:
    if not any(is_directory(path, root) for path in ("/proc/sys/xen", "/sys/bus/xen", "/proc/xen")):
        return {}
    subtype = _xen_domain(root)
    return {"virtual": "xen", "virtual_subtype": subtype} if subtype else {}


def _xen_domain(root: str) -> str:
    if is_file("/proc/xen/xsd_kva", root):
        return "Xen Dom0"
    if _firmware("product_name", root).strip() == "HVM domU":
        return "Xen HVM DomU"
    capabilities = text("/proc/xen/capabilities", root)
    if capabilities is not None:
        return "Xen Dom0" if "control_d" in capabilities else "Xen PV DomU"
    return "Xen PV DomU" if is_directory("/sys/bus/xen/drivers/xenconsole", root) else ""


def _container(found: Found, root: str) -> Found:
    groups = _first_part(CONTROL_GROUPS, text("/proc/1/cgroup", root) or "")
    if {**found, **groups}.get("virtual_subtype") == "LXC":
        return groups
    # Newer LXC leaves no trace in the control groups, only in the environment of process 1.
    if "container=lxc" in (text("/proc/1/environ", root) or ""):
        return {"virtual": "container", "virtual_subtype": "LXC"}
    return groups


def _cloud(virtual: str, root: str) -> Found:
    """Return the grains of Amazon EC2 and Nutanix machines, which were detected as kvm, qemu or xen."""
    maker, product = _firmware("sys_vendor", root).strip(), _firmware("product_name", root).strip()
    if maker == "Amazon EC2":
        subtype = f"Amazon EC2 ({product})" if product else "Amazon EC2"
        return {"virtual": "xen" if virtual == "xen" else "Nitro", "virtual_subtype": subtype}
    if ".amazon" in _firmware("product_version", root):
        return {"virtual_subtype": "Amazon EC2"}
    if maker.startswith("Nutanix") and product == "AHV":
        return {"virtual_subtype": "Nutanix AHV"}
    return {}


def _xen_version(root: str) -> dict[str, Any]:
    parts = [text(f"/sys/hypervisor/version/{part}", root) for part in ("major", "minor", "extra")]
    if None in parts:
        return {}
    major, minor, extra = (str(part).strip() for part in parts)
    return {
        "virtual_hv_version": f"{major}.{minor}{extra}",
        "virtual_hv_version_info": [major, minor, extra],
    }


def _xen_features(root: str) -> dict[str, Any]:
    word = text("/sys/hypervisor/properties/features", root)
    if word is None:
        return {}
    bits = int(word.strip(), 16)
    return {
        "virtual_hv_features": word.strip(),
        "virtual_hv_features_list": [name for bit, name in XEN_FEATURES.items() if bits & 1 << bit],
    }
