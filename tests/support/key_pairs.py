"""Key pairs for daemons, generated once for all tests of this process.

Generating one takes a fifth of a second or more of the processor, as long as the rest of a daemon's start.
What a daemon does without a key is tested where its identity is.
"""

import functools
import itertools
import pathlib

from salt_g.keys.pair import PRIVATE_KEY_MODE
from salt_g.wire.rsa import PrivateKey

#: Numbers of the daemons' pairs, more than a test has daemons; peers have those below.
_DAEMONS = itertools.cycle(range(100, 124))


@functools.cache
def pair(number: int) -> PrivateKey:
    """Return one of the shared key pairs."""
    return PrivateKey.generate(2048)


def place(directory: pathlib.Path, name: str) -> None:
    """Write the next pair as `<name>.pem` and `.pub`, unless a directory with keys exists."""
    if directory.exists():
        return
    directory.mkdir(mode=0o700, parents=True)
    key = pair(next(_DAEMONS))
    private = directory / f"{name}.pem"
    private.write_text(key.to_pem() + "\n")
    private.chmod(PRIVATE_KEY_MODE)
    (directory / f"{name}.pub").write_text(key.public.pem + "\n")
