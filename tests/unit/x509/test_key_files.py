"""References in calls about a host: its files, read through the host."""

import pytest

from salt_g.errors import InvocationError
from salt_g.x509 import key_files, loading, ssh

pytest.importorskip("cryptography")


class Shelf:
    """Files of a host in memory; `paths` are the requested ones."""

    def __init__(self, **files):
        self.files, self.paths = files, []

    def is_file(self, path):
        self.paths.append(path)
        return path in self.files

    def read(self, path):
        return self.files[path]


def test_paths_are_the_hosts_during_the_block_only(tmp_path):
    (tmp_path / "a").write_bytes(b"ours")
    host = Shelf(**{str(tmp_path / "a"): b"theirs"})

    with key_files.use(host):
        assert loading.content(str(tmp_path / "a")) == b"theirs"
        assert ssh.loading.content(str(tmp_path / "a")) == b"theirs"
        with key_files.use(None):
            assert loading.content(str(tmp_path / "a")) == b"ours"
    assert key_files.of_host() is None
    assert loading.content(str(tmp_path / "a")) == b"ours"


def test_files_of_this_machine_are_out_of_reach(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"ours")
    monkeypatch.chdir(tmp_path)

    with key_files.use(Shelf()):
        for path in (str(tmp_path / "a"), "a"):
            with pytest.raises(InvocationError):
                loading.content(path)


def test_a_host_is_not_asked_for_content():
    host = Shelf()
    pem = "-----BEGIN CERTIFICATE-----\n/AAA\n-----END CERTIFICATE-----\n"

    with key_files.use(host):
        assert loading.content(pem) == pem.encode()
        assert loading.content("MAA=") == b"0\0"
        for odd in ("/a\nb", "/a\0b"):
            assert not loading.is_file(odd)

    assert host.paths == []
