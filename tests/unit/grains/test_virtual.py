"""Virtual machines and containers, detected by programs and recorded trees."""

import pytest

from salt_g.grains.virtual import (
    from_detect_virt,
    from_firmware,
    from_virt_what,
    from_witnesses,
    ps,
    virtual_hv,
)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("kvm", {"virtual": "kvm"}),
        ("vmware", {"virtual": "VMware"}),
        ("microsoft", {"virtual": "VirtualPC"}),
        ("lxc-libvirt", {"virtual": "container", "virtual_subtype": "LXC"}),
        ("podman", {"virtual": "container", "virtual_subtype": "Podman"}),
        ("amazon", {"virtual": "Nitro", "virtual_subtype": "Amazon EC2"}),
        ("none", {}),
    ],
)
def test_systemd_detect_virt(answer, found):
    assert from_detect_virt(answer) == found


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("hyperv\n", {"virtual": "HyperV"}),
        ("aws\nkvm\n", {"virtual": "kvm"}),
        ("nutanix_ahv\nkvm\n", {"virtual": "kvm", "virtual_subtype": "Nutanix AHV"}),
        ("ibm_power-lpar_shared\n", {"virtual": "LPAR", "virtual_subtype": "shared"}),
        ("", {}),
    ],
)
def test_each_answer_of_virt_what_names_a_kind(answer, found):
    assert from_virt_what(answer) == found


def dmi(**files):
    return {f"/sys/class/dmi/id/{name}": f"{text}\n" for name, text in files.items()}


def test_bare_metal_is_physical(tmp_path):
    assert from_witnesses({}, str(tmp_path)) == {"virtual": "physical"}


def test_firmware_of_qemu_is_kvm(tree):
    assert from_firmware(tree(dmi(bios_vendor="SeaBIOS", sys_vendor="QEMU"))) == {"virtual": "kvm"}


def test_firmware_of_microsoft_needs_the_product_as_well(tree):
    surface = tree(dmi(sys_vendor="Microsoft Corporation", product_name="Surface Laptop"))

    assert from_firmware(surface) == {}


def test_the_product_name_overrules_the_programs(tree):
    root = tree(dmi(product_name="VirtualBox"))

    assert from_witnesses({"virtual": "oracle"}, root) == {"virtual": "VirtualBox"}


def test_amazon_names_its_product(tree):
    root = tree(dmi(sys_vendor="Amazon EC2", product_name="m5.large"))

    assert from_witnesses({"virtual": "kvm"}, root) == {
        "virtual": "Nitro",
        "virtual_subtype": "Amazon EC2 (m5.large)",
    }


def test_a_container_overrules_the_machine_below_it(tree):
    root = tree({"/proc/1/cgroup": "12:devices:/docker/3601745b3bd54d9780436faa5f0e4f72\n"})

    assert from_witnesses({"virtual": "kvm"}, root) == {"virtual": "container", "virtual_subtype": "Docker"}


def test_kubernetes_keeps_the_machine_below_it(tree):
    root = tree({"/proc/1/cgroup": "12:devices:/kubepods/besteffort/pod1\n"})

    assert from_witnesses({"virtual": "kvm"}, root) == {"virtual": "kvm", "virtual_subtype": "kubernetes"}


def test_a_subtype_alone_makes_a_physical_machine_virtual(tree):
    root = tree({"/proc/1/cgroup": "12:devices:/libpod_parent/1\n"})

    assert from_witnesses({}, root) == {"virtual": "virtual", "virtual_subtype": "libpod"}


def test_newer_lxc_shows_in_the_environment_of_process_1(tree):
    root = tree({"/proc/1/environ": "PATH=/bin\0container=lxc\0"})

    assert from_witnesses({}, root) == {"virtual": "container", "virtual_subtype": "LXC"}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"/proc/vz/version": ""}, "openvzhn"),
        ({"/proc/vz/veinfo": ""}, "openvzve"),
        ({"/proc/self/status": "Name:\tx\nenvID:\t0\n"}, "openvzhn"),
        ({"/proc/self/status": "Name:\tx\nenvID:\t101\n"}, "openvzve"),
    ],
)
def test_openvz_is_reported_by_its_files(tree, files, found):
    assert from_witnesses({}, tree(files))["virtual"] == found


@pytest.mark.parametrize(
    ("files", "subtype"),
    [
        ({"/proc/xen/xsd_kva": ""}, "Xen Dom0"),
        ({"/proc/xen/capabilities": "control_d\n"}, "Xen Dom0"),
        ({"/proc/xen/capabilities": "\n"}, "Xen PV DomU"),
        ({"/sys/bus/xen/drivers/xenconsole": None}, "Xen PV DomU"),
        ({"/proc/xen/x": "", **dmi(product_name="HVM domU")}, "Xen HVM DomU"),
    ],
)
def test_a_xen_domain_is_reported_by_what_xen_shows(tree, files, subtype):
    assert from_witnesses({}, tree(files)) == {"virtual": "xen", "virtual_subtype": subtype}


def test_xen_reports_version_and_features(tree):
    root = tree(
        {
            "/sys/hypervisor/version/major": "4\n",
            "/sys/hypervisor/version/minor": "17\n",
            "/sys/hypervisor/version/extra": ".2\n",
            "/sys/hypervisor/properties/features": "00000801\n",
        }
    )

    assert virtual_hv({"virtual": "xen"}, root) == {
        "virtual_hv_version": "4.17.2",
        "virtual_hv_version_info": ["4", "17", ".2"],
        "virtual_hv_features": "00000801",
        "virtual_hv_features_list": ["writable_page_tables", "dom0"],
    }


def test_other_hypervisors_are_not_detected(tmp_path):
    assert virtual_hv({"virtual": "kvm"}, str(tmp_path)) == {}


def test_an_openvz_host_lists_its_own_processes_only():
    assert ps({"virtual": "openvzhn", "os_family": "RedHat"})["ps"].startswith("ps -fH -p $(grep -l")


def test_processes_are_listed_by_ps():
    assert ps({"virtual": "kvm", "os_family": "Debian"}) == {"ps": "ps -efHww"}
