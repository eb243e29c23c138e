"""What is done with RSA keys: OAEP, PKCS#1 v1.5 signatures, X9.31, and a pair of keys on disk.

Source: wire specification, section 5.1.
"""

import os

from Crypto.Cipher import PKCS1_OAEP
from Crypto.Hash import SHA1, SHA224
from Crypto.PublicKey import RSA
from Crypto.Signature import pkcs1_15

from wire.errors import AuthError, WireError

#: Hashes that the names of algorithms may end in.
HASHES = {"SHA1": SHA1, "SHA224": SHA224}


def clean_pem(pem):
    """The form in which public keys travel and are compared: LF, no final newline."""
    if isinstance(pem, bytes):
        pem = pem.decode("ascii")
    return "\n".join(pem.strip().splitlines())


def _hash_of(algorithm, scheme):
    head, _, tail = algorithm.partition("-")
    if head != scheme or tail not in HASHES:
        raise WireError(f"unsupported algorithm {algorithm!r}")
    return HASHES[tail]


def oaep_encrypt(key, data, algorithm):
    return PKCS1_OAEP.new(key, hashAlgo=_hash_of(algorithm, "OAEP")).encrypt(data)


def oaep_decrypt(key, data, algorithm):
    return PKCS1_OAEP.new(key, hashAlgo=_hash_of(algorithm, "OAEP")).decrypt(data)


def rsa_sign(key, data, algorithm):
    return pkcs1_15.new(key).sign(_hash_of(algorithm, "PKCS1v15").new(data))


def rsa_verify(key, data, sig, algorithm):
    try:
        pkcs1_15.new(key).verify(_hash_of(algorithm, "PKCS1v15").new(data), sig)
        return True
    except (ValueError, TypeError):
        return False


def x931_sign(key, message):
    """6B BB..BB BA <message> CC, raised to d; the smaller of s and n-s is sent."""
    size = key.size_in_bytes()
    fill = size - len(message) - 3
    if fill < 0:
        raise WireError("message too long for this key")
    block = b"\x6b" + b"\xbb" * fill + b"\xba" + message + b"\xcc"
    m = int.from_bytes(block, "big")
    n, p, q, d = int(key.n), int(key.p), int(key.q), int(key.d)
    mp, mq = pow(m % p, d % (p - 1), p), pow(m % q, d % (q - 1), q)
    s = mq + q * (((mp - mq) * pow(q, -1, p)) % p)
    return min(s, n - s).to_bytes(size, "big")


def x931_recover(key, sig):
    """Inverse of x931_sign with the public key; raises on bad padding."""
    size = key.size_in_bytes()
    n = int(key.n)
    m = pow(int.from_bytes(sig, "big"), int(key.e), n)
    if m & 0xF != 0xC:
        m = n - m
    block = m.to_bytes(size, "big")
    if block[-1] != 0xCC:
        raise AuthError("X9.31: bad trailer")
    if block[0] == 0x6A:
        return block[1:-1]
    if block[0] != 0x6B:
        raise AuthError("X9.31: bad header")
    end = block.find(b"\xba", 1)
    if end < 0 or block[1:end].strip(b"\xbb"):
        raise AuthError("X9.31: bad filler")
    return block[end + 1 : -1]


class KeyPair:
    """An RSA key pair, kept in ``<dir>/minion.pem`` and ``minion.pub``."""

    def __init__(self, key):
        self.key = key
        self.pub_pem = clean_pem(key.publickey().export_key())
        self._tok = None

    @classmethod
    def generate(cls, bits=2048):
        return cls(RSA.generate(bits))

    @classmethod
    def load_or_create(cls, directory, bits=2048):
        os.makedirs(directory, mode=0o700, exist_ok=True)
        path = os.path.join(directory, "minion.pem")
        if os.path.exists(path):
            with open(path, "rb") as fh:
                return cls(RSA.import_key(fh.read()))
        pair = cls.generate(bits)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
        with os.fdopen(fd, "wb") as fh:
            fh.write(pair.key.export_key() + b"\n")
        with open(os.path.join(directory, "minion.pub"), "w") as fh:
            fh.write(pair.pub_pem + "\n")
        return pair

    @property
    def tok(self):
        """The proof of identity in every request, the same for the life of the keys."""
        return self._tok or self.make_tok()

    def make_tok(self):
        """Make the proof, which costs a private RSA operation, and keep it."""
        self._tok = x931_sign(self.key, b"salt")
        return self._tok
