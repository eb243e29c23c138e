"""Manifest of an installation."""

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.install import manifest
from salt_g.install.host import Host
from salt_g.install.manifest import FILE, ManifestEntry


@pytest.fixture
def host(tmp_path):
    return Host(str(tmp_path))


def put(host, content):
    path = host.place(manifest.PATH)
    import pathlib

    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_bytes(content)


def test_a_host_without_an_installation_has_an_empty_manifest(host):
    assert manifest.read(host) == {}


def test_a_written_manifest_is_read(host):
    made = {"/opt/bin/salt-g": ManifestEntry(FILE, "ab", ("master", "minion"))}
    put(host, manifest.text(made))

    assert manifest.read(host) == made


def test_paths_that_are_not_plain_are_left_out(host):
    odd = {path: ManifestEntry(FILE, "", ("minion",)) for path in ("/etc/../x", "relative", "/etc/x")}
    put(host, manifest.text(odd))

    assert list(manifest.read(host)) == ["/etc/x"]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"made": {"/x": {}}}', b'{"made": []}'])
def test_a_malformed_manifest_is_an_error_with_the_remedy(host, content):
    put(host, content)

    with pytest.raises(CommandExecutionError, match="installed.json is not a valid manifest .* by hand"):
        manifest.read(host)
