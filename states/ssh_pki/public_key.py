"""Public keys in OpenSSH format."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states import _key_files
from salt_g.states._file_lifecycle import file_managed, split_arguments, with_file
from salt_g.states._outcome import failed, outcome
from salt_g.x509 import ssh
from salt_g.x509.words import check_known

_FINE = "The public key is in the correct state"
_SOURCE_TO_COME = (
    ". Note that the source could not be loaded, so this assessment "
    "relies on the source being created beforehand"
)


def public_key_managed(
    name: str, public_key_source: Any, passphrase: str | None = None, **kwargs: Any
) -> StateReturn:
    """Ensure that a file has the public key of a private key, a certificate or another public key.

    public_key_source, passphrase
        The path or text of that key or certificate, and its passphrase.

    Further keywords are those of `file.managed`.

    Example::

        salt-g state.single ssh_pki.public_key_managed /root/id.pub public_key_source=/root/id
    """
    file_arguments, others = split_arguments(kwargs)
    try:
        check_known(others, ())
        wanted = _wanted(public_key_source, passphrase)
        return _kept(name, wanted, file_arguments)
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))


def _wanted(source: Any, passphrase: str | None) -> str | None:
    """Return the key, or None if test mode cannot know it yet."""
    try:
        return str(call("ssh_pki.get_public_key", source, passphrase=passphrase))
    except CommandExecutionError as exc:
        if not opts["test"] or "Could not load key as" not in str(exc):
            raise
        return None


def _kept(name: str, wanted: str | None, arguments: dict[str, Any]) -> StateReturn:
    exists = _key_files.is_file(name)
    verb = "update" if exists else "create"
    if exists and wanted is not None and _is_there(name, wanted, arguments):
        written = file_managed(name, arguments, replace=False)
        done = outcome(name, True, _FINE)
    elif opts["test"]:
        comment = f"The public key would have been {verb}d" + ("" if wanted else _SOURCE_TO_COME)
        return outcome(name, None, comment, {f"{verb}d": name})
    else:
        written = file_managed(name, arguments, contents=wanted, replace=True)
        done = outcome(name, True, f"The public key has been {verb}d", {f"{verb}d": name})
    if written["result"] is False:
        done = failed(name, f"Could not {verb} file, see file.managed output")
    return with_file(written, done)


def _is_there(name: str, wanted: str, arguments: dict[str, Any]) -> bool:
    """Return whether the file has the key; False for a link that is not followed but replaced."""
    if _key_files.is_link(name) and not arguments.get("follow_symlinks", True):
        return False
    return bool(x509.keys.are_same(ssh.loading.public_key(name), ssh.loading.public_key(wanted)))
