"""Cleanup of temporary directories left by killed processes."""

import os
import socket
import subprocess
import tempfile

from salt_g.resources.ssh import _connection_directories


def test_only_what_dead_processes_left_is_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    names = [f"salt-g-ssh-{ended.pid}-dead", f"salt-g-ssh-{os.getpid()}-mine", "salt-g-ssh-other"]
    names.append(f"salt-g-ssh-{ended.pid}-served")
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "config").write_text("")
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / f"salt-g-ssh-{ended.pid}-young").mkdir()
    (tmp_path / f"salt-g-ssh-{ended.pid}-link").symlink_to(tmp_path / "salt-g-ssh-other")
    # As a short relative path: names of sockets are bounded.
    monkeypatch.chdir(tmp_path / names[3])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        server.listen()
        os.utime(tmp_path / names[3], (0, 0))
        monkeypatch.setattr(tempfile, "tempdir", "..")

        swept = _connection_directories.sweep()

    assert swept == [f"../{names[0]}"]
    assert not (tmp_path / names[0]).exists()
    assert all((tmp_path / name / "config").exists() for name in names[1:])


def test_a_new_place_names_its_process(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    place = _connection_directories.new_place()

    assert f"-{os.getpid()}-" in place
    assert _connection_directories.sweep() == []
