import subprocess
import sys

import pytest


@pytest.mark.parametrize("kind, tool", [("deb", "dpkg-deb"), ("rpm", "rpmbuild"), ("oci", "debootstrap")])
def test_a_kind_without_its_tool_is_refused_by_name(kind, tool, tmp_path):
    words = [sys.executable, "-m", "salt_g.packaging.build", "--only", kind, str(tmp_path / "dist")]

    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": str(tmp_path)})

    assert done.returncode == 2
    assert f"{kind} needs {tool} (Debian: " in done.stderr
    assert not (tmp_path / "dist").exists()


def test_the_one_file_for_old_c_libraries_is_refused_with_the_reason(tmp_path):
    words = [sys.executable, "-m", "salt_g.packaging.build", "--only", "onefile", str(tmp_path / "dist")]

    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": str(tmp_path)})

    assert done.returncode == 2
    assert "the one file for old C libraries" in done.stderr
    assert not (tmp_path / "dist").exists()
