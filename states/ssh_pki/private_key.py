"""Private keys in OpenSSH format."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states import _premade_files
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments
from salt_g.states._outcome import failed
from salt_g.x509 import ssh
from salt_g.x509.words import check_choice, check_known

#: Default mode of a key.
_MODE = "0400"
_ALGORITHMS = ("rsa", "ec", "ed25519")
#: Default sizes in bits.
_SIZES = {"rsa": 3072, "ec": 256}


def private_key_managed(
    name: str,
    algo: str = "rsa",
    keysize: int | None = None,
    passphrase: str | None = None,
    new: bool = False,
    overwrite: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a private key of this algorithm and size exists.

    algo, keysize
        `rsa` (2048, 3072 (default), 4096 bits), `ec` (256 (default), 384, 521) or `ed25519`.
    passphrase
        Encrypts the key.
    new
        Create a new key each time, which is useful with `prereq` on a certificate.
    overwrite
        Replace a file that cannot be read with this passphrase.

    Further keywords are those of `file.managed`; the default mode is 0400.

    Example::

        salt-g state.single ssh_pki.private_key_managed /root/.ssh/id_ed25519 algo=ed25519
    """
    file_arguments, others = split_arguments(kwargs)
    try:
        check_known(others, ())
        check_choice("algo", algo, _ALGORITHMS)
        if keysize and algo not in _SIZES:
            raise InvocationError(f"keysize is an invalid parameter for {algo}")
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))

    def inspect(path: str) -> Found:
        found, changes = (None, {}) if new else _read(path, passphrase, overwrite)
        if found is None:
            return Found(True, {**changes, "replaced": name})
        return Found(found, {**_differences(found, algo, keysize), **changes})

    def make(found: Found) -> str:
        if _is_only_encrypted(found):
            return str(call("ssh_pki.encode_private_key", found.thing, passphrase=passphrase))
        made = call("ssh_pki.create_private_key", algo=algo, keysize=keysize, passphrase=passphrase)
        return str(made["private_key"])

    def made(found: Found) -> str:
        if _is_only_encrypted(found):
            return "encrypted"
        return "created" if found.thing is None else "recreated"

    file_arguments["mode"] = file_arguments.get("mode") or _MODE
    return ensure_file(name, Kind("private key", "pem", inspect, make, made), file_arguments)


def private_key_managed_ssh(
    name: str,
    result: bool | None,
    comment: str,
    changes: dict[str, Any],
    tempfile: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Move a private key transferred in an agentless run into place; report `result` etc. as given.

    Example::

        salt-g state.single ssh_pki.private_key_managed_ssh /root/id result=True comment=made changes='{}'
    """
    return _premade_files.file(name, result, comment, changes, tempfile, **kwargs)


def _read(path: str, passphrase: str | None, overwrite: bool) -> tuple[Any, dict[str, Any]]:
    """Return the key, or None if it may be replaced, and the problem with its passphrase."""
    try:
        return ssh.loading.private_key(path, passphrase), {}
    except ssh.loading.UnneededPassword:
        return ssh.loading.private_key(path), {"passphrase": True}
    except (x509.loading.WrongPassword, x509.loading.MissingPassword, x509.loading.Unreadable) as exc:
        if not overwrite:
            raise CommandExecutionError(f"{_unread(exc)} Pass overwrite: true to force regeneration") from exc
        return None, {} if isinstance(exc, x509.loading.Unreadable) else {"passphrase": True}


def _unread(exc: Exception) -> str:
    if isinstance(exc, x509.loading.WrongPassword):
        return "The provided passphrase cannot decrypt the private key."
    if isinstance(exc, x509.loading.MissingPassword):
        return "The current key is encrypted with a passphrase."
    return "The existing file does not seem to be a private key."


def _differences(found: Any, algo: str, keysize: int | None) -> dict[str, Any]:
    if x509.keys.kind(found) != algo:
        return {"algo": algo}
    wanted = keysize or _SIZES.get(algo)
    return {} if wanted is None or x509.keys.size(found) == wanted else {"keysize": wanted}


def _is_only_encrypted(found: Found) -> bool:
    """Return whether the key stays and only its passphrase is added."""
    return x509.keys.is_private(found.thing) and set(found.changes) == {"passphrase"}
