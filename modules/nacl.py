"""Encryption with libsodium: sealed boxes (public key) and secret boxes (shared key).

The library comes with the extra `salt-g[nacl]`. The keys of a call are its keywords `sk`, `sk_file`, `pk`,
`pk_file` and `box_type` (`sealedbox`, the default, or `secretbox`), else those of the setting `nacl.config`,
else the files `master/nacl` and `master/nacl.pub` in `pki_dir`.
Shapes: keys and messages are base64 texts; a key file has one such line.
Source: the module `nacl` of Salt 3008, tested.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError

#: Length of a key in bytes, for both kinds of boxes.
_KEY_SIZE = 32
_BOXES = ("sealedbox", "secretbox")


def __virtual__() -> bool | tuple[bool, str]:
    from importlib.util import find_spec  # cheaper than importing the library itself

    if find_spec("nacl") is None:
        why = "The nacl execution module cannot be loaded: the library PyNaCl is not available."
        return False, f"{why} Install it with: pip install 'salt-g[nacl]'"
    return True


def keygen(sk_file: str | None = None, pk_file: str | None = None, **kwargs: Any) -> dict[str, str] | str:
    """Create a pair of keys; return it as {"sk", "pk"}, or write it to files and return a message.

    `pk_file` is `sk_file` with `.pub` unless given. An existing secret key stays; a missing public key is
    derived from it. Raises CommandExecutionError if both files exist, or only the public key.

    Example::

        salt-g nacl.keygen sk_file=/etc/salt/pki/master/nacl
    """
    from nacl.public import PrivateKey

    keys = _keys(kwargs)
    if sk_file is None and not kwargs.get("keyfile"):
        secret = PrivateKey.generate()
        return {"sk": _encoded(bytes(secret)), "pk": _encoded(bytes(secret.public_key))}
    sk_file = str(sk_file or kwargs["keyfile"])
    pk_file = str(pk_file or f"{sk_file}.pub")
    has_secret, has_public = os.path.isfile(sk_file), os.path.isfile(pk_file)
    if has_secret and has_public:
        raise CommandExecutionError(f"sk_file:{sk_file} and pk_file:{pk_file} already exist.")
    if has_secret:
        secret = PrivateKey(_key({**keys, "sk": None, "sk_file": sk_file}, "sk"))
        _write(pk_file, bytes(secret.public_key), 0o644)
        return f"saved pk_file: {pk_file}"
    if has_public:
        raise CommandExecutionError(f"pk_file:{pk_file} already exists, but no secret key {sk_file}")
    secret = PrivateKey.generate()
    _write(sk_file, bytes(secret), 0o400)
    _write(pk_file, bytes(secret.public_key), 0o644)
    return f"saved sk_file:{sk_file}  pk_file: {pk_file}"


def enc(data: str | bytes, **kwargs: Any) -> str:
    """Return a text encrypted with the kind of box in `box_type`.

    Example::

        salt-g nacl.enc 'my secret' pk_file=/etc/salt/pki/master/nacl.pub
    """
    closed = sealedbox_encrypt if _box(kwargs) == "sealedbox" else secretbox_encrypt
    return closed(data, **kwargs)


def dec(data: str | bytes, **kwargs: Any) -> str | bytes:
    """Return a text decrypted with the kind of box in `box_type`; bytes that are not UTF-8 remain bytes.

    Example::

        salt-g nacl.dec '0kcVnJVaF9ewO46VboykuzbD3+p0ueIaa2J0PI789Axhx6kc...'
    """
    opened = sealedbox_decrypt if _box(kwargs) == "sealedbox" else secretbox_decrypt
    return opened(data, **kwargs)


def enc_file(name: str, out: str | None = None, **kwargs: Any) -> str:
    """Return the encrypted content of a file (a path or URL), or write it to the new file `out`.

    With `out` a message is returned.

    Example::

        salt-g nacl.enc_file salt://crypt/key out=/root/key.nacl
    """
    return str(_with_file(name, out, enc(_content(name), **kwargs)))


def dec_file(name: str, out: str | None = None, **kwargs: Any) -> str | bytes:
    """Return the decrypted content of a file (a path or URL), or write it to the new file `out`.

    With `out` a message is returned.

    Example::

        salt-g nacl.dec_file /root/key.nacl
    """
    return _with_file(name, out, dec(_content(name), **kwargs))


def sealedbox_encrypt(data: str | bytes, **kwargs: Any) -> str:
    """Return a text encrypted with the public key; only the secret key decrypts it.

    Example::

        salt-g nacl.sealedbox_encrypt 'my secret' pk='TMPVqATBJGzfTr9izDTCLvidl9VCMf+0kfFVC9UN6mM='
    """
    from nacl.public import PublicKey, SealedBox

    return _encoded(SealedBox(PublicKey(_key(_keys(kwargs), "pk"))).encrypt(_bytes(data)))


def sealedbox_decrypt(data: str | bytes, **kwargs: Any) -> str | bytes:
    """Return a text that was encrypted with the public key.

    Example::

        salt-g nacl.sealedbox_decrypt '0kcVnJVaF9ewO46VboykuzbD...' sk_file=/etc/salt/pki/master/nacl
    """
    from nacl.public import PrivateKey, SealedBox

    return _opened(SealedBox(PrivateKey(_key(_keys(kwargs), "sk"))), data)


def secretbox_encrypt(data: str | bytes, **kwargs: Any) -> str:
    """Return a text encrypted with the secret key, which also decrypts it.

    Example::

        salt-g nacl.secretbox_encrypt 'my secret' sk_file=/etc/salt/pki/master/nacl
    """
    from nacl.secret import SecretBox

    return _encoded(bytes(SecretBox(_key(_keys(kwargs), "sk")).encrypt(_bytes(data))))


def secretbox_decrypt(data: str | bytes, **kwargs: Any) -> str | bytes:
    """Return a text that was encrypted with the secret key.

    Example::

        salt-g nacl.secretbox_decrypt 'OtSjUgb51ka6w/wj0BW0BzmbSJEzSwgxp8hVpw8A...'
    """
    from nacl.secret import SecretBox

    return _opened(SecretBox(_key(_keys(kwargs), "sk")), data)


def _keys(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of keys: keywords of the call, else those of `nacl.config`, else defaults."""
    directory = os.path.join(str(opts.get("pki_dir") or ""), "master")
    found: dict[str, Any] = {
        "box_type": "sealedbox",
        "sk": None,
        "sk_file": os.path.join(directory, "nacl"),
        "pk": None,
        "pk_file": os.path.join(directory, "nacl.pub"),
    }
    configured = opts.get("nacl.config") or call("config.get", "nacl.config", {}) or {}
    if not isinstance(configured, Mapping):
        raise CommandExecutionError("the setting nacl.config is not a mapping of sk_file, pk_file, box_type")
    asked = dict(given)
    # Names of the same settings in earlier releases.
    for new, old in (("sk", "key"), ("sk_file", "keyfile")):
        if old in asked:
            asked.setdefault(new, asked[old])
    for source in (configured, asked):
        for name in ("sk", "pk"):
            if source.get(f"{name}_file"):
                # A file of a later source replaces the text of an earlier one.
                found[name] = None
        found.update({name: value for name, value in source.items() if name in found and value is not None})
    return found


def _box(given: Mapping[str, Any]) -> str:
    """Return the kind of box of a call; raise CommandExecutionError for an unknown one."""
    kind = str(_keys(given)["box_type"])
    if kind not in _BOXES:
        raise CommandExecutionError(f"box_type {kind!r} is neither {' nor '.join(map(repr, _BOXES))}")
    return kind


def _key(keys: Mapping[str, Any], name: str) -> bytes:
    """Return the key `sk` or `pk`, given as text, or read from its file."""
    kind, path = ("secret" if name == "sk" else "public"), str(keys[f"{name}_file"])
    text = keys[name]
    if text is None:
        try:
            with open(path, "rb") as file:
                text = file.read(1024)
        except OSError as exc:
            why = f"no {kind} key: {exc}; give {name} or {name}_file, or set nacl.config"
            raise CommandExecutionError(why) from exc
    key = _decoded(text, f"the {kind} key")
    if len(key) != _KEY_SIZE:
        raise CommandExecutionError(f"the {kind} key has {len(key)} bytes instead of {_KEY_SIZE}")
    return key


def _opened(box: Any, data: str | bytes) -> str | bytes:
    """Return the content of a message, as text if it is UTF-8."""
    from nacl.exceptions import CryptoError

    try:
        content = bytes(box.decrypt(_decoded(data, "the message")))
    except (CryptoError, ValueError, TypeError) as exc:
        raise CommandExecutionError(
            "the message cannot be decrypted: it was damaged, or encrypted with another key"
        ) from exc
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def _content(name: str) -> bytes:
    path = call("cp.cache_file", name) or name if "://" in name else name
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as exc:
        raise CommandExecutionError(f"{name} cannot be read: {exc}") from exc


def _with_file(name: str, out: str | None, made: str | bytes) -> str | bytes:
    """Return a result, or write it to the new file `out` and return a message."""
    if not out:
        return made
    if os.path.isfile(out):
        raise CommandExecutionError(f"file:{out} already exist.")
    _create(out, _bytes(made), 0o600)
    return f"Wrote: {out}"


def _write(path: str, key: bytes, mode: int) -> None:
    _create(path, _encoded(key).encode(), mode)


def _create(path: str, content: bytes, mode: int) -> None:
    """Write a new file with this mode; raise CommandExecutionError for an existing file or a link."""
    try:
        descriptor = safe_files.open_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, follow=False)
    except OSError as exc:
        raise CommandExecutionError(f"{path} cannot be created: {exc}") from exc
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str | bytes, about: str) -> bytes:
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError) as exc:
        raise CommandExecutionError(f"{about} is not base64: {exc}") from exc
