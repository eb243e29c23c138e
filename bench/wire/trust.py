"""The master's public key as a minion knows it.

Source: wire specification, section 5.4.
"""

import binascii
import os

from Crypto.PublicKey import RSA

from wire.errors import AuthError
from wire.rsa import clean_pem, rsa_verify


class MasterTrust:
    """What we know of the master's key: cached on first contact, then pinned.

    With ``sign_pub`` (the PEM of a separate signing key) the master must send
    a signature over its public key, and a changed key is accepted only then.
    """

    def __init__(self, path=None, sign_pub=None):
        self.path, self.pem, self.key = path, None, None
        self.sign_key = RSA.import_key(sign_pub) if sign_pub else None
        if path and os.path.exists(path):
            with open(path) as fh:
                self.pin(clean_pem(fh.read()))

    def pin(self, pem):
        """Trust this key, and no other."""
        self.pem, self.key = pem, RSA.import_key(pem)

    def _store(self, pem):
        self.pin(pem)
        if self.path:
            with open(self.path, "w") as fh:
                fh.write(pem)

    def consider(self, pem, pub_sig, algorithm):
        """Check the offered key; raises AuthError if it must not be used."""
        pem = clean_pem(pem)
        if (self.sign_key is None) != (pub_sig is None):
            raise AuthError("one side wants signed master keys, the other does not")
        if self.pem == pem:
            return
        if self.sign_key is not None:
            sig = binascii.a2b_base64(pub_sig)
            if not rsa_verify(self.sign_key, pem.encode(), sig, algorithm):
                raise AuthError("the master's key is not signed by the signing key")
        elif self.pem is not None:
            raise AuthError("the master's key has changed")
        self._store(pem)
