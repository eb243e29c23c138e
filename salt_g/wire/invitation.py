"""One-time codes for new minions, and the proof of possession of a code.

Operators create codes, minions prove them, masters check proofs. The code never crosses the wire: a sign-in
carries the code's number, and a MAC over the minion's id and public key, made with a key derived from the
code. An eavesdropper cannot guess 160 random bits, and could only have the same key accepted, whose private
half it does not own.
Shapes: a code is the text `NUMBER-SECRET`; an offer is the text `NUMBER:MAC` in the grain `GRAIN` of
`autosign_grains`, which masters without this feature ignore.
Errors: WireError for text that is not a code.
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
#: Longest lifetime of an invitation (s), and the largest number of minions that one code admits.
LONGEST, MOST_USES = 30 * 86400.0, 10_000
#: The default port of a master, omitted in commands.
_MASTER_PORT = 4506
#: Number of random bytes of a code's number and of its secret; multiples of 5, so that base32 needs no
#: padding.
_NUMBER_BYTES, _SECRET_BYTES = 5, 20
_CODE = re.compile(r"([a-z2-7]{8})-([a-z2-7]{32})")
_OFFER = re.compile(r"([a-z2-7]{8}):([0-9a-f]{64})")
#: Address of a master: a name, an IPv4 or an IPv6 address, with an optional port (IPv6: in brackets).
_ADDRESS = re.compile(
    r"(\w[\w.-]*)(:\d{1,5})?|\[?([0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)(?:\](:\d{1,5})?)?", re.ASCII
)
#: Prefixes of the MAC inputs, for the key and for an offer, so that no MAC can be used for another purpose.
_ABOUT_KEY, _ABOUT_OFFER = b"salt-g invitation key\0", b"salt-g invitation\0"


class Code(NamedTuple):
    """A one-time code: its public number and its secret."""

    number: str
    secret: bytes

    def __str__(self) -> str:
        return f"{self.number}-{_letters(self.secret)}"

    @property
    def key(self) -> bytes:
        """Key for the MACs, derived from the secret; a master keeps it instead of the secret."""
        return hmac.digest(self.secret, _ABOUT_KEY + self.number.encode("ascii"), "sha256")


class InvitationOffer(NamedTuple):
    """Offer in a sign-in: the number of a code, and a MAC (hex)."""

    number: str
    mac: str


def new_code(random_bytes: Callable[[int], bytes]) -> Code:
    """Return a new random code."""
    return Code(_letters(random_bytes(_NUMBER_BYTES)), random_bytes(_SECRET_BYTES))


def read_code(text: str) -> Code:
    """Parse a code typed by an operator; raises WireError for a malformed one."""
    found = _CODE.fullmatch(text.strip().lower())
    if not found:
        raise WireError("this is not an invitation code: expected 8 letters, a dash and 32 letters")
    return Code(found[1], base64.b32decode(found[2].upper()))


def without_offer(grains: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grains of a sign-in without the offer."""
    return {name: value for name, value in grains.items() if name != GRAIN}


def offer(code: Code, id: str, pem: str) -> str:
    """Return the offer with which a minion proves that it holds a code."""
    return f"{code.number}:{prove(code.key, id, pem)}"


def read_offer(value: Any) -> InvitationOffer | None:
    """Parse the offer of a peer; return None for a malformed one."""
    found = _OFFER.fullmatch(value) if isinstance(value, str) and len(value) < 100 else None
    return InvitationOffer(found[1], found[2]) if found else None


def prove(key: bytes, id: str, pem: str) -> str:
    """Return the MAC over an id and a public key; a NUL separates them, and neither can contain one."""
    about = b"\0".join((id.encode("ascii"), clean_pem(pem).encode("ascii")))
    return hmac.new(key, _ABOUT_OFFER + about, hashlib.sha256).hexdigest()


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower()


def place(address: str, port: int) -> str:
    """Return a master's address, with its port unless that is the default; an explicit port wins.

    Raises WireError for an invalid address, because the command is meant for a shell.
    """
    found = _ADDRESS.fullmatch(address)
    if not found:
        raise WireError(
            f"{address!r} is not an address of a master: write HOST, HOST:PORT or an IPv6 address"
        )
    name, ipv6, given = found[1], found[3], found[2] or found[4]
    port_suffix = given or ("" if port == _MASTER_PORT else f":{port}")
    return f"{name or (f'[{ipv6}]' if port_suffix else ipv6)}{port_suffix}"


def command(opts: Mapping[str, Any], address: str, finger: str, code: str, *, id: str = "") -> str:
    """Return the command for the new host; `opts` are the master's settings. Raises WireError as `place`."""
    master = place(address, int(opts["ret_port"]))
    named = f" --id {id}" if id else ""
    return f"salt-g install minion --master {master} --finger {finger}{named} --invite {code}"
