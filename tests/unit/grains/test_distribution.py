"""Distribution grains on recorded trees: the files of /etc, and Salt's values."""

import json
import pathlib

import pytest

from salt_g.grains.distribution import (
    derived,
    distribution,
    dpkg_architecture,
    opkg_architectures,
    osarch,
)

RECORDED = sorted((pathlib.Path(__file__).parent / "distributions").glob("*.json"))


def write_tree(root, files):
    for path, lines in files.items():
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_distribution_gives_the_values_of_salt(tmp_path, recorded):
    record = json.loads(recorded.read_text(encoding="utf-8"))
    write_tree(tmp_path, record["files"])

    found = distribution(str(tmp_path))

    assert json.loads(json.dumps(found)) == record["grains"]


def test_a_machine_without_release_files_still_has_names(tmp_path):
    found = distribution(str(tmp_path))

    assert (found["os"], found["osfullname"], found["osrelease"]) == ("", "", "")


def test_a_release_that_is_not_a_number_gives_no_major_release():
    assert derived("Arch", "Arch", "rolling") == {"osrelease_info": ("rolling",), "osfinger": "Arch-rolling"}


def test_packages_of_an_unknown_family_are_built_for_the_machine():
    assert osarch({"os_family": "Alpine", "cpuarch": "x86_64"}) == {"osarch": "x86_64"}


def test_opkg_architectures_are_listed_by_priority():
    listing = "arch all 1\narch noarch 1\narch core2-64 12\n"

    assert opkg_architectures(listing) == ["core2-64", "all", "noarch"]


def test_the_architecture_is_that_of_dpkg_itself(tmp_path):
    status = tmp_path / "var/lib/dpkg/status"
    status.parent.mkdir(parents=True)
    status.write_text(
        "Package: wine32\nArchitecture: i386\n\n"
        "Package: dpkg\nStatus: install ok installed\nArchitecture: arm64\n\n"
    )

    assert dpkg_architecture(str(tmp_path)) == "arm64"
    assert dpkg_architecture(str(tmp_path / "nothing")) == ""
