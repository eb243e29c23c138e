"""Keys that apt trusts for repositories: in its own keyring (`apt-key`) or in separate files.

`apt-key` is being removed from Debian, so every function supports both ways; `aptkey=False` (or a machine
without the program) selects key files in a directory.
"""

from __future__ import annotations

import logging
import os
from typing import Any

import salt_g.modules.aptpkg._ppa as _ppa
from salt_g import safe_files
from salt_g.api import call, scratch
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import is_installed, run
from salt_g.modules.aptpkg._apt import apt
from salt_g.process import disk
from salt_g.process.redaction import RedactedOutput

log = logging.getLogger(__name__)

#: Default directory of key files.
KEY_DIRECTORY = "/etc/apt/keyrings"
#: Modes of key files and their directory; apt's own user must be able to read these public keys.
_FILE_MODE, _DIRECTORY_MODE = 0o644, 0o755

#: {name in the result: column of gpg's colon format}
_KEY_COLUMNS = {
    "algorithm": 3,
    "bits": 2,
    "capability": 11,
    "date_creation": 5,
    "date_expiration": 6,
    "keyid": 4,
    "validity": 1,
}


def has_aptkey(aptkey: bool = True) -> bool:
    """Return whether to use `apt-key`: requested and installed."""
    return bool(aptkey) and is_installed("apt-key")


def get_repo_keys(aptkey: bool = True, keydir: str | None = None) -> Any:
    """Return {key id: {fingerprint, uid, subkey, ...}} of the trusted keys.

    Without `apt-key`, they are those in the files of `keydir` (/etc/apt/keyrings); False if it is missing.

    Example::

        salt-g pkg.get_repo_keys aptkey=False keydir=/usr/share/keyrings
    """
    if has_aptkey(aptkey):
        words = ["apt-key", "adv", "--batch", "--list-public-keys", "--with-fingerprint"]
        words += ["--with-fingerprint", "--with-colons", "--fixed-list-mode"]
        return _parse(apt(words, scope=False)["stdout"])
    directory = str(keydir or KEY_DIRECTORY)
    if not os.path.isdir(directory):
        log.error("The directory %s does not exist, make it writable by root only", directory)
        return False
    return {key: found for path in _key_files(directory) for key, found in _keys_in(path).items()}


def add_repo_key(
    path: str | None = None,
    text: str | None = None,
    keyserver: str | None = None,
    keyid: str | None = None,
    saltenv: str = "base",
    aptkey: bool = True,
    keydir: str | None = None,
    keyfile: str | None = None,
) -> bool:
    """Add a key from a file (`path`, also a URL), from `text`, or from a `keyserver` by its `keyid`.

    Returns whether the key is now present. Without `apt-key`, it is written to the file `keyfile` in the
    directory `keydir` (/etc/apt/keyrings). `keyfile` is by default the file name of `path`; for `text` and
    `keyserver` it must be given.

    Example::

        salt-g pkg.add_repo_key salt://apt/example.gpg aptkey=False
    """
    aptkey = has_aptkey(aptkey)
    directory = str(keydir or KEY_DIRECTORY)
    if not aptkey:
        os.makedirs(directory, mode=_DIRECTORY_MODE, exist_ok=True)
    if keyid and any(known.endswith(keyid) for known in get_repo_keys(aptkey, directory) or {}):
        return True
    if path:
        return _add_file(path, saltenv, aptkey, directory, keyfile)
    if text:
        if aptkey or not keyfile:
            return _is_added(apt(["apt-key", "add", "-"], stdin=text))
        return _add_text(text, os.path.join(directory, keyfile))
    if keyserver:
        return _fetch(keyserver, keyid, aptkey, directory, keyfile)
    if keyid:
        raise InvocationError(f"No keyserver specified for keyid: {keyid}")
    raise TypeError("add_repo_key() takes at least 1 argument (0 given)")


def del_repo_key(
    name: str | None = None, aptkey: bool = True, keydir: str | None = None, **kwargs: Any
) -> Any:
    """Remove the key `keyid`, or with `keyid_ppa=True` that of the archive `name` (`ppa:owner/name`).

    Returns the id of the key, False if it is missing. Without `apt-key`, the whole file that holds the key is
    removed from the directory `keydir` (/etc/apt/keyrings).

    Example::

        salt-g pkg.del_repo_key keyid=0123ABCD
    """
    keyid = _id_to_remove(name, kwargs)
    if has_aptkey(aptkey):
        finished = apt(["apt-key", "del", keyid], scope=False)
        if finished["retcode"] != 0:
            raise CommandExecutionError(f"Failed to remove keyid {keyid}: {finished['stderr']}")
        return keyid
    directory = str(keydir or KEY_DIRECTORY)
    if not os.path.isdir(directory):
        log.error("The directory %s does not exist, make it writable by root only", directory)
        return False
    files = [path for path in _key_files(directory) if any(key.endswith(keyid) for key in _keys_in(path))]
    if not files:
        log.error("Could not find the key file for keyid: %s", keyid)
        return False
    safe_files.remove_file(files[0])
    return keyid


def _id_to_remove(name: str | None, arguments: dict[str, Any]) -> str:
    if arguments.get("keyid_ppa"):
        if not (name and _ppa.is_ppa(name)):
            raise InvocationError("keyid_ppa requires that a PPA be passed")
        return str(_ppa.about(name)["signing_key_fingerprint"])[-8:]
    if "keyid" not in arguments:
        raise InvocationError("keyid or keyid_ppa and PPA name must be passed")
    return str(arguments["keyid"])


def _add_file(path: str, saltenv: str, aptkey: bool, directory: str, keyfile: str | None) -> bool:
    cached = call("cp.cache_file", path, saltenv)
    if not cached:
        log.error("Unable to get cached copy of file: %s", path)
        return False
    if aptkey:
        return _is_added(apt(["apt-key", "add", cached]))
    target = os.path.join(directory, keyfile or os.path.basename(cached))
    if _is_armored(cached) and not target.endswith(".asc"):
        return _dearmor(cached, target)
    safe_files.copy_file(cached, target)
    safe_files.change_mode(target, _FILE_MODE)
    return True


def _add_text(text: str, target: str) -> bool:
    """Write a key to a separate file, in binary form unless the file name ends in `.asc`."""
    if target.endswith(".asc"):
        disk.write_whole(target, text, mode=_FILE_MODE)
        return True
    return _is_added(run(["gpg", "--yes", "--output", target, "--dearmor"], stdin=text))


def _is_armored(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(64).lstrip(b"-").startswith(b"BEGIN PGP")


def _dearmor(source: str, target: str) -> bool:
    if not is_installed("gpg"):
        log.error("%s is an ASCII armored key and there is no gpg to convert it", source)
        return False
    finished = run(["gpg", "--yes", "--output", target, "--dearmor", source])
    if finished["retcode"] == 0:
        safe_files.change_mode(target, _FILE_MODE)
    return _is_added(finished)


def _fetch(keyserver: str, keyid: str | None, aptkey: bool, directory: str, keyfile: str | None) -> bool:
    if not keyid:
        raise InvocationError(f"No keyid or keyid too short for keyserver: {keyserver}")
    if aptkey:
        return _is_added(apt(["apt-key", "adv", "--batch", "--keyserver", keyserver, "--recv", keyid]))
    if not keyfile:
        log.error("You must define the name of the key file to save the key. See keyfile argument")
        return False
    target = os.path.join(directory, keyfile)
    words = [
        "gpg",
        "--no-default-keyring",
        "--keyring",
        target,
        "--keyserver",
        keyserver,
        "--recv-keys",
        keyid,
    ]
    finished = apt(words)
    if finished["retcode"] == 0:
        safe_files.change_mode(target, _FILE_MODE)
    return _is_added(finished)


def _is_added(finished: Any) -> bool:
    if finished["retcode"] != 0:
        log.error("Unable to add repo key: %s", RedactedOutput(finished["stderr"]))
        scratch["retcode"] = 1
    return bool(finished["retcode"] == 0)


def _key_files(directory: str) -> list[str]:
    return [os.path.join(directory, name) for name in sorted(os.listdir(directory))]


def _keys_in(path: str) -> dict[str, dict[str, Any]]:
    words = ["gpg", "--no-default-keyring", "--keyring", path, "--list-keys", "--with-colons"]
    return _parse(run(words)["stdout"])


def _parse(text: str) -> dict[str, dict[str, Any]]:
    """Parse keys in gpg's colon format (see GnuPG's doc/DETAILS)."""
    keys: list[dict[str, Any]] = []
    for line in text.splitlines():
        columns = [_number_or_text(column.strip()) for column in line.split(":")]
        _take_in(keys, columns)
    return {key["keyid"]: key for key in keys}


def _take_in(keys: list[dict[str, Any]], columns: list[Any]) -> None:
    kind = columns[0]
    if kind in ("pub", "sub"):
        key = {name: columns[at] for name, at in _KEY_COLUMNS.items()}
        key["keyid"] = str(key["keyid"])
        if kind == "pub":
            keys.append(key)
        else:
            keys[-1]["subkey"] = key
    elif kind == "fpr":
        keys[-1].get("subkey", keys[-1])["fingerprint"] = columns[9]
    elif kind == "uid":
        keys[-1].update(uid=columns[9], uid_hash=columns[7])


def _number_or_text(column: str) -> Any:
    try:
        return int(column)
    except ValueError:
        return column or None
