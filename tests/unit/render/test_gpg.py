"""Messages that only the gpg program can decrypt."""

import shutil
import subprocess

import pytest

from salt_g.errors import RenderError

BROKEN = "-----BEGIN PGP MESSAGE-----\n\nnonsense\n-----END PGP MESSAGE-----"

pytestmark = pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is not installed")


@pytest.fixture
def key_directory(tmp_path):
    path = tmp_path / "gpgkeys"
    path.mkdir(mode=0o700)
    return str(path)


def test_an_undecryptable_text_stays_if_that_is_allowed(service, key_directory):
    made = service(gpg_keydir=key_directory, gpg_decrypt_must_succeed=False)

    assert made.render_text(f"x {BROKEN} y", pipe="gpg") == f"x {BROKEN} y"


def test_an_undecryptable_text_is_an_error_otherwise(service, key_directory):
    with pytest.raises(RenderError, match="Could not decrypt cipher"):
        service(gpg_keydir=key_directory, gpg_decrypt_must_succeed=True).render_text(BROKEN, pipe="gpg")


def test_messages_in_data_are_decrypted(service, key_directory):
    gpg = ["gpg", "--homedir", key_directory, "--batch", "--passphrase", ""]
    subprocess.run(
        [*gpg, "--quick-gen-key", "unit", "default", "default", "never"], check=True, capture_output=True
    )
    encrypt = [*gpg, "--trust-model", "always", "--armor", "-r", "unit", "-e"]
    message = subprocess.run(encrypt, input=b"secret\n", check=True, capture_output=True).stdout.decode()
    indented = message.replace("\n", "\n    ")

    data = service(gpg_keydir=key_directory).render_text(
        f"a:\n  - |\n    {indented}\nb: c\n", pipe="yaml|gpg"
    )

    assert data == {"a": ["secret"], "b": "c"}
