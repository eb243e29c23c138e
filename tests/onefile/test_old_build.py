"""The one-file executable for old C libraries, on a Debian of that age, which has no Python either."""

import json
import re


def test_its_name_has_a_version_of_glibc_that_the_old_debian_has(old_onefile, inside_old):
    (minor,) = re.findall(r"-glibc2\.(\d+)$", old_onefile.name)
    has = inside_old("ldd", "--version").stdout.splitlines()[0].rpartition(".")[2]

    assert int(minor) <= int(has) == 31
    assert old_onefile.stat().st_size < 60 * 1024 * 1024


def test_no_python_is_installed(inside_old):
    assert inside_old("sh", "-c", "command -v python3 python").stdout == ""


def test_states_and_users_modules_run(inside_old, old_root):
    tree = old_root / "srv/salt"
    (tree / "_modules").mkdir(parents=True)
    (tree / "_modules/own.py").write_text(
        "import bz2, ctypes, lzma, readline, sqlite3, ssl, uuid, zoneinfo\n"
        "import bcrypt, cryptography.x509, h11, psutil, pymysql, redis\n"
        "def name():\n    return ssl.OPENSSL_VERSION.split()[0]\n"
    )
    (tree / "try.sls").write_text(
        "/srv/made:\n  file.managed:\n    - contents: {{ salt['own.name']() }} {{ grains['oscodename'] }}\n"
        "kept:\n  cmd.run:\n    - name: id -un\n    - runas: nobody\n"
    )

    synced = inside_old("salt-g", "call", "--local", "saltutil.sync_modules")
    done = inside_old("salt-g", "call", "--local", "--out=json", "state.apply", "try")

    assert synced.returncode == 0, synced.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert (old_root / "srv/made").read_text() == "OpenSSL bullseye\n"
    states = json.loads(done.stdout)["local"].values()
    assert [state["changes"]["stdout"] for state in states if "stdout" in state["changes"]] == ["nobody"]


def test_a_master_and_minions_run(inside_old):
    done = inside_old("salt-g", "quickstart", "--minions", "2")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 minions, 9 states: 9 succeeded (9 changed), 0 failed" in done.stdout
