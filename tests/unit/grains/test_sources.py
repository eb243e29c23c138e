"""Reading files below a root, finding and running programs."""

import pytest

from salt_g.grains import _sources as sources


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that makes a shell script of this name the only program of the path."""

    def write(name, script):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        return str(path)

    return write


def test_a_missing_file_is_none_and_has_no_lines(tmp_path):
    assert sources.text("/etc/none", str(tmp_path)) is None
    assert sources.lines("/etc/none", str(tmp_path)) == []
    assert sources.names("/etc", str(tmp_path)) == []


def test_text_that_is_not_utf8_is_read_all_the_same(tmp_path):
    (tmp_path / "product_name").write_bytes(b"Model \xff")

    assert sources.text("/product_name", str(tmp_path)) == "Model \ufffd"


def test_the_path_comes_before_the_system_directories(program):
    path = program("sh", "exit 0")

    assert sources.which("sh") == path


def test_system_directories_count_without_a_path(monkeypatch):
    monkeypatch.setenv("PATH", "")

    assert sources.which("sh") in ("/bin/sh", "/usr/bin/sh")
    assert sources.which("no-such-program") is None


def test_output_is_stripped(program):
    program("say-kvm", "echo kvm")

    assert sources.output("say-kvm") == "kvm"


def test_a_program_that_fails_or_is_missing_has_no_output(program):
    program("fails", "echo none; exit 1")

    assert sources.output("fails") is None
    assert sources.output("no-such-program") is None
