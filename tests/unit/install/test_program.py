"""Location of the running program."""

import sys

import pytest

from salt_g.install.program import Program, is_temporary, running


def test_a_program_of_pip_is_its_script(tmp_path, monkeypatch):
    script = tmp_path / "salt-g"
    script.write_text("")
    (tmp_path / "link").symlink_to(script)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "link")])

    assert running() == Program(str(script))


@pytest.mark.parametrize(
    ("launcher", "is_one_file"), [(b"#!/bin/sh\n# salt-g 1\n", True), (b"#!/bin/sh\n", False)]
)
def test_an_unpacked_program_knows_its_tree_and_its_file(tmp_path, monkeypatch, launcher, is_one_file):
    one, tree = tmp_path / "one", tmp_path / "tree"
    one.write_bytes(launcher)
    tree.mkdir()
    (tree / "salt-g").write_text("")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tree / "salt-g"))
    monkeypatch.setattr(sys, "argv", [str(one)])

    assert running() == Program(str(one), str(tree), str(one) if is_one_file else "")


@pytest.mark.parametrize(
    ("program", "goes"),
    [
        (Program("/tmp/venv/bin/salt-g"), True),
        (Program("/opt/salt-g/bin/salt-g"), False),
        (Program("/tmp/salt-g", "/var/cache/salt-g/1", "/tmp/salt-g"), False),
    ],
)
def test_a_program_in_a_temporary_directory_is_removed_at_boot(program, goes):
    assert is_temporary(program) is goes
