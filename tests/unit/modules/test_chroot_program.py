import json
import subprocess
import sys

from salt_g.modules import _chroot_program


def test_the_copied_packages_are_enough_for_a_call(tmp_path):
    words = _chroot_program.put(str(tmp_path), str(tmp_path))
    words[words.index("python3")] = sys._base_executable

    call = [*words, "call", "--local", "--config-dir", str(tmp_path), "--cachedir", str(tmp_path / "c")]
    ran = subprocess.run([*call, "--out=json", "test.ping"], capture_output=True, text=True, cwd=tmp_path)

    assert json.loads(ran.stdout) == {"local": True}, ran.stderr
    assert not list(tmp_path.rglob("packages/**/__pycache__"))


def test_a_python_of_another_version_is_named(tmp_path):
    words = _chroot_program.put(str(tmp_path), "/inside")
    assert words[:2] == ["env", "PYTHONPATH=/inside/packages"]

    text = words[-1].replace(f"here == {sys.version_info[:2]}", "here == (2, 7)")
    ran = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)

    assert ran.returncode == 1
    assert ran.stderr.startswith("python3 3.") and " outside" in ran.stderr


def test_the_frozen_program_is_copied_with_its_directory(tmp_path, monkeypatch):
    (tmp_path / "program" / "lib").mkdir(parents=True)
    (tmp_path / "program" / "salt-g").write_text("")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "program" / "salt-g"))

    words = _chroot_program.put(str(tmp_path / "copy"), "/inside")

    assert words == ["/inside/program/salt-g"]
    assert (tmp_path / "copy" / "program" / "lib").is_dir()
