"""Key pairs for daemons, generated once for all tests of this process.

Generating one takes a fifth of a second or more of processor time, as long as the rest of a daemon's start.
The behaviour of a daemon without a key is tested with its identity.
"""

import functools
import itertools
import pathlib

from salt_g.keys.pair import PRIVATE_KEY_MODE
from salt_g.process import disk
from salt_g.wire.rsa import PrivateKey

#: Numbers of the daemons' pairs, more than a test has daemons; peers have those below.
_DAEMONS = itertools.cycle(range(100, 124))


@functools.cache
def pair(number: int) -> PrivateKey:
    """Return one of the shared key pairs."""
    return generated()


def generated(bits: int = 2048, exponent: int = 65537) -> PrivateKey:
    """Return a new key."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    # A third of the time that the library of the product takes, which is tested where keys are.
    made = rsa.generate_private_key(exponent, bits)
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return PrivateKey(made.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


def place(directory: pathlib.Path, name: str) -> None:
    """Write the next pair as `<name>.pem` and `.pub` into a new directory; leave an existing one alone.

    A directory whose parents are missing is left for the daemon to create.
    """
    if directory.exists() or not directory.parent.exists():
        return
    directory.mkdir(mode=disk.PRIVATE_DIRECTORY)
    key = pair(next(_DAEMONS))
    disk.write_first(str(directory / f"{name}.pem"), key.to_pem() + "\n", mode=PRIVATE_KEY_MODE)
    disk.write_first(str(directory / f"{name}.pub"), key.public.pem + "\n", mode=disk.PRIVATE_FILE)
