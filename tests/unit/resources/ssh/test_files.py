"""Scripts about files on a host, run by this machine's shell."""

import subprocess

import pytest

from salt_g.resources.ssh._files import _PARENTS


def run(script, *args):
    words = ["/bin/sh", "-c", _PARENTS + script, "sh", *map(str, args)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_a_directory_that_another_creates_meanwhile_is_used(tmp_path):
    script = 'mkdir() { command mkdir "$1"; command mkdir "$1"; }; parents "$1" "" ""; echo there'

    done = run(script, tmp_path / "a" / "b")

    assert (done.returncode, done.stdout) == (0, "there\n")
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("name", ["file/below"])
def test_a_directory_that_cannot_be_created_is_an_error(tmp_path, name):
    (tmp_path / "file").write_text("")

    assert run('parents "$1" "" ""', tmp_path / name).returncode == 1
