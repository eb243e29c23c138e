"""Messages that other programs encrypted, and that they can decrypt."""

import base64
import os

import pytest

from salt_g.errors import CommandExecutionError
from salt_g.modules import nacl as module

library = pytest.importorskip("nacl.public")

#: Made by Salt 3008.3: a secret key, and a text that was sealed with its public key.
SECRET = "3WuvO0nzXjeT+BY7p0Tm7ySHnYg5s1RQaDVErfXIpYg="
PUBLIC = "TMPVqATBJGzfTr9izDTCLvidl9VCMf+0kfFVC9UN6mM="


@pytest.fixture(autouse=True)
def call(call_context, tmp_path):
    """Return a call with the keys of `nacl.config`."""
    return call_context(
        functions={"cp.cache_file": lambda path: "", "config.get": lambda name, default: default},
        opts={"pki_dir": str(tmp_path / "pki"), "nacl.config": {"sk": SECRET, "pk": PUBLIC}},
    )


@pytest.mark.parametrize("box", ["sealedbox", "secretbox"])
@pytest.mark.parametrize("text", ["my secret", "", "čeština", "x" * 100_000])
def test_encrypted_text_can_be_decrypted(box, text):
    assert module.dec(module.enc(text, box_type=box), box_type=box) == text


def test_bytes_that_are_not_text_stay_bytes():
    assert module.dec(module.enc(b"\xff\x00")) == b"\xff\x00"


def test_a_pair_without_files_is_returned():
    made = module.keygen()

    assert module.dec(module.enc("x", pk=made["pk"]), sk=made["sk"]) == "x"


def test_a_pair_in_files_is_private_and_never_replaced(tmp_path):
    secret, public = str(tmp_path / "key"), str(tmp_path / "key.pub")

    assert module.keygen(sk_file=secret) == f"saved sk_file:{secret}  pk_file: {public}"
    assert os.stat(secret).st_mode & 0o777 == 0o400
    with pytest.raises(CommandExecutionError, match="already exist"):
        module.keygen(sk_file=secret)
    os.remove(public)
    assert module.keygen(sk_file=secret) == f"saved pk_file: {public}"
    sealed = module.enc("x", pk=None, pk_file=public)
    with pytest.raises(CommandExecutionError, match="encrypted with another key"):
        module.dec(sealed)


def test_files_are_encrypted_and_decrypted(tmp_path):
    plain, closed, again = (str(tmp_path / name) for name in ("plain", "closed", "again"))
    with open(plain, "w") as file:
        file.write("key\n")

    assert module.enc_file(plain, out=closed) == f"Wrote: {closed}"
    assert module.dec_file(closed) == "key\n"
    assert module.dec_file(closed, out=again) == f"Wrote: {again}"
    with pytest.raises(CommandExecutionError, match="already exist"):
        module.dec_file(closed, out=again)


@pytest.mark.parametrize("message, error", [
    ("abc", "the message is not base64"),
    (base64.b64encode(b"short").decode(), "cannot be decrypted"),
    (base64.b64encode(bytes(80)).decode(), "cannot be decrypted"),
])  # fmt: skip
def test_damaged_messages_are_refused(message, error):
    with pytest.raises(CommandExecutionError, match=error):
        module.dec(message)


@pytest.mark.parametrize("keys, error", [
    ({"sk": "abc"}, "the secret key is not base64"),
    ({"sk": "YWJj"}, "the secret key has 3 bytes instead of 32"),
    ({"box_type": "shoebox"}, "box_type 'shoebox' is neither 'sealedbox' nor 'secretbox'"),
])  # fmt: skip
def test_wrong_keys_are_named(keys, error):
    with pytest.raises(CommandExecutionError, match=error):
        module.dec(module.enc("x"), **keys)


def test_keys_of_older_names_and_of_files_are_read(call_context, tmp_path):
    call_context(
        functions={"config.get": lambda name, default: default}, opts={"pki_dir": str(tmp_path / "pki")}
    )
    with pytest.raises(CommandExecutionError, match=r"no secret key: .*pki/master/nacl.*set nacl.config"):
        module.dec("YWJj")
    (tmp_path / "pki/master").mkdir(parents=True)
    (tmp_path / "pki/master/nacl").write_text(f"{SECRET}\n")

    assert module.dec(module.enc("x", pk=PUBLIC)) == module.dec(module.enc("x", pk=PUBLIC), key=SECRET) == "x"
