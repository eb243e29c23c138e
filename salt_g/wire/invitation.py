"""One-time codes that let a new minion in: the code, and the proof that somebody holds it.

Why its own file: operators make codes, minions prove them, masters check proofs; all three need the
same few lines. The code never crosses the wire: a sign-in carries its number and a MAC under it over the
minion's id and public key. Who reads or repeats that can only have the same key accepted, whose private half
is not theirs; and 160 random bits are not to be guessed from it.
Shapes: a code is the text `NUMBER-SECRET`, an offer `NUMBER:MAC`, in the grain `GRAIN` of `autosign_grains`,
which masters that know nothing of it ignore.
Errors: WireError for text that is no code.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.wire.pem import clean_pem

#: The field of `autosign_grains` that carries an offer.
GRAIN = "salt-g-invitation"
#: How long an invitation may count (s), and most minions that one code lets in.
LONGEST, MOST_USES = 30 * 86400.0, 10_000
#: The port of a master that needs no words.
_MASTER_PORT = 4506
#: Random bytes of a code's number and of its secret; both are whole letters in base32.
_NUMBER_BYTES, _SECRET_BYTES = 5, 20
_CODE = re.compile(r"([a-z2-7]{8})-([a-z2-7]{32})")
_OFFER = re.compile(r"([a-z2-7]{8}):([0-9a-f]{64})")
#: Where minions find a master: a name or an IPv4 address, perhaps with a port; an IPv6 address.
_ADDRESS = re.compile(
    r"(\w[\w.-]*)(:\d{1,5})?|\[?([0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?:\](:\d{1,5})?)?", re.ASCII
)
#: What MACs of this kind are about, so that they can stand for nothing else.
_ABOUT_KEY, _ABOUT_OFFER = b"salt-g invitation key\0", b"salt-g invitation\0"


class Code(NamedTuple):
    """A one-time code: its public number and its secret."""

    number: str
    secret: bytes

    def __str__(self) -> str:
        return f"{self.number}-{_letters(self.secret)}"

    @property
    def key(self) -> bytes:
        """What MACs are made with; all that a master has to keep."""
        return hmac.digest(self.secret, _ABOUT_KEY + self.number.encode("ascii"), "sha256")


class InvitationOffer(NamedTuple):
    """What a sign-in carries: the number of a code, and a MAC (hex)."""

    number: str
    mac: str


def new_code(random_bytes: Callable[[int], bytes]) -> Code:
    """Return a code that nobody has seen."""
    return Code(_letters(random_bytes(_NUMBER_BYTES)), random_bytes(_SECRET_BYTES))


def read_code(text: str) -> Code:
    """Return the code that an operator typed; raise WireError for what is none."""
    found = _CODE.fullmatch(text.strip().lower())
    if not found:
        raise WireError("this is no invitation: its code has 8 letters, a dash and 32 letters")
    return Code(found[1], base64.b32decode(found[2].upper()))


def offer(code: Code, id: str, pem: str) -> str:
    """Return what a minion sends to prove that it holds a code."""
    return f"{code.number}:{prove(code.key, id, pem)}"


def read_offer(value: Any) -> InvitationOffer | None:
    """Return the offer of a peer, None for what is none."""
    found = _OFFER.fullmatch(value) if isinstance(value, str) and len(value) < 100 else None
    return InvitationOffer(found[1], found[2]) if found else None


def prove(key: bytes, id: str, pem: str) -> str:
    """Return the MAC over an id and a public key; neither can hold a NUL, which stands between them."""
    about = b"\0".join((id.encode("ascii"), clean_pem(pem).encode("ascii")))
    return hmac.new(key, _ABOUT_OFFER + about, hashlib.sha256).hexdigest()


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower()


def place(address: str, port: int) -> str:
    """Return a master's address with its port, where that is not everybody's; one that was given counts.

    Raises WireError for what is no address: the command is for a shell.
    """
    found = _ADDRESS.fullmatch(address)
    if not found:
        raise WireError(f"{address!r} is no address of a master: write HOST, HOST:PORT or an IPv6 address")
    name, ipv6, given = found[1], found[3], found[2] or found[4]
    told = given or ("" if port == _MASTER_PORT else f":{port}")
    return f"{name or (f'[{ipv6}]' if told else ipv6)}{told}"


def command(opts: Mapping[str, Any], address: str, finger: str, code: str, *, id: str = "") -> str:
    """Return what is run on the new host; `opts` are the master's settings. Raises WireError, see `place`."""
    master = place(address, int(opts["ret_port"]))
    named = f" --id {id}" if id else ""
    return f"salt-g install minion --master {master} --finger {finger}{named} --invite {code}"
