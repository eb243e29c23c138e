"""Parsing of package managers' output."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _package_managers as managers


def test_dpkg_names_foreign_architectures_and_distinguishes_leftovers():
    text = (
        "amd64\ninstall ok installed\tvim\t2:9.0\tamd64\nhold ok installed\tlibc6\t2.36\ti386\n"
        "deinstall ok config-files\told\t1\tall\n"
    )

    assert managers.read_dpkg(text) == {"vim": ["2:9.0"], "libc6:i386": ["2.36"]}
    assert managers.read_dpkg(text, is_removed=True) == {"old": ["1"]}


def test_rpm_versions_have_their_epoch_and_keys_are_not_packages():
    text = "vim\t2\t9.0-1\nkernel\t0\t5-1\nkernel\t0\t6-1\ngpg-pubkey\t0\t1-1\n"

    assert managers.read_rpm(text) == {"vim": ["2:9.0-1"], "kernel": ["5-1", "6-1"]}


def test_apk_names_may_hold_dashes():
    assert managers.read_apk("ca-certificates-bundle-20240705-r0\n") == {
        "ca-certificates-bundle": ["20240705-r0"]
    }


def test_apt_offers_what_is_newer():
    text = (
        "vim:\n  Installed: 1\n  Candidate: 2\n  Version table:\n"
        "cron:\n  Installed: 3\n  Candidate: 3\nnone:\n  Installed: (none)\n  Candidate: (none)\n"
    )

    assert managers.offered_by_apt(text) == {"vim": "2", "cron": "", "none": ""}


def test_dnf_and_zypper_offer_what_is_newer():
    dnf = "Available Packages\nvim-enhanced.x86_64   2:9.1-1.el9   appstream\n"
    zypper = "Name           : vim\nVersion        : 9.1-1\nStatus         : out-of-date (version 9.0)\n"
    current = "Name : cron\nVersion : 4\nStatus : up-to-date\n"

    assert managers.offered_by_dnf(dnf) == {"vim-enhanced": "2:9.1-1.el9"}
    assert managers.offered_by_zypper(zypper + current) == {"vim": "9.1-1", "cron": ""}


def test_a_family_without_a_manager_is_reported():
    with pytest.raises(CommandExecutionError, match="os_family Debian, RedHat, Suse, Alpine"):
        managers.manager_of("Arch")
