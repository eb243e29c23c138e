"""Private keys."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states import _premade_files
from salt_g.states._file_lifecycle import Found, Kind, ensure_file, split_arguments
from salt_g.states._outcome import failed
from salt_g.x509.words import check_choice, check_known

#: Default mode of a key.
_MODE = "0400"
_ALGORITHMS = ("rsa", "ec", "ed25519", "ed448")
_ENCODINGS = ("der", "pem", "pkcs12")
_ARGUMENTS = (
    *("name", "algo", "keysize", "passphrase", "encoding", "new", "overwrite", "pkcs12_encryption_compat"),
    *("user", "group", "mode", "makedirs", "dir_mode", "backup"),
)
#: Differences that do not require a new key.
_ABOUT_THE_FORM = {"encoding", "passphrase"}


def private_key_managed(
    name: str,
    algo: str = "rsa",
    keysize: int | None = None,
    passphrase: str | None = None,
    encoding: str = "pem",
    new: bool = False,
    overwrite: bool = False,
    pkcs12_encryption_compat: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a private key of this algorithm and size exists.

    algo, keysize
        `rsa` (2048, 3072 or 4096 bits), `ec` (256, 384, 521), `ed25519` or `ed448`.
    passphrase
        Encrypts the key.
    encoding
        `pem`, `der` or `pkcs12`.
    new
        Create a new key each time, which is useful with `prereq` on a certificate.
    overwrite
        Replace a file that cannot be read with this passphrase.

    Further keywords are those of `file.managed`; the default mode is 0400.

    Example::

        salt-g state.single x509.private_key_managed /etc/pki/my.key keysize=4096
    """
    file_arguments, others = split_arguments(kwargs)
    keysize = others.pop("keysize", keysize)
    try:
        check_known(others, _ARGUMENTS)
        _check(algo, keysize, encoding)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))

    def inspect(path: str) -> Found:
        if new:
            return Found(True, {"replaced": name})
        found, there, problem = _read(path, passphrase, overwrite)
        if found is None:
            return Found(True, problem or {"replaced": name})
        return Found(found, {**_differences(found, algo, keysize), **_form(there, encoding), **problem})

    def make(found: Found) -> str:
        form = {"passphrase": passphrase, "encoding": encoding}
        if x509.keys.is_private(found.thing) and not set(found.changes) - _ABOUT_THE_FORM:
            return str(call("x509.encode_private_key", found.thing, **form))
        kind = {"algo": algo, "keysize": keysize, "pkcs12_encryption_compat": pkcs12_encryption_compat}
        return str(call("x509.create_private_key", **kind, **form))

    file_arguments["mode"] = file_arguments.get("mode") or _MODE
    return ensure_file(name, Kind("private key", encoding, inspect, make), file_arguments)


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

        salt-g state.single x509.private_key_managed_ssh /etc/www.key result=True comment=made changes='{}'
    """
    return _premade_files.file(name, result, comment, changes, tempfile, **kwargs)


def _check(algo: str, keysize: int | None, encoding: str) -> None:
    check_choice("encoding", encoding, _ENCODINGS)
    check_choice("algo", algo, _ALGORITHMS)
    if keysize and algo not in x509.keys.DEFAULT_SIZES:
        raise InvocationError(f"keysize is an invalid parameter for {algo}")


def _read(path: str, passphrase: str | None, overwrite: bool) -> tuple[Any, str, dict[str, Any]]:
    """Return the key, its encoding and the problem with its passphrase; no key if it may be replaced."""
    loading = x509.loading
    try:
        return (*loading.private_key_and_encoding(path, passphrase), {})
    except loading.SuperfluousPassword:
        return (*loading.private_key_and_encoding(path), {"passphrase": True})
    except (loading.WrongPassword, loading.MissingPassword, loading.Unreadable) as exc:
        if not overwrite:
            raise CommandExecutionError(_unread(exc)) from exc
        return None, "", {} if isinstance(exc, loading.Unreadable) else {"passphrase": True}


def _unread(exc: Exception) -> str:
    """Return why a key cannot be read, and how to replace it."""
    if isinstance(exc, x509.loading.WrongPassword):
        return (
            "The provided passphrase cannot decrypt the private key."
            " Pass overwrite: true to force regeneration"
        )
    if isinstance(exc, x509.loading.MissingPassword):
        return "The existing file is encrypted. Pass overwrite: true to force regeneration without passphrase"
    return (
        "The existing file does not seem to be a private key formatted as DER, PEM or embedded in PKCS12."
        " Pass overwrite: true to force regeneration"
    )


def _differences(found: Any, algo: str, keysize: int | None) -> dict[str, Any]:
    if x509.keys.kind(found) != algo:
        return {"algo": algo}
    wanted = keysize or x509.keys.DEFAULT_SIZES.get(algo)
    return {} if wanted is None or x509.keys.size(found) == wanted else {"keysize": wanted}


def _form(there: str, wanted: str) -> dict[str, Any]:
    return {} if there == wanted else {"encoding": wanted}
