"""Keys: generation, type, comparison, signature verification."""

from __future__ import annotations

from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.x509.words import check_choice

PrivateKey = (
    rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey
)
PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | ed448.Ed448PublicKey

#: Key types, with their private and public classes.
_KINDS: dict[str, tuple[type, type]] = {
    "rsa": (rsa.RSAPrivateKey, rsa.RSAPublicKey),
    "ec": (ec.EllipticCurvePrivateKey, ec.EllipticCurvePublicKey),
    "ed25519": (ed25519.Ed25519PrivateKey, ed25519.Ed25519PublicKey),
    "ed448": (ed448.Ed448PrivateKey, ed448.Ed448PublicKey),
}
#: Key types with a fixed digest.
_WITHOUT_DIGEST = ("ed25519", "ed448")
#: Default key sizes (bits).
DEFAULT_SIZES = {"rsa": 2048, "ec": 256}
_RSA_SIZES = (2048, 3072, 4096)
_CURVES: dict[int, type[ec.EllipticCurve]] = {256: ec.SECP256R1, 384: ec.SECP384R1, 521: ec.SECP521R1}


def generate(algo: str = "rsa", keysize: int | None = None) -> PrivateKey:
    """Generate a private key; `keysize` is in bits, and for `ec` selects the curve."""
    if algo == "rsa":
        return _generate_rsa(keysize or DEFAULT_SIZES["rsa"])
    if algo == "ec":
        return _generate_ec(keysize or DEFAULT_SIZES["ec"])
    if algo == "ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    if algo == "ed448":
        return ed448.Ed448PrivateKey.generate()
    raise InvocationError(
        f"Invalid algorithm specified for generating private key: {algo}. Valid: {', '.join(_KINDS)}"
    )


def kind(key: Any) -> str | None:
    """Return `rsa`, `ec`, `ed25519` or `ed448` for a private or public key, or None for any other value."""
    return next((name for name, classes in _KINDS.items() if isinstance(key, classes)), None)


def size(key: Any) -> int | None:
    """Return the size of a key in bits, or None for types with a single size."""
    return getattr(key, "key_size", None)


def is_private(value: Any) -> bool:
    """Return whether a value is a private key of a supported type."""
    return kind(value) is not None and hasattr(value, "private_bytes")


def is_public(value: Any) -> bool:
    """Return whether a value is a public key of a supported type."""
    return kind(value) is not None and not hasattr(value, "private_bytes")


def are_same(one: Any, other: Any) -> bool:
    """Return whether two public keys are the same."""
    if kind(one) is None or kind(other) is None:
        raise InvocationError("Did not recognize key type")
    return kind(one) == kind(other) and _public_der(one) == _public_der(other)


def is_pair(public: Any, private: Any) -> bool:
    """Return whether a public key belongs to a private one."""
    if kind(private) is None:
        raise InvocationError("Did not recognize key type")
    return are_same(public, private.public_key())


def digest(name: str) -> hashes.HashAlgorithm:
    """Return the digest for a name such as `sha256`."""
    check_choice("digest", name, DIGESTS)
    return DIGESTS[name.lower()]()


def digest_for(key: Any, name: str) -> Any:
    """Return the digest to sign with, or None for key types with a fixed one."""
    algorithm = digest(name)
    return None if kind(key) in _WITHOUT_DIGEST else algorithm


def has_signed(public: Any, certificate: x509.Certificate) -> bool:
    """Return whether a certificate's signature was made with the private half of a public key."""
    signed, signature = certificate.tbs_certificate_bytes, certificate.signature
    algorithm: Any = certificate.signature_hash_algorithm
    try:
        if kind(public) == "rsa":
            public.verify(signature, signed, _rsa_padding(certificate), algorithm)
        elif kind(public) == "ec":
            public.verify(signature, signed, ec.ECDSA(algorithm))
        elif kind(public) in _WITHOUT_DIGEST:
            public.verify(signature, signed)
        else:
            raise InvocationError("Invalid public key type, can only process rsa, ec, ed25519, ed448")
    except (InvalidSignature, TypeError, AttributeError):
        # A signature by another type of key has no matching digest or padding.
        return False
    return True


def _generate_rsa(keysize: int) -> rsa.RSAPrivateKey:
    if keysize not in _RSA_SIZES:
        raise InvocationError("RSA key size must be either 2048, 3072 or 4096 bits.")
    return rsa.generate_private_key(public_exponent=65537, key_size=keysize)


def _generate_ec(keysize: int) -> ec.EllipticCurvePrivateKey:
    if keysize not in _CURVES:
        raise InvocationError("EC key size must be either 256, 384, 521 bits.")
    return ec.generate_private_key(_CURVES[keysize]())


def _public_der(key: Any) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return bytes(key.public_bytes(serialization.Encoding.DER, form))


def _rsa_padding(certificate: x509.Certificate) -> Any:
    if certificate.signature_algorithm_oid != x509.SignatureAlgorithmOID.RSASSA_PSS:
        return padding.PKCS1v15()
    algorithm: Any = certificate.signature_hash_algorithm
    if algorithm is None:
        raise CommandExecutionError("The signature's digest is not known")
    return padding.PSS(padding.MGF1(algorithm), padding.PSS.AUTO)


#: Digests by name.
DIGESTS: dict[str, type[hashes.HashAlgorithm]] = {
    "sha1": hashes.SHA1,
    "sha224": hashes.SHA224,
    "sha256": hashes.SHA256,
    "sha384": hashes.SHA384,
    "sha512": hashes.SHA512,
    "sha512_224": hashes.SHA512_224,
    "sha512_256": hashes.SHA512_256,
    "sha3_224": hashes.SHA3_224,
    "sha3_256": hashes.SHA3_256,
    "sha3_384": hashes.SHA3_384,
    "sha3_512": hashes.SHA3_512,
}
