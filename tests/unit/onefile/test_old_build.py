import configparser
import os
import pathlib
import subprocess
import sys

import pytest

from salt_g.onefile import old_build

ROOT = pathlib.Path(__file__).parents[3]


def _build(tmp_path, **environment):
    words = [sys.executable, "-m", "salt_g.onefile.old_build", str(tmp_path / "dist")]
    kept = {"SALT_G_BUILD_CACHE": str(tmp_path / "cache"), **environment}
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **kept}, timeout=120)


def test_it_has_the_extras_of_the_other_one_file():
    tox = configparser.RawConfigParser()
    tox.read(ROOT / "tox.ini")

    assert list(old_build.EXTRAS) == tox["testenv:binary"]["extras"].split(", ")


def test_wheels_for_later_c_libraries_are_not_asked_for():
    tags = old_build.platform_tags("x86_64")

    assert tags[0] == "manylinux_2_31_x86_64"
    assert {"manylinux_2_28_x86_64", "manylinux_2_5_x86_64", "manylinux2014_x86_64"} < set(tags)


@pytest.mark.skipif(os.geteuid() != 0, reason="another reason comes first")
def test_without_debootstrap_the_package_is_named(tmp_path):
    done = _build(tmp_path, PATH=str(tmp_path))

    assert done.returncode == 1
    assert "needs debootstrap (Debian: debootstrap)" in done.stderr
    assert not (tmp_path / "dist").exists()
