"""One `pki_dir`, used by stock's `salt-key` and by our key store."""

import json
import subprocess

import pytest

from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.policy import AutoSettings, Policy
from salt_g.keys.store import KeyStore
from salt_g.wire.rsa import PrivateKey

IDS = ("web1", "Web2", "db.example.com", "a_b@c", "zone:1")


@pytest.fixture(scope="module")
def pem():
    return PrivateKey.generate(2048).public.pem


@pytest.fixture
def keys(tmp_path, pem):
    """Return a store with a pending key for each id."""
    store = KeyStore(KeyFiles(str(tmp_path / "pki")))
    for id in IDS:
        store.admit(id, pem, Policy(AutoSettings(pki_dir=store.pki_dir)))
    return store


@pytest.fixture
def salt_key(tmp_path, stock_bin):
    """Run stock's `salt-key` on the same directory and return its output, parsed from JSON."""
    config = tmp_path / "etc" / "master"
    config.parent.mkdir()
    config.write_text(
        f"root_dir: {tmp_path}\npki_dir: {tmp_path}/pki\ncachedir: {tmp_path}/cache\n"
        f"sock_dir: {tmp_path}/run\nlog_file: {tmp_path}/log\n"
    )

    def run(*words):
        done = subprocess.run(
            [stock_bin / "salt-key", "-c", str(config.parent), "--out", "json", "-y", *words],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        # What it does comes in JSON, that it has done it in words.
        text = done.stdout[done.stdout.index("{") :] if "{" in done.stdout else "{}"
        return json.JSONDecoder().raw_decode(text)[0]

    return run


def test_stock_lists_what_we_keep_in_our_order(keys, salt_key):
    keys.accept("web1")
    keys.reject("db*")

    listed = salt_key("-L")

    assert listed == keys.list_keys()
    assert list(listed) == list(keys.list_keys())


def test_we_see_what_stock_decides(keys, salt_key):
    salt_key("-a", "web1")
    salt_key("-r", "db*")
    salt_key("-d", "a_b@c")

    assert keys.accepted() == {"web1"}
    assert keys.list_keys() == {
        PENDING: ["Web2", "zone:1"],
        REJECTED: ["db.example.com"],
        ACCEPTED: ["web1"],
        DENIED: [],
    }


def test_stock_prints_the_key_that_we_keep(keys, salt_key):
    assert salt_key("-p", "web1") == keys.key_str("web1")


def test_stock_shows_the_keys_that_we_deny(keys, salt_key, pem):
    keys.accept("web1")
    other = PrivateKey.generate(2048).public.pem
    keys.admit("web1", other, Policy(AutoSettings(pki_dir=keys.pki_dir)))

    assert salt_key("-l", "den") == {DENIED: ["web1"]}
    assert salt_key("-p", "web1") == {ACCEPTED: {"web1": pem + "\n"}, DENIED: {"web1": other + "\n"}}


def test_the_finger_is_what_stock_says_on_the_minion(keys, stock_bin, tmp_path, pem):
    pki = tmp_path / "minion_pki"
    pki.mkdir()
    (pki / "minion.pub").write_text(pem + "\n")
    (tmp_path / "minion").write_text(f"root_dir: {tmp_path}\npki_dir: {pki}\nid: web1\n")

    done = subprocess.run(
        [stock_bin / "salt-call", "--local", "-c", str(tmp_path), "key.finger", "--out", "json"],
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert json.loads(done.stdout)["local"] == keys.finger("web1")[PENDING]["web1"]
