"""The kernel and its command line."""

import os

from salt_g.grains.kernel import efi, kernel, kernelparams


def test_kernel_grains_are_those_of_uname():
    found = kernel()

    assert (found["kernel"], found["nodename"], found["kernelrelease"]) == tuple(os.uname())[:3]


def test_boot_parameters_are_pairs(tree):
    root = tree({"/proc/cmdline": 'root=/dev/vda quiet a=b=c name="x y"\n'})

    assert kernelparams(root) == {
        "kernelparams": [("root", "/dev/vda"), ("quiet", None), ("a", None), ("name", "x y")]
    }


def test_without_proc_there_are_no_boot_parameters(tmp_path):
    assert kernelparams(str(tmp_path)) == {}


def test_efi_with_secure_boot(tree):
    root = tree({"/sys/firmware/efi/efivars/SecureBoot-8be4": "\x06\x00\x00\x00\x01"})

    assert efi(root) == {"efi": True, "efi-secure-boot": True}


def test_efi_of_the_older_file_system_without_secure_boot(tree):
    root = tree({"/sys/firmware/efi/vars/SecureBoot-8be4/data": "\x00"})

    assert efi(root) == {"efi": True, "efi-secure-boot": False}


def test_bios_is_not_efi(tmp_path):
    assert efi(str(tmp_path)) == {"efi": False, "efi-secure-boot": False}
