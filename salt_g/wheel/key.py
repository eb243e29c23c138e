"""Keys of minions: list, accept, reject, delete, show, create, invite.

Shapes: listings are {state: [id, ...]} with stock's states `minions`, `minions_pre`, `minions_rejected`,
`minions_denied`; `local` are the master's own files.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.services.daemons import MasterServices
from salt_g.wire.ids import is_valid_id, misread
from salt_g.wire.invitation import LONGEST, MOST_USES, command
from salt_g.wire.pem import fingerprint
from salt_g.wire.rsa import PrivateKey

__func_alias__ = {"list_": "list", "key_str": "print"}

#: Smallest key size (bits); smaller requests are rounded up.
_SMALLEST = 2048
#: Largest key size (bits), as in sign-ins.
_LARGEST = 8192

_Listing = dict[str, list[str]]
_Texts = dict[str, dict[str, str]]


def list_(match: str) -> _Listing:
    """List the keys of a state.

    match
        `acc`, `pre`, `un`, `rej`, `den` or `all`, or a word that begins with one of these.

    Example::

        wheel.cmd("key.list", ["accepted"])
    """
    return services(MasterServices).keys.list_status(match)


def list_all() -> _Listing:
    """List all keys, and the master's own files as `local`.

    Example::

        wheel.cmd("key.list_all")
    """
    return services(MasterServices).keys.all_keys()


def glob_match(match: str | list[str]) -> _Listing:
    """List the keys whose ids match a glob, or one of several (a list, or separated by commas).

    Example::

        wheel.cmd("key.glob_match", ["web*"])
    """
    return services(MasterServices).keys.glob_match(match)


def name_match(match: str | list[str]) -> _Listing:
    """List the keys whose ids match a glob; the older name of `key.glob_match`.

    Example::

        wheel.cmd("key.name_match", ["web*"])
    """
    return glob_match(match)


def accept(match: str, include_rejected: bool = False, include_denied: bool = False) -> _Listing:
    """Accept pending keys that match a glob; return the new states of the matching keys.

    Example::

        wheel.cmd("key.accept", ["web1"])
    """
    return _accept(match, include_rejected, include_denied)


def accept_dict(
    match: Mapping[str, list[str]], include_rejected: bool = False, include_denied: bool = False
) -> _Listing:
    """Accept exactly the keys of a listing.

    Example::

        wheel.cmd("key.accept_dict", [{"minions_pre": ["jerry", "stuart"]}])
    """
    return _accept(dict(match), include_rejected, include_denied)


def reject(
    match: str, include_accepted: bool = False, include_denied: bool = False, rotate_aes_key: bool = True
) -> _Listing:
    """Reject pending keys that match a glob; return the new states of the matching keys.

    rotate_aes_key
        Whether the AES key of publications is replaced when an accepted key is rejected.

    Example::

        wheel.cmd("key.reject", ["web1"])
    """
    return _reject(match, include_accepted, include_denied, rotate_aes_key)


def reject_dict(
    match: Mapping[str, list[str]],
    include_accepted: bool = False,
    include_denied: bool = False,
    rotate_aes_key: bool = True,
) -> _Listing:
    """Reject exactly the keys of a listing.

    Example::

        wheel.cmd("key.reject_dict", [{"minions_pre": ["bob"]}])
    """
    return _reject(dict(match), include_accepted, include_denied, rotate_aes_key)


def delete(match: str, preserve_minions: bool = False, rotate_aes_key: bool = True) -> _Listing:
    """Delete keys of every state that match a glob; return the matching keys that remain.

    preserve_minions
        Whether to keep the cached data (grains, pillar, mine) of these minions.

    rotate_aes_key
        Whether to replace the AES key of publications.

    Example::

        wheel.cmd("key.delete", ["web1"])
    """
    return _delete(match, preserve_minions, rotate_aes_key)


def delete_dict(
    match: Mapping[str, list[str]], preserve_minions: bool = False, rotate_aes_key: bool = True
) -> _Listing:
    """Delete exactly the keys of a listing; a key in another state is left unchanged.

    Example::

        wheel.cmd("key.delete_dict", [{"minions": ["jerry"], "minions_pre": ["bob"]}])
    """
    return _delete(dict(match), preserve_minions, rotate_aes_key)


def key_str(match: str) -> _Texts:
    """Return the PEM texts of the keys that match a glob.

    Example::

        wheel.cmd("key.print", ["web1"])
    """
    return services(MasterServices).keys.key_str(match)


def finger(match: str, hash_type: str | None = None) -> _Texts:
    """Return the fingerprints of the keys that match a glob, as `key.finger` on the minion shows them.

    Example::

        wheel.cmd("key.finger", ["web1"])
    """
    return services(MasterServices).keys.finger(match, hash_type or opts["hash_type"], full=True)


def master_key_str() -> _Texts:
    """Return the PEM text of the master's public key.

    Example::

        wheel.cmd("key.master_key_str")
    """
    return {"local": {"master.pub": _master_key()}}


def finger_master(hash_type: str | None = None) -> _Texts:
    """Return the fingerprint of the master's public key, for the setting `master_finger` of minions.

    Example::

        wheel.cmd("key.finger_master")
    """
    return {"local": {"master.pub": fingerprint(_master_key(), hash_type or opts["hash_type"])}}


def gen(id_: str | None = None, keysize: int = 2048) -> dict[str, str]:
    """Create a key pair and return it as {priv, pub}; the master does not store it.

    id_
        Accepted for compatibility with stock; the pair has no name.

    Example::

        wheel.cmd("key.gen")
    """
    if not str(keysize).isdecimal() or int(keysize) > _LARGEST:
        raise CommandExecutionError(f"keysize must be a number of at most {_LARGEST} bits, not {keysize!r}")
    key = PrivateKey.generate(max(int(keysize), _SMALLEST))
    return {"priv": key.to_pem(), "pub": key.public.pem}


def gen_accept(id_: str, keysize: int = 2048, force: bool = False) -> dict[str, str]:
    """Create a key pair for a minion and accept its public key; return {priv, pub}.

    force
        Replace an existing key; without it the call creates nothing in that case and returns {}.

    Example::

        wheel.cmd("key.gen_accept", ["web1"])
    """
    keys = services(MasterServices).keys
    if keys.find(id_) is not None and not force:
        return {}
    pair = gen(id_, keysize)
    keys.preseed(id_, pair["pub"])
    return pair


def gen_keys(
    keydir: str | None = None, keyname: str | None = None, keysize: int | None = None, user: str | None = None
) -> str:
    """Create a key pair in a directory of the master; return the fingerprint of its public key.

    keydir
        The directory, `pki_dir` by default.

    keyname
        The file name without extension, `minion` by default.

    user
        The owner of the files.

    Example::

        wheel.cmd("key.gen_keys", kwarg={"keydir": "/root/keys", "keyname": "web1"})
    """
    return services(MasterServices).keys.gen_keys(
        keydir or opts["pki_dir"],
        keyname or "minion",
        bits=keysize or opts["keysize"],
        hash_type=opts["hash_type"],
        user=user,
    )


def gen_signature(
    priv: str, pub: str, signature_path: str, auto_create: bool = False, keysize: int | None = None
) -> bool | str:
    """Sign the master's public key for minions that know the signing key.

    priv, pub
        Files of the two keys; '' means those in `pki_dir`.

    signature_path
        Directory of the signature; '' means `pki_dir`.

    Example::

        wheel.cmd("key.gen_signature", ["", "", ""])
    """
    return services(MasterServices).keys.gen_signature(
        opts.copy(), priv=priv, pub=pub, directory=signature_path, auto_create=auto_create,
        bits=keysize or opts["keysize"],
    )  # fmt: skip


def invite(
    address: str = "", *, id: str = "", expires: float = 3600, uses: int = 1
) -> dict[str, str | int | float]:
    """Create an invitation for a new minion; return its `code`, `number`, expiry, and the command to run.

    The return contains a secret, because the first minion with the code is accepted. Users who may call
    this can admit minions, as with `key.accept`.

    address
        Address of this master for minions; without one, the command has the placeholder `MASTER`.
    id
        The only id that the invitation admits; empty admits any id.
    expires
        Lifetime (seconds, at most 30 days).
    uses
        Number of minions that the invitation admits, 1 to 10,000; 1 with an `id`.

    Example::

        wheel.cmd("key.invite", ["master.example.org"], kwarg={"id": "web1"})
    """
    _check_invitation(address, id, expires, uses)
    finger = fingerprint(_master_key())
    code = services(MasterServices).keys.invitations.make(
        lifetime=float(expires), id=id, uses=uses, by="wheel"
    )
    return {
        "number": str(code.number),
        "code": str(code),
        "finger": finger,
        "expires": time.time() + float(expires),
        "command": command(opts, address or "MASTER", finger, str(code), id=id),
    }


def invitations() -> list[dict[str, Any]]:
    """Return the remembered invitations without their codes; `used` is {id: fingerprint}.

    Example::

        wheel.cmd("key.invitations")
    """
    kept = services(MasterServices).keys.invitations.all()
    return [
        {
            **{name: getattr(one, name) for name in ("number", "id", "by", "expires", "uses", "left")},
            "used": dict(one.used),
        }
        for one in kept
    ]


def revoke_invitation(number: str) -> bool:
    """Revoke an invitation; return whether it existed. Minions already admitted stay accepted.

    Example::

        wheel.cmd("key.revoke_invitation", ["abcdefgh"])
    """
    return services(MasterServices).keys.invitations.revoke(str(number).partition("-")[0].lower())


def _check_invitation(address: Any, id: Any, expires: Any, uses: Any) -> None:
    """Raise InvocationError for invalid arguments, because users run the returned command in a shell."""
    if not isinstance(address, str) or not re.fullmatch(r"[\w.:\[\]-]*", address, re.ASCII):
        raise InvocationError(f"key.invite: {address!r} is not a host name or address")
    if not isinstance(id, str) or (id and (not is_valid_id(id) or misread(id))):
        raise InvocationError(f"key.invite: {id!r} is not a valid id")
    if isinstance(uses, bool) or not isinstance(uses, int) or not 1 <= uses <= (1 if id else MOST_USES):
        raise InvocationError(f"key.invite: uses must be 1 to {MOST_USES}, or 1 with an id, not {uses!r}")
    if isinstance(expires, bool) or not isinstance(expires, int | float) or not 1 <= expires <= LONGEST:
        raise InvocationError(f"key.invite: expires must be 1 to {LONGEST} seconds, not {expires!r}")


def _accept(match: Any, include_rejected: bool, include_denied: bool) -> _Listing:
    return services(MasterServices).keys.accept(
        match, include_rejected=include_rejected, include_denied=include_denied
    )


def _reject(match: Any, include_accepted: bool, include_denied: bool, rotates: bool) -> _Listing:
    return services(MasterServices).keys.reject(
        match,
        include_accepted=include_accepted,
        include_denied=include_denied,
        rotates=rotates and opts["rotate_aes_key"],
    )


def _delete(match: Any, preserve_minions: bool, rotates: bool) -> _Listing:
    return services(MasterServices).keys.delete(
        match,
        keeps_data=preserve_minions or opts["preserve_minion_cache"],
        rotates=rotates and opts["rotate_aes_key"],
    )


def _master_key() -> str:
    path = os.path.join(opts["pki_dir"], "master.pub")
    try:
        with open(path, encoding="ascii") as file:
            return file.read()
    except OSError as exc:
        raise CommandExecutionError(
            f"the master's key cannot be read: {exc}; the master creates it at its first start"
        ) from exc
