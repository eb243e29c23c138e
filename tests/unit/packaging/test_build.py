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
