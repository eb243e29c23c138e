"""The real rpm, where Debian has it: a package that the test builds, and rpm's version order."""

import itertools
import subprocess

import pytest

from salt_g.modules import _rpm_versions

SPEC = """Name: salt-g-test
Epoch: 1
Version: 2.0
Release: 3
Summary: of a test
License: MIT
BuildArch: noarch
%description
Of a test.
%files
"""
VERSIONS = (
    "1",
    "1.0",
    "1.0~rc1",
    "1.0~rc2",
    "1.0^git1",
    "1.01",
    "1.1a",
    "1.1",
    "1.10",
    "1_2",
    "a1",
    "~",
    "2.0.1",
    "10",
)


@pytest.fixture
def package(tmp_path, need):
    need("rpm", "rpmbuild")
    (tmp_path / "one.spec").write_text(SPEC)
    words = ["rpmbuild", "-bb", "--define", f"_topdir {tmp_path}", "one.spec"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    return next(tmp_path.glob("RPMS/*/*.rpm"))


def test_a_package_file_is_read(salt_g, package):
    result = salt_g(
        "lowpkg.bin_pkg_info", package, providers={"lowpkg": "rpm_lowpkg"}, grains={"os_family": "RedHat"}
    )

    assert result.value["name"] == "salt-g-test"
    assert result.value["version"] == "1:2.0-3"
    assert result.value["arch"] == "noarch"
    assert salt_g(
        "lowpkg.checksum", package, providers={"lowpkg": "rpm_lowpkg"}, grains={"os_family": "RedHat"}
    ).value == {str(package): True}


def test_versions_are_ordered_as_rpm_does(need):
    need("rpm")
    pairs = list(itertools.product(VERSIONS, VERSIONS))
    script = "".join(f"print(rpm.vercmp('{one}', '{two}') .. ' ')" for one, two in pairs)
    finished = subprocess.run(
        ["rpm", "--eval", f"%{{lua:{script}}}"], capture_output=True, text=True, check=True
    )

    ours = [_rpm_versions.compare_part(one, two) for one, two in pairs]

    assert ours == [int(word) for word in finished.stdout.split()]
