"""The one-file executable on a machine without Python: local calls, states, modules, daemons, links."""

import contextlib
import json
import os
import shutil
import subprocess

import pytest


def test_no_python_is_installed(inside):
    assert inside("sh", "-c", "command -v python3 python").stdout == ""


def test_a_local_call_answers(inside):
    done = inside("salt-g", "call", "--local", "--out=json", "test.ping")

    assert json.loads(done.stdout) == {"local": True}, done.stderr


def test_programs_run_with_the_users_environment(inside):
    plain = inside("salt-g", "call", "--local", "--out=json", "cmd.run_stdout", "env", "env={LANG: C}")
    python = inside("salt-g", "call", "--local", "--out=json", "cmd.run_stdout", "env", "runas=nobody")

    for done in (plain, python):
        names = [line.partition("=")[0] for line in json.loads(done.stdout)["local"].splitlines()]
        assert "PATH" in names
        assert [name for name in names if name.startswith(("LD_LIBRARY_PATH", "_PYI_"))] == []


def test_a_state_tree_converges_with_users_modules_and_the_whole_standard_library(inside, root):
    tree = root / "srv/salt"
    (tree / "_modules").mkdir(parents=True)
    (tree / "_modules/own.py").write_text(
        "import colorsys, xml.dom.minidom, sqlite3, ftplib\n"
        "from salt.exceptions import CommandExecutionError\n"
        "def hue():\n    return colorsys.rgb_to_hsv(0, 1, 0)[0] > 0\n"
    )
    (tree / "try.sls").write_text(
        "/srv/made:\n  file.managed:\n    - contents: {{ salt['own.hue']() }} {{ grains['os'] }}\n"
        "kept:\n  cmd.run:\n    - name: id -un\n    - runas: nobody\n"
    )

    synced = inside("salt-g", "call", "--local", "saltutil.sync_modules")
    done = inside("salt-g", "call", "--local", "--out=json", "state.apply", "try")

    assert synced.returncode == 0, synced.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert (root / "srv/made").read_text() == "True Debian\n"
    states = json.loads(done.stdout)["local"].values()
    assert [state["changes"]["stdout"] for state in states if "stdout" in state["changes"]] == ["nobody"]


def test_a_master_and_minions_run(inside):
    done = inside("salt-g", "quickstart", "--minions", "2")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 minions, 9 states: 9 succeeded (9 changed), 0 failed" in done.stdout


def test_a_link_is_the_program_of_its_name(inside, root):
    os.symlink("salt-g", root / "usr/local/bin/salt-call")

    done = inside("salt-call", "--local", "--out=json", "test.echo", "hi")

    assert json.loads(done.stdout) == {"local": "hi"}, done.stderr


def test_keys_are_made(inside, root):
    done = inside("salt-g", "key", "--gen-keys", "one", "--gen-keys-dir", "/root")

    assert done.returncode == 0, done.stderr
    assert (root / "root/one.pem").stat().st_mode & 0o077 == 0


def test_a_function_that_needs_python_is_reported(inside):
    done = inside("salt-g", "call", "--local", "pip.list")

    assert done.returncode != 0
    assert "python3" in done.stdout + done.stderr


def test_it_is_small(onefile):
    assert onefile.stat().st_size < 60 * 1024 * 1024


def test_it_is_unpacked_once_and_for_its_user_only(onefile, tmp_path):
    env = {**os.environ, "SALT_G_UNPACKED": str(tmp_path / "unpacked")}

    def version():
        return subprocess.run([str(onefile), "--version"], capture_output=True, text=True, env=env)

    assert version().stdout.startswith("salt-g ")
    (directory,) = (tmp_path / "unpacked").iterdir()
    program = directory / "salt-g"
    before = program.stat()
    assert version().returncode == 0
    assert program.stat().st_mtime_ns == before.st_mtime_ns
    assert directory.stat().st_mode & 0o777 == 0o700

    directory.chmod(0o777)
    refused = version()
    assert refused.returncode == 1
    assert "is not this user's own" in refused.stderr


@contextlib.contextmanager
def _mounted(place, options):
    """Mount a memory disk at `place`; yield the environment that names it."""
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("this machine mounts nothing")
    try:
        yield {**os.environ, "SALT_G_UNPACKED": str(place)}
    finally:
        subprocess.run(["umount", str(place)], check=True)
        shutil.rmtree(place)


def test_a_full_disk_leaves_nothing_half_unpacked(onefile, tmp_path):
    with _mounted(tmp_path / "small", "size=8m") as env:
        done = subprocess.run([str(onefile), "--version"], capture_output=True, text=True, env=env)

        assert done.returncode == 1
        assert "is there room for 100 MiB?" in done.stderr
        assert list((tmp_path / "small").iterdir()) == []


def test_a_place_that_cannot_be_made_is_reported(onefile, tmp_path):
    (tmp_path / "file").touch()
    env = {**os.environ, "SALT_G_UNPACKED": str(tmp_path / "file/below")}

    done = subprocess.run([str(onefile), "--version"], capture_output=True, text=True, env=env)

    assert done.returncode == 1
    assert f"cannot unpack it to {tmp_path}/file/below: set SALT_G_UNPACKED to another" in done.stderr


def test_a_disk_that_runs_no_programs_is_reported(onefile, tmp_path):
    with _mounted(tmp_path / "data", "noexec") as env:
        done = subprocess.run([str(onefile), "--version"], capture_output=True, text=True, env=env)

        assert done.returncode == 1
        assert "noexec" in done.stderr and "SALT_G_UNPACKED" in done.stderr


def test_the_first_run_makes_files_like_every_other(onefile, tmp_path):
    env = {**os.environ, "SALT_G_UNPACKED": str(tmp_path / "unpacked")}
    words = [str(onefile), "call", "--local", "--out=json", "cmd.run", "umask"]

    def run():
        done = subprocess.run(words, capture_output=True, text=True, env=env, umask=0o022)
        return int(json.loads(done.stdout)["local"], 8)

    first, second = run(), run()

    assert first == second == 0o022


def test_a_master_and_an_invited_minion_are_installed_from_it_and_taken_away(inside, root):
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    before = {path for top in ("etc", "usr/local") for path in (root / top).rglob("*")}

    made = inside("salt-g", "install", "master", "--links")
    assert made.returncode == 0, made.stdout + made.stderr
    try:
        assert (root / "usr/local/lib/salt-g/current/salt-g").exists()
        invited = inside("salt-g", "key", "invite", "--address", "127.0.0.1")
        assert invited.returncode == 0, invited.stderr
        joined = inside(*invited.stdout.split())
        assert joined.returncode == 0, joined.stdout + joined.stderr
        # The start of a minion waits for its master, which has let it in.
        pinged = inside("/usr/local/bin/salt", "*", "test.ping", "--out=json")
        assert list(json.loads(pinged.stdout).values()) == [True], pinged.stderr
        again = inside("salt-g", "install", "minion").stdout
        assert "\nnothing to do\nnote    connected: 127.0.0.1 accepts " in again, again
    finally:
        gone = [inside("salt-g", "install", role, "--uninstall", "--purge") for role in ("minion", "master")]

    assert [one.returncode for one in gone] == [0, 0], gone
    after = {path for top in ("etc", "usr/local") for path in (root / top).rglob("*")}
    assert after - before == set()
