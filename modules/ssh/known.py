"""Trusted host keys: known_hosts files, managed by ssh-keygen and ssh-keyscan.

Shapes: an entry is {"hostname", "key", "enc", "fingerprint"}. A failure is {"status": "error", "error":
text}. `config` is the file, relative to the user's home unless absolute; by default
.ssh/known_hosts, or /etc/ssh/ssh_known_hosts without a user.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

import salt_g.modules.ssh.homes as homes
from salt_g import safe_files
from salt_g.api import call
from salt_g.errors import CommandNotFound
from salt_g.formats import sshkey
from salt_g.modules import _text_file
from salt_g.process import command

DEFAULT_PORT = 22
GLOBAL_FILE = "/etc/ssh/ssh_known_hosts"
USER_FILE = ".ssh/known_hosts"
#: Number of attempts to get the keys of a silent host.
ATTEMPTS = 5

Entry = dict[str, Any]


def get_known_host_entries(
    user: str | None,
    hostname: str,
    config: str | None = None,
    port: int | None = None,
    fingerprint_hash_type: str | None = None,
) -> Any:
    """Return the entries of a host, or None if there are none.

    Example::

        salt-g ssh.get_known_host_entries root github.com
    """
    path = _path(config, user)
    if isinstance(path, dict):
        return path
    printed = _keygen("-F", _with_port(hostname, port), "-f", path)
    return list(_entries(printed, fingerprint_hash_type)) or None


def recv_known_host_entries(
    hostname: str,
    enc: str | None = None,
    port: int | None = None,
    hash_known_hosts: bool = True,
    timeout: int = 5,
    fingerprint_hash_type: str | None = None,
) -> list[Entry] | None:
    """Fetch the keys of a host; return its entries, None if it does not respond.

    enc
        Type of the key.
    hash_known_hosts
        Hash the host name in the entries.
    timeout
        Seconds to wait in each of up to five attempts.

    Example::

        salt-g ssh.recv_known_host_entries github.com enc=ed25519
    """
    words = ["ssh-keyscan", *(["-p", str(port)] if port else []), *(["-t", enc] if enc else [])]
    words += [*(["-H"] if hash_known_hosts else []), "-T", str(timeout), hostname]
    _need("ssh-keyscan")
    for _ in range(ATTEMPTS):
        entries = list(_entries(_run(words), fingerprint_hash_type))
        if entries:
            return entries
    return None


def check_known_host(
    user: str | None = None,
    hostname: str | None = None,
    key: str | None = None,
    fingerprint: str | None = None,
    config: str | None = None,
    port: int | None = None,
    fingerprint_hash_type: str | None = None,
) -> Any:
    """Return `add`, `update` or `exists`: the effect of setting this host's key.

    Example::

        salt-g ssh.check_known_host root github.com fingerprint=aa:bb
    """
    if not hostname:
        return _error("hostname argument required")
    entries = get_known_host_entries(user, hostname, config, port, fingerprint_hash_type)
    if isinstance(entries, dict):
        return entries
    if not entries:
        return "add"
    if key:
        return "exists" if key in _values(entries, "key") else "update"
    if fingerprint:
        return "exists" if fingerprint in _values(entries, "fingerprint") else "update"
    return "exists"


def rm_known_host(
    user: str | None = None, hostname: str | None = None, config: str | None = None, port: int | None = None
) -> Entry:
    """Remove a host; return {"status": "removed", "comment": text}.

    Example::

        salt-g ssh.rm_known_host root github.com
    """
    if not hostname:
        return _error("hostname argument required")
    path = _path(config, user)
    if isinstance(path, dict):
        return path
    if not os.path.isfile(path):
        return _error(f"Known hosts file {path} does not exist")
    with _edited_copy(path, user, keeps_old=True) as copy:
        printed = _keygen("-R", _with_port(hostname, port), "-f", copy)
    return {"status": "removed", "comment": printed.replace(copy, path)}


def set_known_host(
    user: str | None = None,
    hostname: str | None = None,
    fingerprint: str | None = None,
    key: str | None = None,
    port: int | None = None,
    enc: str | None = None,
    config: str | None = None,
    hash_known_hosts: bool = True,
    timeout: int = 5,
    fingerprint_hash_type: str | None = None,
) -> Entry:
    """Trust a host; return {"status": "exists", "keys"} or {"status": "updated", "old", "new"}.

    fingerprint
        Trust the keys sent by the host only if one has this fingerprint.
    key
        The host's key; the host is then not contacted.
    enc
        Type of the key; needed with `key`.
    hash_known_hosts
        Hash the host name in the file; not possible with a port other than 22.
    timeout
        Seconds to wait for the host in each of up to five attempts.

    Example::

        salt-g ssh.set_known_host root github.com enc=ed25519
    """
    if not hostname:
        return _error("hostname argument required")
    if port not in (None, DEFAULT_PORT) and hash_known_hosts:
        return _error("argument port can not be used in conjunction with argument hash_known_hosts")
    stored = get_known_host_entries(user, hostname, config, port, fingerprint_hash_type)
    if isinstance(stored, dict):
        return stored
    keys = [entry["key"] for entry in stored or () if sshkey.is_of_type(entry["enc"], enc)]
    is_known = bool(stored) and (
        (not fingerprint or fingerprint in _values(stored, "fingerprint")) and (not key or key in keys)
    )
    if is_known and (key is not None or fingerprint is not None):
        return {"status": "exists", "keys": keys}
    if key:
        if not enc:
            return _error('Required argument "enc" if using "key" argument.')
        new = [{"hostname": hostname, "enc": sshkey.type_in_file(enc, key), "key": key}]
    else:
        query = (hostname, enc, port, hash_known_hosts, timeout, fingerprint_hash_type)
        new = recv_known_host_entries(*query) or []
        problem = _problem(new, fingerprint)
        if problem:
            return _error(problem)
        if is_known and set(_values(new, "key")) == set(keys):
            return {"status": "exists", "keys": keys}
    path = _path(config, user)
    _write(path, user, hostname, port, enc, [_line(entry, port, hash_known_hosts) for entry in new])
    if key and hash_known_hosts:
        _hash(path, user)
    return {"status": "updated", "old": stored, "new": new}


def hash_known_hosts(user: str | None = None, config: str | None = None) -> Entry:
    """Hide the names of all hosts in a file; return {"status": "updated", "comment": text}.

    Example::

        salt-g ssh.hash_known_hosts root
    """
    path = _path(config, user)
    if isinstance(path, dict):
        return path
    if not os.path.isfile(path):
        return _error(f"Known hosts file {path} does not exist")
    return {"status": "updated", "comment": _hash(path, user)}


def _error(text: str) -> Entry:
    return {"status": "error", "error": text}


def _path(config: str | None, user: str | None) -> Any:
    """Return the path of a known hosts file, or an error."""
    path = config or (USER_FILE if user else GLOBAL_FILE)
    if os.path.isabs(path):
        return path
    if not user:
        return _error("Cannot determine absolute path to file.")
    info = call("user.info", user)
    return os.path.join(info["home"], path) if info else _error(f"User {user} does not exist")


def _with_port(hostname: str, port: int | None) -> str:
    return hostname if port in (None, DEFAULT_PORT) else f"[{hostname}]:{port}"


def _need(program: str) -> None:
    if command.which(program) is None:
        raise CommandNotFound(f"program {program!r} is not installed; it is part of OpenSSH's client")


def _run(words: list[str]) -> str:
    return str(call("cmd.run_stdout", words, ignore_retcode=True, python_shell=False))


def _keygen(*words: str) -> str:
    _need("ssh-keygen")
    return _run(["ssh-keygen", *words])


def _entries(printed: str, hash_type: str | None) -> Iterator[Entry]:
    for line in printed.splitlines():
        words = line.split()
        if line.startswith("#") or len(words) < 3:
            continue
        hostname, enc, key = words[:3]
        mark = sshkey.fingerprint(key, hash_type)
        if mark:
            yield {"hostname": hostname, "key": key, "enc": enc, "fingerprint": mark}


def _values(entries: list[Entry], field: str) -> list[str]:
    return [entry[field] for entry in entries]


def _problem(received: list[Entry], fingerprint: str | None) -> str:
    if not received:
        return "Unable to receive remote host keys"
    if fingerprint and fingerprint not in _values(received, "fingerprint"):
        return "Remote host public keys found but none of their fingerprints match the one you have provided"
    return ""


def _line(entry: Entry, port: int | None, is_hashed: bool) -> str:
    plain = is_hashed or ":" in entry["hostname"]
    hostname = entry["hostname"] if plain else _with_port(entry["hostname"], port)
    return f"{hostname} {entry['enc']} {entry['key']}"


def _write(
    path: str, user: str | None, hostname: str, port: int | None, enc: str | None, new: list[str]
) -> None:
    """Replace the lines of a host in the file, or only those of one key type if `enc` is given."""
    lines = _text_file.read(path).splitlines()
    if lines:
        old = set(_line_numbers(_keygen("-F", _with_port(hostname, port), "-f", path), enc, lines))
        lines = [line for number, line in enumerate(lines, 1) if number not in old]
    homes.write(
        path, "".join(f"{line}\n" for line in [*lines, *new]), homes.user_info(user) if user else None
    )


def _line_numbers(printed: str, enc: str | None, lines: list[str]) -> Iterator[int]:
    """Yield the numbers in `# Host NAME found: line NUMBER`, only of one key type if `enc` is given."""
    for found in re.finditer(r"^# Host .* line (\d+)", printed, flags=re.MULTILINE):
        number = int(found.group(1))
        if any(sshkey.is_of_type(word, enc) for word in lines[number - 1].split()):
            yield number


def _hash(path: str, user: str | None) -> str:
    # ssh-keygen keeps the plain names in a backup copy, which defeats hashing.
    with _edited_copy(path, user, keeps_old=False) as copy:
        printed = _keygen("-H", "-f", copy)
    return printed.replace(copy, path)


@contextlib.contextmanager
def _edited_copy(path: str, user: str | None, *, keeps_old: bool) -> Iterator[str]:
    """Create a private copy for ssh-keygen to edit, then write its content back to the file.

    ssh-keygen creates its new file and a backup next to the edited file, in a directory that belongs to the
    user.
    """
    with tempfile.TemporaryDirectory(prefix="salt-g-ssh-") as directory:
        copy = os.path.join(directory, os.path.basename(path))
        safe_files.copy_file(path, copy)
        before = _text_file.read(copy)
        yield copy
        after = _text_file.read(copy)
        if keeps_old and os.path.exists(f"{copy}.old"):
            safe_files.copy_file(f"{copy}.old", f"{path}.old", whole=True)
            _restore_owner(f"{path}.old", user)
    if after != before:
        _text_file.rewrite(path, after)
    _restore_owner(path, user)


def _restore_owner(path: str, user: str | None) -> None:
    """As root, make the user the owner of the file."""
    if user and os.geteuid() == 0:
        info = homes.user_info(user)
        safe_files.change_owner(path, info["uid"], info["gid"])
