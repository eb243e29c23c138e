import os
import pathlib

import pytest

from salt_g.onefile import old_debian


@pytest.fixture
def debootstrap(tmp_path, monkeypatch):
    """Return a function that replaces debootstrap by a script with these lines, run by root."""
    program = tmp_path / "bin/debootstrap"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("SALT_G_BUILD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    def write(*lines):
        program.write_text("\n".join(("#!/bin/sh", *lines)))
        program.chmod(0o755)

    return write


def test_a_missing_mirror_is_named_with_the_reason(debootstrap, monkeypatch):
    monkeypatch.setenv("SALT_G_DEBIAN_MIRROR", "http://mirror.example/debian")
    debootstrap("echo I: Retrieving", "echo 'E: Failed getting release file' >&2", "exit 1")

    with pytest.raises(old_debian.CannotBuildError) as raised, old_debian.old_debian(1):
        pass

    assert str(raised.value) == (
        "debootstrap cannot install bullseye from http://mirror.example/debian: Failed getting release file; "
        "set SALT_G_DEBIAN_MIRROR to use another mirror"
    )


def test_a_complete_directory_is_used_again(debootstrap, monkeypatch):
    debootstrap('mkdir -p "$4/etc"')
    compiled = []
    monkeypatch.setattr(old_debian, "run_inside", lambda *words: compiled.append(words))

    with old_debian.old_debian(3) as first:
        assert (first / "etc/resolv.conf").exists()
    debootstrap("exit 1")
    with old_debian.old_debian(3) as second:
        assert second == first
    assert len(compiled) == 1
    assert compiled[0][-1] == "3"


def test_remains_of_an_interrupted_build_are_removed(debootstrap, monkeypatch, tmp_path):
    left = tmp_path / "cache/bullseye-python3.9-x86_64-00000000/etc"
    left.mkdir(parents=True)
    debootstrap('mkdir -p "$4/etc"')
    monkeypatch.setattr(old_debian, "run_inside", lambda *words: None)

    with old_debian.old_debian(1) as root:
        assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == sorted(["lock", root.name])


def test_a_user_other_than_root_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert "run as root" in old_debian.problem()


def test_the_cache_is_the_users(monkeypatch):
    monkeypatch.delenv("SALT_G_BUILD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache/build")

    assert old_debian.cache_directory() == pathlib.Path("/var/cache/build/salt-g-build")
