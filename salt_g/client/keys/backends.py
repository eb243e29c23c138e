"""Backends for programs that manage keys: the files of `pki_dir`, or the running master.

A change through the master disconnects the minion before the command returns, and fires key events.
Without a master only the files can be changed.
Errors: CommandExecutionError if the master refuses; KeysError; OSError of files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from salt_g.client.keys.key_files import key_files, open_invitations
from salt_g.client.link import Link
from salt_g.client.publishing import error_of
from salt_g.client.unix_link import link_if_served
from salt_g.errors import CommandExecutionError
from salt_g.keys.listing import Listing
from salt_g.keys.store import KeyStore

if TYPE_CHECKING:
    from salt_g.shapes import Opts

#: Timeout of one call to the master (s); deleting thousands of keys takes seconds.
_TIMEOUT = 60.0


class KeyOptions(NamedTuple):
    """Options of a change: keep cached data, rotate the AES key."""

    keeps_data: bool = False
    rotates: bool = True


class KeyBackend(Protocol):
    """Access to keys; listings and results have stock's shapes."""

    def list_status(self, status: str) -> Listing:
        """Return the ids of one status or, with `all`, of each."""

    def glob_match(self, match: str) -> Listing:
        """Return the ids that a glob matches, by status."""

    def key_str(self, match: str) -> Mapping[str, Any]:
        """Return the text of matching keys, by status."""

    def finger(self, match: str) -> Mapping[str, Any]:
        """Return the fingerprints of matching keys, by status."""

    def change(self, verb: str, chosen: Listing, options: KeyOptions) -> Listing:
        """Accept, reject or delete the chosen keys; return their new states, without deleted keys."""


class FileBackend:
    """Backend that uses the files of `pki_dir` or, only to read, the database of a cluster."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        self.keys = KeyStore(key_files(opts), invitations=open_invitations(opts))

    def list_status(self, status: str) -> Listing:
        """Return the keys in a state, named as for the option `-l`."""
        return self.keys.list_status(status)

    def glob_match(self, match: str) -> Listing:
        """Return the keys that match a glob or one of several comma-separated globs."""
        return self.keys.glob_match(match)

    def key_str(self, match: str) -> Mapping[str, Any]:
        """Return {state: {id: PEM text}}."""
        return self.keys.key_str(match)

    def finger(self, match: str) -> Mapping[str, Any]:
        """Return {state: {id: fingerprint}}, including the master's own files."""
        return self.keys.finger(match, self._opts["hash_type"], full=True)

    def change(self, verb: str, chosen: Listing, options: KeyOptions) -> Listing:
        """Accept, reject or delete exactly these keys; return their new states, without deleted keys."""
        if self._opts.get("cluster"):
            raise CommandExecutionError(
                "keys are shared by the masters of a cluster, and no master runs here; start one, or change"
                " them on another master"
            )
        if verb == "accept":
            return self.keys.accept(chosen, include_rejected=True, include_denied=True)
        if verb == "reject":
            now = self.keys.reject(chosen, include_accepted=True, include_denied=True)
        else:
            now = self.keys.delete(chosen)
        if verb == "delete" and not (options.keeps_data or self._opts["preserve_minion_cache"]):
            _forget_data(self._opts, chosen)
        if options.rotates and self._opts["rotate_aes_key"]:
            _ask_for_rotation(self._opts)
        return now


class MasterBackend:
    """Backend that calls the wheel functions of the running master."""

    def __init__(self, link: Link, credentials: Mapping[str, Any], hash_type: str | None = None) -> None:
        self._link = link
        self._credentials = dict(credentials)
        self._hash_type = hash_type

    def list_status(self, status: str) -> Listing:
        """Return the keys in a state, named as for the option `-l`."""
        listing: Listing = self._ask("key.list", status)
        return listing

    def glob_match(self, match: str) -> Listing:
        """Return the keys that match a glob or one of several comma-separated globs."""
        listing: Listing = self._ask("key.glob_match", match)
        return listing

    def key_str(self, match: str) -> Mapping[str, Any]:
        """Return {state: {id: PEM text}}."""
        texts: dict[str, Any] = self._ask("key.print", match)
        return texts

    def finger(self, match: str) -> Mapping[str, Any]:
        """Return {state: {id: fingerprint}}, including the master's own files."""
        fingers: dict[str, Any] = self._ask("key.finger", match, hash_type=self._hash_type)
        return fingers

    def change(self, verb: str, chosen: Listing, options: KeyOptions) -> Listing:
        """Accept, reject or delete exactly these keys; return their new states, without deleted keys."""
        more: dict[str, Any] = {}
        if verb == "accept":
            more = {"include_rejected": True, "include_denied": True}
        elif verb == "reject":
            more = {"include_accepted": True, "include_denied": True, "rotate_aes_key": options.rotates}
        else:
            more = {"preserve_minions": options.keeps_data, "rotate_aes_key": options.rotates}
        now: Listing = self._ask(f"key.{verb}_dict", chosen, **more)
        return now

    def _ask(self, fun: str, *args: Any, **kwargs: Any) -> Any:
        load = {"cmd": "wheel", "fun": fun, "arg": list(args), "kwarg": kwargs, **self._credentials}
        reply = self._link.ask(load, timeout=_TIMEOUT)
        if not isinstance(reply, Mapping) or "error" in reply:
            refusal = reply.get("error") if isinstance(reply, Mapping) else reply
            raise error_of(refusal or f"the master refused {fun}")
        data = reply["data"]
        if not data["success"]:
            raise CommandExecutionError(data["return"])
        return data["return"]


def running_master(opts: Opts) -> Link | None:
    """Return a connection to the salt-g master running on this host, or None if there is none."""
    return link_if_served(opts["sock_dir"])


def _forget_data(opts: Opts, chosen: Listing) -> None:
    """Remove cached data of minions, so that a new minion with the same id does not inherit it."""
    # Imported lazily: only this needs a database.
    from salt_g.cache.observed_banks import MINION_BANKS, minion_banks
    from salt_g.cache.store_choice import open_store, was_written

    if not was_written(opts):
        return
    with open_store(opts) as store:
        banks = minion_banks(opts, store)
        ids = {id for ids in chosen.values() for id in ids}
        for done in [banks.flush(bank, id) for bank in MINION_BANKS for id in sorted(ids)]:
            done.result()


def _ask_for_rotation(opts: Opts) -> None:
    """Write the drop file that makes a stock master with these directories rotate its AES key (wire, 7.4)."""
    from salt_g.process import disk

    if os.path.isdir(opts["cachedir"]):
        disk.write_whole(os.path.join(opts["cachedir"], ".dfn"), opts["id"], mode=0o400)
