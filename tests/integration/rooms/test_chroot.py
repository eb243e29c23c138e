"""Functions and states inside another root: this machine's programs, its own files and name."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may change the root directory")

SLS = """
made inside:
  file.managed: [{name: /made/file, source: salt://x.txt, makedirs: True}]
a tree:
  file.recurse: [{name: /made/tree, source: salt://tree}]
told:
  cmd.run: [{name: 'echo {{ grains.os }} {{ pillar.role }} > /made/told'}]
"""
VERSION = "import sys; print('%d.%d' % sys.version_info[:2])"


@pytest.fixture
def root(tmp_path, salt_g):
    """Yield a root with this machine's programs, read-only, that identifies itself as Devuan."""
    found = subprocess.run(["/usr/bin/python3", "-c", VERSION], capture_output=True, text=True)
    if found.stdout.strip() != "{}.{}".format(*sys.version_info):
        pytest.skip("the system's python3 is of another version")
    top = tmp_path / "image"
    assert salt_g("chroot.create", str(top)).value is True
    for name in ("usr", "etc", "tmp", "root"):
        (top / name).mkdir()
    for name in ("bin", "lib", "lib64", "sbin"):
        (top / name).symlink_to(f"usr/{name}")
    for name in ("passwd", "group", "ld.so.cache"):
        shutil.copy(f"/etc/{name}", top / "etc")
    (top / "etc" / "os-release").write_text('ID=devuan\nNAME="Devuan GNU/Linux"\nVERSION_ID="5"\n')
    mounted = subprocess.run(["mount", "--bind", "-o", "ro", "/usr", str(top / "usr")], capture_output=True)
    if mounted.returncode:
        pytest.skip("no bind mounts here")
    yield top
    subprocess.run(["umount", str(top / "usr")], check=True)


def test_a_function_runs_inside_and_leaves_nothing_behind(salt_g, root):
    before = sorted(path.name for path in root.iterdir())

    given = salt_g("chroot.call", str(root), "test.arg", '"5"', "6", "a=[x, '7']").value
    system = salt_g("chroot.call", str(root), "grains.get", "os").value
    failed = salt_g("chroot.call", str(root), "no.such").value

    assert given["args"] == ["5", 6] and given["kwargs"]["a"] == ["x", "7"]
    assert system == "Devuan"
    assert failed["result"] is False and failed["retcode"] != 0
    assert failed["comment"]["stderr"] == "'no.such' is not available."
    assert sorted(path.name for path in root.iterdir()) == before
    assert "image/proc" not in pathlib.Path("/proc/mounts").read_text()


def test_states_are_applied_inside_with_files_and_pillar(salt_g, root):
    salt_g.write({"web.sls": SLS, "x.txt": "text\n", "tree/deep/file": "inner\n"})
    words = ["chroot.apply", str(root), "web", "pillar={role: www}"]

    planned = salt_g(*words, "test=True")
    assert [state["result"] for state in planned.value.values()] == [None, None, None]
    assert not (root / "made").exists()

    applied = salt_g(*words)
    assert applied.code == 0
    assert [state["result"] for state in applied.value.values()] == [True, True, True]
    assert (root / "made" / "file").read_text() == "text\n"
    assert (root / "made" / "tree" / "deep" / "file").read_text() == "inner\n"
    assert (root / "made" / "told").read_text() == "Devuan www\n"


def test_the_highstate_is_applied_inside_and_a_failure_is_one(salt_g, root):
    salt_g.write(
        {"top.sls": "base: {'os:Devuan': [{match: grain}, inner], 'os:Debian': [{match: grain}, no]}"}
    )
    salt_g.write({"inner.sls": "/bin/false: {cmd.run: []}"})

    failed = salt_g("chroot.highstate", str(root))

    assert failed.code != 0
    assert [state["name"] for state in failed.value.values()] == ["/bin/false"]
    assert salt_g("chroot.sls", str(root), "missing").value == [
        "No matching sls found for 'missing' in env 'base'"
    ]


def test_an_invalid_root_is_refused(salt_g, tmp_path):
    assert salt_g("chroot.exist", str(tmp_path)).value is False
    assert salt_g("chroot.in_chroot").value is False

    refused = salt_g("chroot.call", str(tmp_path), "test.ping", as_json=False)

    assert refused.code != 0
    assert "Chroot environment not found" in refused.out + refused.err


def test_a_root_without_programs_is_an_error(salt_g, tmp_path):
    assert salt_g("chroot.create", str(tmp_path / "empty")).value is True

    failed = salt_g("chroot.call", str(tmp_path / "empty"), "test.ping").value

    assert (failed["result"], failed["retcode"]) == (False, 127)
    assert "No such file or directory" in failed["comment"]["stderr"]
