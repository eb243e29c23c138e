"""Signatures by `asymmetric`, among them one that stock has made."""

import base64

import pytest

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.files.client import LocalClient
from salt_g.modules import asymmetric

TEXT = "I am important"
#: Key and signature of TEXT by stock 3008.3.
STOCK_KEY = """
-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAslk9c11KDNxmxRYxwd5R
dtKmFyjWzYmPMsCI85QduPy4sQKVsKGXrPuW+v35nqqXKCwRtMQED+UVNzx3TkBJ
IbWJA7wEdYWfW+eO8KA0lJG8uFulwUxLR9ZU/PGUrCxwCSaEwYTBl3IT/wReIVm5
t3KawjYmfWzZTFTtEsHv49n7Ij7ykaAmg7tWlrAVGpxVXIFeHBCQ8y8YsQUOQVuP
6hRFpcJ2yjunS2ddhtDKwWmxYiIIMFI5kpzLgeUP+OX/7vcGimXITFaCs52NGlR1
eKGBtfjG/7FHS8J6Po8/EqeeoWPQmuITmGL4h9z9IxhnqTaVr+LsbnrNPeiGAOPN
twIDAQAB
-----END PUBLIC KEY-----
"""
STOCK_SIGNATURE = """
cZKa7xMYHXCSn98B7LPYu1X4fYspW5l2ZjZgBwf7xZZHPxupSJCca9QrAHmkUjV1ZUCakIf5SkNd
oWqxdaT60ZJf2QYh00l5Z++h3dSXhvTDYIBS7+GcpQNRTYYJ4MjSEBaix7VX1gwsi100uUi/hrGn
Vjik3jEEG4MsNGhFmnyEbwUWXb2pqUYtu+tNBuifcJyFtxdjrG1ZPZZ+j2UPO5MZQI5IgMUszcv5
2aydySVVS6l3/rQknG0YLFdSbmsNVQmlmNWwSYcOjeIIPPnTCPqUIL5l+SCS02FjjS0+Lrig2H8d
/BMbO8UNIPHCy7P5A9r6QvMj/1YLcufp0uMa/g==
"""


@pytest.fixture
def pair(call_context):
    """Factory: `pair("ec")` is (private key, public key) as PEM texts."""
    call_context()

    def make(algo):
        key = x509.keys.generate(algo)
        pem = x509.encoding.private_key(key, "pem")
        return pem.decode(), x509.encoding.public(key.public_key()).decode()

    return make


@pytest.mark.parametrize("algo", ["rsa", "ec", "ed25519", "ed448"])
def test_a_signature_is_valid_for_its_text_and_its_file_alone(pair, tmp_path, algo):
    private, public = pair(algo)
    (tmp_path / "signed").write_text(TEXT)

    signature = asymmetric.sign(private, filename=str(tmp_path / "signed"))

    valid = {"res": True, "message": "The signature is valid"}
    assert asymmetric.verify(text=TEXT, pubkey=public, signature=signature) == valid
    wrong = asymmetric.verify(text="other", pubkey=public, signature=signature)
    assert wrong["res"] is False
    named = x509.signatures.fingerprint(x509.loading.public_key(public))
    assert wrong["message"] == f"Failed checking signature: Invalid signature for key {named}"


def test_a_signature_of_stock_is_valid():
    assert asymmetric.verify(text=TEXT, pubkey=STOCK_KEY, signature=STOCK_SIGNATURE)["res"] is True


@pytest.mark.parametrize(("raw", "is_text"), [(None, False), (True, False), (False, True)])
def test_a_signature_in_a_file_is_bytes_unless_raw_is_false(pair, tmp_path, raw, is_text):
    private, public = pair("ed25519")
    path = tmp_path / "out.sig"

    said = asymmetric.sign(private, text=TEXT, raw=raw, path=str(path))

    assert said == f"Signature written to '{path}'"
    assert (len(base64.b64decode(path.read_bytes())) if is_text else len(path.read_bytes())) == 64
    assert asymmetric.verify(text=TEXT, pubkey=public, signature=str(path))["res"] is True


def test_the_digest_of_a_signature_counts(pair):
    private, public = pair("ec")
    signature = asymmetric.sign(private, text=TEXT, digest="sha512")

    assert asymmetric.verify(text=TEXT, pubkey=public, signature=signature)["res"] is False
    assert asymmetric.verify(text=TEXT, pubkey=public, signature=signature, digest="sha512")["res"] is True
    with pytest.raises(CommandExecutionError, match="algorithm does not exist .*'md9'; known are sha1, "):
        asymmetric.sign(private, text=TEXT, digest="md9")


@pytest.mark.parametrize(
    ("signers", "any_of", "all_of", "result"),
    [
        (["ec"], ["ec", "rsa"], [], True),
        (["ec"], ["rsa", "ed448"], [], False),
        (["ec", "rsa"], [], ["rsa", "ec"], True),
        (["ec", "rsa"], [], ["rsa", "ed448"], False),
        (["ec", "rsa"], ["ec"], ["rsa"], True),
        (["ec", "rsa"], ["ed448"], ["rsa"], False),
        (["ec", "garbage"], ["garbage", "ec"], ["ec"], True),
        (["ec"], [], ["garbage"], False),
    ],
)
def test_one_of_the_first_keys_and_all_of_the_second_must_have_signed(pair, signers, any_of, all_of, result):
    pairs = {algo: pair(algo) for algo in ("ec", "rsa", "ed448")}
    public = {"garbage": "no key!", **{algo: made[1] for algo, made in pairs.items()}}
    signatures = [
        "no signature!" if algo == "garbage" else asymmetric.sign(pairs[algo][0], text=TEXT)
        for algo in signers
    ]

    told = asymmetric.verify(
        text=TEXT,
        signature=signatures,
        signed_by_any=[public[algo] for algo in any_of],
        signed_by_all=[public[algo] for algo in all_of],
    )

    assert told["res"] is result, told["message"]


def test_keys_and_signatures_are_fetched(pair, call_context, tmp_path):
    private, public = pair("ec")
    (tmp_path / "key.pub").write_text(public)
    (tmp_path / "text.sig").write_text(asymmetric.sign(private, text=TEXT))
    opts = {"file_roots": {"base": [str(tmp_path)]}, "cachedir": str(tmp_path / "cache")}
    call_context(opts=opts, files=LocalClient(opts))

    found = asymmetric.verify(text=TEXT, pubkey="salt://key.pub", signature=f"file://{tmp_path}/text.sig")
    missing = asymmetric.verify(text=TEXT, pubkey="salt://key.pub", signature="salt://nosuch.sig")

    assert found["res"] is True
    assert missing == {"res": False, "message": "Failed fetching 'salt://nosuch.sig'"}
    with pytest.raises(CommandExecutionError, match="Unable to locate any of the 2 signatures"):
        asymmetric.verify(text=TEXT, signed_by_any="x", signature=["salt://a", "salt://b"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"text": "t", "pubkey": "k"}, "Missing `signature` parameter"),
        ({"text": "t", "signature": "s"}, "Missing pubkey"),
        ({"pubkey": "k", "signature": "s"}, "Missing data to verify"),
        ({"text": "t", "filename": "f", "pubkey": "k", "signature": "s"}, "are mutually exclusive"),
        ({"text": "t", "pubkey": "k", "signed_by_all": "k", "signature": "s"}, "Either specify pubkey"),
        ({"text": "t", "pubkey": "k", "signature": ["s"]}, "must be a string or bytes"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, told):
    with pytest.raises(InvocationError, match=told):
        asymmetric.verify(**arguments)


def test_files_that_cannot_be_read_are_named(pair, tmp_path):
    private, public = pair("ed25519")

    with pytest.raises(CommandExecutionError, match="Path '/nosuch' does not exist"):
        asymmetric.verify(filename="/nosuch", pubkey=public, signature="c2ln")
    with pytest.raises(CommandExecutionError, match="cannot read '/nosuch': No such file"):
        asymmetric.sign(private, filename="/nosuch")
    with pytest.raises(CommandExecutionError, match="cannot write the signature to .*: No such file"):
        asymmetric.sign(private, text=TEXT, path=str(tmp_path / "nosuch" / "sig"))
