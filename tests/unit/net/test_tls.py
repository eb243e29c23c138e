"""TLS contexts, which verify by default and cooperate with gevent."""

import ssl
import subprocess
import sys

import pytest

from salt_g.net.tls import client_context

PATCHED = """
from gevent import monkey
monkey.patch_all(ssl=False)
import urllib.request
from salt_g.net.tls import client_context
client_context()
context = client_context()
print(type(context).__module__)
"""


def test_a_context_verifies_by_default():
    assert client_context().verify_mode == ssl.CERT_REQUIRED
    assert client_context(verify=False).verify_mode == ssl.CERT_NONE


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(OSError):
        client_context(ca_bundle=str(tmp_path / "nope"))
    with pytest.raises(OSError):
        client_context(cert=[str(tmp_path / "nope")])


def test_a_program_with_patched_sockets_gets_a_context_that_yields():
    finished = subprocess.run([sys.executable, "-c", PATCHED], capture_output=True, text=True, check=True)

    assert finished.stdout == "gevent.ssl\n"
    assert finished.stderr == ""
