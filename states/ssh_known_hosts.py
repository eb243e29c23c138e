"""States of trusted SSH host keys.

Source: stock's `ssh_known_hosts` states.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandNotFound
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change

GLOBAL_FILE = "/etc/ssh/ssh_known_hosts"
USER_FILE = ".ssh/known_hosts"
NO_USER = 'If not specifying a "user", specify an absolute "config".'


def present(
    name: str,
    user: str | None = None,
    fingerprint: str | None = None,
    key: str | None = None,
    port: int | None = None,
    enc: str | None = None,
    config: str | None = None,
    hash_known_hosts: bool = True,
    timeout: int = 5,
    fingerprint_hash_type: str | None = None,
) -> StateReturn:
    """Ensure that a host's key is trusted.

    name
        The host.
    user
        The user whose known_hosts file is used; by default, the system-wide file is used.
    fingerprint
        Trust the keys that the host presents only if one of them has this fingerprint.
    key
        The key; the host is then not queried.
    enc
        Type of `key`; without `key`, the type of key to query.
    port
        The port; another one than 22 requires `hash_known_hosts` False.
    config
        The file, relative to the user's home unless absolute.
    hash_known_hosts
        Hash the host name in the file (default: True).
    timeout
        Seconds to wait for the host.
    fingerprint_hash_type
        Hash type of `fingerprint`, sha256 by default.

    Example::

        salt-g state.single ssh_known_hosts.present github.com user=root enc=ed25519
    """
    file = config or (USER_FILE if user else GLOBAL_FILE)
    if not user and not os.path.isabs(file):
        return failed(name, NO_USER)
    known = {"key": key, "fingerprint": fingerprint, "config": file, "port": port}
    known["fingerprint_hash_type"] = fingerprint_hash_type
    if opts.get("test"):
        return _plan(name, user, enc, known)
    options = {"enc": enc, "hash_known_hosts": hash_known_hosts, "timeout": timeout}
    made = call("ssh.set_known_host", user=user, hostname=name, **known, **options)
    if made["status"] == "exists":
        return as_wanted(name, f"{name} already exists in {file}")
    if made["status"] == "error":
        return failed(name, made["error"])
    returned = _state_return(name, file, made["new"][0], key, fingerprint, enc)
    return changed(name, returned, {"old": made["old"], "new": made["new"]})


def absent(name: str, user: str | None = None, config: str | None = None) -> StateReturn:
    """Ensure that no key of a host is trusted. For the arguments see `present`.

    Example::

        salt-g state.single ssh_known_hosts.absent github.com user=root
    """
    file = config or (USER_FILE if user else GLOBAL_FILE)
    if not user and not os.path.isabs(file):
        return failed(name, NO_USER)
    entries = call("ssh.get_known_host_entries", user=user, hostname=name, config=file)
    if not entries:
        return as_wanted(name, "Host is already absent")
    if opts.get("test"):
        return would_change(name, f"Key for {name} is set to be removed from {file}")
    made = call("ssh.rm_known_host", user=user, hostname=name, config=file)
    if made["status"] == "error":
        return failed(name, made["error"])
    return changed(name, made["comment"], {"old": entries, "new": None})


def _plan(name: str, user: str | None, enc: str | None, known: dict[str, Any]) -> StateReturn:
    if known["key"] and known["fingerprint"]:
        return failed(name, 'Specify either "key" or "fingerprint", not both.')
    if known["key"] and not enc:
        return failed(name, 'Required argument "enc" if using "key" argument.')
    try:
        word = call("ssh.check_known_host", user, name, **known)
    except CommandNotFound as exc:
        return failed(name, f"ssh.check_known_host error: {exc}")
    if isinstance(word, dict):
        return failed(name, word["error"])
    file = known["config"]
    if word == "exists":
        return as_wanted(name, f"Host {name} is already in {file}")
    returned = f"added to {file}" if word == "add" else f"updated in {file}"
    return would_change(name, f"Key for {name} is set to be {returned}")


def _state_return(
    name: str, file: str, new: dict[str, Any], key: str | None, fingerprint: str | None, enc: str | None
) -> str:
    if key:
        return f"{name}'s key saved to {file} (key: {new['key']})"
    if fingerprint:
        return f"{name}'s key saved to {file} (fingerprint: {new['fingerprint']})"
    if enc:
        return f"{name}'s {enc} key saved to {file} (key: {new['key']})"
    return f"{name}'s key(s) saved to {file}"
