"""Files that `ssh_pki` overwrites: keys are private, public parts keep owner and mode."""

import pytest

pytest.importorskip("cryptography")

from salt_g.modules import ssh_pki
from salt_g.x509 import key_files


class Host:
    """Files of a host; `written` has the written content by path and kind."""

    def __init__(self):
        self.written = []

    def is_file(self, path):
        return True

    def write(self, path, data, *, mode, keeps_old=False):
        self.written.append((path, "plain"))

    def write_private(self, path, data):
        self.written.append((path, "private"))


def test_an_old_public_key_keeps_its_mode_and_a_private_key_is_private(call_context, tmp_path):
    call_context()
    for name in ("id", "id.pub"):
        (tmp_path / name).write_text("old")
        (tmp_path / name).chmod(0o644)

    ssh_pki.create_private_key("ed25519", path=str(tmp_path / "id"), overwrite=True)

    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"id": 0o600, "id.pub": 0o644}


def test_a_private_key_of_a_host_is_written_privately(call_context):
    call_context()
    host = Host()

    with key_files.use(host):
        ssh_pki.create_private_key("ed25519", path="/k/id", overwrite=True)

    assert host.written == [("/k/id", "private"), ("/k/id.pub", "plain")]
