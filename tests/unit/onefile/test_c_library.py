import shutil
import subprocess
import sys

import pytest

from salt_g.onefile import c_library

NEEDS = """
Version needs section '.gnu.version_r' contains 2 entries:
  000000: Version: 1  File: libc.so.6  Cnt: 3
  0x0010:   Name: GLIBC_2.9  Flags: none  Version: 5
  0x0020:   Name: GLIBC_2.14  Flags: none  Version: 4
  0x0030:   Name: GLIBC_2.2.5  Flags: none  Version: 3
  0x0040: Version: 1  File: libz.so.1  Cnt: 1
  0x0050:   Name: ZLIB_1.2.9  Flags: none  Version: 2
"""


def test_versions_compare_as_numbers():
    assert c_library.latest([NEEDS, "Name: GLIBC_2.4"]) == "2.14"


def test_files_without_glibc_need_none():
    assert c_library.latest(["", "Name: GCC_3.0"]) == ""


@pytest.mark.skipif(not shutil.which("readelf"), reason="needs readelf (Debian: binutils)")
def test_programs_below_a_directory_are_read_and_other_files_are_not(tmp_path):
    (tmp_path / "notes").write_text("GLIBC_9.9")
    (tmp_path / "empty").touch()
    assert c_library.needed(tmp_path) == ""

    (tmp_path / "deep").mkdir()
    shutil.copy(sys.executable, tmp_path / "deep/program")
    found = c_library.needed(tmp_path)

    has = subprocess.run(["ldd", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    assert [int(part) for part in found.split(".")] <= [int(part) for part in has.split()[-1].split(".")]
