"""Encrypted values of other sources, decrypted."""

import shutil
import subprocess

import pytest

from salt_g.pillar.sources.gpg import gpg


@pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is not installed")
def test_encrypted_values_of_all_sources_are_opened(compile_pillar, call_context, tmp_path):
    keys = tmp_path / "gpgkeys"
    keys.mkdir(mode=0o700)
    program = ["gpg", "--homedir", str(keys), "--batch", "--passphrase", ""]
    make = [*program, "--quick-gen-key", "unit", "default", "default", "never"]
    subprocess.run(make, check=True, capture_output=True)
    encrypt = [*program, "--trust-model", "always", "--armor", "-r", "unit", "-e"]
    message = subprocess.run(encrypt, input=b"secret\n", check=True, capture_output=True).stdout.decode()
    call_context(opts={"gpg_keydir": str(keys)}, files=None)
    before = {"a": {"b": [message, "plain"]}, "n": 1}

    assert gpg("m1", before) == {"a": {"b": ["secret", "plain"]}, "n": 1}
    assert before["a"]["b"][0] == message
