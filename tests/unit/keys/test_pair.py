"""Our own key pairs."""

import errno
import os
import stat

import pytest

from salt_g.errors import KeysError
from salt_g.keys.pair import gen_keys, load_or_make
from salt_g.process import disk
from salt_g.wire.rsa import PrivateKey, PublicKey, fingerprint


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    directory = str(tmp_path_factory.mktemp("pair") / "pki")
    return directory, load_or_make(directory, "master")


def _mode(*parts):
    return stat.S_IMODE(os.stat(os.path.join(*parts)).st_mode)


def test_a_pair_is_made_private(made):
    directory, _key = made

    assert (_mode(directory), _mode(directory, "master.pem"), _mode(directory, "master.pub")) == (
        0o700,
        0o400,
        0o600,
    )


def test_a_pair_is_made_once(made):
    directory, key = made

    assert load_or_make(directory, "master").public == key.public
    assert gen_keys(directory, "master") == fingerprint(key.public.pem)


def test_the_public_file_is_made_to_fit(made):
    directory, key = made
    path = os.path.join(directory, "master.pub")
    os.unlink(path)

    load_or_make(directory, "master")

    with open(path) as file:
        assert PublicKey(file.read()) == key.public


def test_a_file_that_is_not_a_key_is_left_alone(tmp_path):
    (tmp_path / "master.pem").write_text("garbage")

    with pytest.raises(KeysError):
        load_or_make(str(tmp_path), "master")
    assert (tmp_path / "master.pem").read_text() == "garbage"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "a\0"])
def test_a_name_that_is_a_path_is_refused(tmp_path, name):
    with pytest.raises(KeysError, match="cannot be the name"):
        load_or_make(str(tmp_path), name)


def test_a_passphrase_protects_the_private_file(tmp_path):
    key = load_or_make(str(tmp_path), "sign", passphrase="secret")

    assert "ENCRYPTED" in (tmp_path / "sign.pem").read_text()
    assert load_or_make(str(tmp_path), "sign", passphrase="secret").public == key.public
    with pytest.raises(KeysError):
        load_or_make(str(tmp_path), "sign", passphrase="wrong")


def test_of_two_programs_that_make_a_pair_at_once_both_have_that_of_the_first(tmp_path, monkeypatch):
    directory, generate = str(tmp_path / "pki"), PrivateKey.generate
    first = []

    def slowly(bits):
        key = generate(bits)
        if not first:
            first.append(None)
            first[0] = load_or_make(directory, "minion")
        return key

    monkeypatch.setattr(PrivateKey, "generate", slowly)

    second = load_or_make(directory, "minion")

    assert second.public == first[0].public == load_or_make(directory, "minion").public
    assert sorted(os.listdir(directory)) == ["minion.pem", "minion.pub"]
    assert _mode(directory, "minion.pem") == 0o400


def test_a_file_system_without_links_takes_keys(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    key = load_or_make(str(tmp_path), "minion")

    assert load_or_make(str(tmp_path), "minion").public == key.public
    with pytest.raises(FileExistsError):
        disk.write_first(str(tmp_path / "minion.pem"), "other")
    assert sorted(os.listdir(tmp_path)) == ["minion.pem", "minion.pub"]
