"""Signatures of texts and files by keys of each type."""

import base64
import os

import pytest

from salt_g import x509
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules import asymmetric

KINDS = ("rsa", "ec", "ed25519", "ed448")


@pytest.fixture(scope="module")
def pairs():
    """Return {kind: (private key, public key)} as PEM text."""
    made = {kind: x509.keys.generate(kind) for kind in KINDS}
    return {
        kind: (
            x509.encoding.private_key(key, "pem").decode(),
            x509.encoding.public(key.public_key(), "pem").decode(),
        )
        for kind, key in made.items()
    }


@pytest.fixture(autouse=True)
def fetching(call_context, tmp_path):
    """Serve salt:// from the directory of the test."""

    def cache_file(url):
        path = tmp_path / url.removeprefix("salt://")
        return str(path) if path.is_file() else False

    call_context(functions={"cp.cache_file": cache_file})


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_key_signs_texts_and_files(pairs, tmp_path, kind):
    private, public = pairs[kind]
    file = tmp_path / "data"
    file.write_text("hello")

    of_text = asymmetric.sign(private, text="hello")
    message = asymmetric.sign(private, filename=str(file), path=str(tmp_path / "data.sig"))

    assert message == f"Signature written to '{tmp_path}/data.sig'"
    assert asymmetric.verify(filename=str(file), pubkey=public, signature=of_text) == {
        "res": True,
        "message": "The signature is valid",
    }
    assert asymmetric.verify(text="hello", pubkey=public, signature=f"{tmp_path}/data.sig")["res"] is True
    wrong = asymmetric.verify(text="hello!", pubkey=public, signature=of_text)
    assert wrong["res"] is False
    assert wrong["message"].startswith("Failed checking signature: Invalid signature for key ")


def test_a_signature_is_base64_or_bytes(pairs, tmp_path):
    private, public = pairs["rsa"]

    text = asymmetric.sign(private, text="a")
    raw = asymmetric.sign(private, text="a", raw=True)
    asymmetric.sign(private, text="a", raw=False, path=str(tmp_path / "a.sig"))
    plain = tmp_path / "plain"
    plain.touch()

    assert len(base64.b64decode(text)) == len(raw) == 256
    assert (tmp_path / "a.sig").read_text().isascii()
    assert os.stat(tmp_path / "a.sig").st_mode == os.stat(plain).st_mode
    for signature in (text, raw, str(tmp_path / "a.sig"), "salt://a.sig", text[:60] + "\n" + text[60:]):
        assert asymmetric.verify(text="a", pubkey=public, signature=signature)["res"] is True


def test_another_digest_is_another_signature(pairs):
    private, public = pairs["ec"]
    signature = asymmetric.sign(private, text="a", digest="sha512")

    assert asymmetric.verify(text="a", pubkey=public, signature=signature)["res"] is False
    assert asymmetric.verify(text="a", pubkey=public, signature=signature, digest="sha512")["res"] is True


@pytest.mark.parametrize(
    ("signers", "any_of", "all_of", "is_valid"),
    [
        (["rsa"], ["ec", "rsa"], None, True),
        (["rsa", "nosuch"], ["ec", "rsa"], None, True),
        (["nosuch"], ["rsa"], None, False),
        (["rsa"], ["ec"], None, False),
        (["rsa", "ec"], None, ["ec", "rsa"], True),
        (["rsa", "ec"], None, ["ec", "ed448"], False),
        (["rsa", "ec"], ["rsa"], ["ec"], True),
        (["rsa", "ec"], ["ed25519"], ["ec"], False),
    ],
)
def test_one_or_all_of_several_keys_have_to_have_signed(pairs, signers, any_of, all_of, is_valid):
    signatures = [
        asymmetric.sign(pairs[name][0], text="a") if name in pairs else "not a signature" for name in signers
    ]
    keys = [None if names is None else [pairs[name][1] for name in names] for names in (any_of, all_of)]

    result = asymmetric.verify(text="a", signature=signatures, signed_by_any=keys[0], signed_by_all=keys[1])

    assert result["res"] is is_valid


def test_a_signature_that_cannot_be_fetched_does_not_count(pairs):
    private, public = pairs["ec"]
    good = asymmetric.sign(private, text="a")

    one = asymmetric.verify(text="a", pubkey=public, signature="salt://nosuch")
    key = asymmetric.verify(text="a", pubkey="salt://nosuch", signature=good)
    several = asymmetric.verify(
        text="a", signature=["salt://nosuch", good], signed_by_any=["salt://nosuch", public]
    )

    assert one == {"res": False, "message": "Failed fetching 'salt://nosuch'"}
    assert key["message"] == "Failed checking signature: Failed fetching 'salt://nosuch'"
    assert several["res"] is True
    with pytest.raises(CommandExecutionError, match="Unable to locate any of the provided signatures"):
        asymmetric.verify(text="a", signature=["salt://nosuch"], signed_by_any=[public])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"text": "a", "filename": "/b", "pubkey": "k", "signature": "s"}, "mutually exclusive"),
        ({"text": "a", "pubkey": "k"}, "Missing `signature` parameter"),
        ({"text": "a", "signature": "s"}, r"Missing pubkey\(s\) to check against"),
        ({"pubkey": "k", "signature": "s"}, "Missing data to verify"),
        ({"text": "a", "pubkey": "k", "signed_by_all": ["k"], "signature": "s"}, "Either specify pubkey"),
        ({"text": "a", "pubkey": "k", "signature": ["s"]}, "must be a string or bytes"),
        ({"text": "a", "pubkey": "k", "signature": "s", "pubkeys": []}, "Unrecognized keyword"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, text):
    with pytest.raises(InvocationError, match=text):
        asymmetric.verify(**arguments)


def test_a_missing_file_is_named(pairs, tmp_path):
    with pytest.raises(CommandExecutionError, match="does not exist"):
        asymmetric.verify(filename=f"{tmp_path}/nosuch", pubkey=pairs["ec"][1], signature="s")
