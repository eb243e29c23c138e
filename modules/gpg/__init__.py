"""GnuPG keyrings: their keys, and signing, encryption and decryption with them.

Begin with `program.py` (running gpg and parsing its output); then `listing.py` (lists of keys), `keys.py`
(creation, deletion, trust), `exchange.py` (import, export, key servers), `messages.py` and `verifying.py`.
"""

from __future__ import annotations

from salt_g.modules._required import hint
from salt_g.modules.gpg.exchange import (
    export_key,
    import_key,
    receive_keys,
    search_keys,
)
from salt_g.modules.gpg.keys import create_key, delete_key, trust_key
from salt_g.modules.gpg.listing import (
    get_key,
    get_secret_key,
    list_keys,
    list_secret_keys,
    read_key,
)
from salt_g.modules.gpg.messages import decrypt, encrypt, sign
from salt_g.modules.gpg.verifying import verify
from salt_g.process.command import which

__all__ = [
    "create_key",
    "decrypt",
    "delete_key",
    "encrypt",
    "export_key",
    "get_key",
    "get_secret_key",
    "import_key",
    "list_keys",
    "list_secret_keys",
    "read_key",
    "receive_keys",
    "search_keys",
    "sign",
    "trust_key",
    "verify",
]


def __virtual__() -> bool | tuple[bool, str]:
    if which("gpg"):
        return True
    why = "The gpg execution module cannot be loaded: gpg binary is not in the path."
    return False, why + hint("gpg")
