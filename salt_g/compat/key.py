"""Stock's `salt.key`: keys of minions, for runners and programs on the master's machine.

Keys are read from their files. A running master makes the changes, since it ends the sessions of rejected and
deleted minions; without a running master the files are changed directly.
Shapes: listings are {state: [id, ...]} with the states `Key.ACC`, `PEND`, `REJ` and `DEN`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from salt_g.client.keys.backends import FileBackend, KeyOptions, MasterBackend, running_master
from salt_g.client.keys.key_files import key_files
from salt_g.client.unix_link import is_served
from salt_g.compat.refusal import refuse
from salt_g.keys.admission import ACCEPTED, DENIED, PENDING, REJECTED
from salt_g.keys.listing import Listing
from salt_g.keys.store import KeyStore


class Key:
    """The keys of a master's minions; `opts` are the master's settings."""

    ACC, PEND, REJ, DEN = ACCEPTED, PENDING, REJECTED, DENIED

    def __init__(self, opts: Mapping[str, Any], io_loop: Any = None) -> None:
        self.opts = dict(opts)
        self.pki_dir = str(opts["pki_dir"])

    def __enter__(self) -> Key:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing, because no connection stays open between calls."""

    def list_keys(self) -> Listing:
        """Return the ids by state."""
        return self._store().list_keys()

    def local_keys(self) -> Listing:
        """Return the names of the master's own key files."""
        return self._store().local_keys()

    def all_keys(self) -> Listing:
        """Return the ids by state, and the names of the master's own key files."""
        return self._store().all_keys()

    def list_status(self, match: str) -> Listing:
        """Return the ids in a state; `match` begins with `acc`, `pre`, `un`, `rej`, `den` or `all`."""
        return self._store().list_status(match)

    def glob_match(self, match: str | Sequence[str], full: bool = False) -> Listing:
        """Return the ids that globs match; `full` includes the master's own key files."""
        return self._store().glob_match(match, full=full)

    #: Name of `glob_match` in older releases of stock.
    name_match = glob_match

    def list_match(self, match: str | Sequence[str]) -> Listing:
        """Return the ids that are in a list, by state."""
        return self._store().list_match(match)

    def dict_match(self, match_dict: Mapping[str, Iterable[str]]) -> Listing:
        """Return the ids of a listing by their current states."""
        names = [id for ids in match_dict.values() for id in ids]
        return self.list_match(names)

    def key_str(self, match: str | Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the matching keys as {state: {id: PEM text}}."""
        return self._store().key_str(match)

    def key_str_all(self) -> dict[str, dict[str, str]]:
        """Return the PEM texts of all keys."""
        return self.key_str("*")

    def finger(self, match: str | Sequence[str], hash_type: str | None = None) -> dict[str, dict[str, str]]:
        """Return the matching fingerprints as {state: {id: fingerprint}}, the master's own files included."""
        return self._store().finger(match, hash_type or str(self.opts["hash_type"]), full=True)

    def finger_all(self, hash_type: str | None = None) -> dict[str, dict[str, str]]:
        """Return all fingerprints."""
        return self.finger("*", hash_type)

    def accept(
        self,
        match: Any = None,
        match_dict: Any = None,
        include_rejected: bool = False,
        include_denied: bool = False,
    ) -> Listing:
        """Accept pending keys, optionally rejected and denied ones; return the matching keys' new states."""
        more = {self.REJ: include_rejected, self.DEN: include_denied}
        return self._change("accept", match, match_dict, (self.PEND, *_true(more)))

    def accept_all(self) -> Listing:
        """Accept all pending keys."""
        return self.accept("*")

    def reject(
        self,
        match: Any = None,
        match_dict: Any = None,
        include_accepted: bool = False,
        include_denied: bool = False,
    ) -> Listing:
        """Reject pending keys, optionally accepted and denied ones; return the matching keys' new states."""
        more = {self.ACC: include_accepted, self.DEN: include_denied}
        return self._change("reject", match, match_dict, (self.PEND, *_true(more)))

    def reject_all(self) -> Listing:
        """Reject all pending keys; return the ids by state."""
        self.reject("*")
        return self.list_keys()

    def delete_key(
        self,
        match: Any = None,
        match_dict: Any = None,
        preserve_minions: bool | None = None,
        revoke_auth: bool = False,
    ) -> Listing:
        """Delete keys in any state; return the matching keys that remain.

        With `preserve_minions` the master keeps its cached data about the minions.
        """
        states = (self.ACC, self.PEND, self.REJ, self.DEN)
        return self._change("delete", match, match_dict, states, keeps_data=bool(preserve_minions))

    def delete_den(self) -> Listing:
        """Delete the denied keys; return the ids by state."""
        self.delete_key(match_dict=self.list_status("den"))
        return self.list_keys()

    def delete_all(self) -> Listing:
        """Delete all keys; return the ids by state."""
        self.delete_key("*")
        return self.list_keys()

    def gen_keys(
        self,
        keydir: str | None = None,
        keyname: str | None = None,
        keysize: int | None = None,
        user: str | None = None,
    ) -> str:
        """Create a key pair unless it exists; return the fingerprint of its public key.

        By default it is named `minion`, in the directory `gen_keys_dir` or else `pki_dir`.
        """
        return self._store().gen_keys(
            keydir or str(self.opts.get("gen_keys_dir") or self.pki_dir),
            keyname or "minion",
            bits=keysize or int(self.opts["keysize"]),
            hash_type=str(self.opts["hash_type"]),
            user=user,
        )

    def check_master(self) -> bool:
        """Return whether a master, of salt-g or of stock, runs on this machine."""
        sock_dir = str(self.opts["sock_dir"])
        return is_served(sock_dir) or os.path.exists(os.path.join(sock_dir, "publish_pull.ipc"))

    def _store(self) -> KeyStore:
        return KeyStore(key_files(self.opts))

    def _change(
        self, verb: str, match: Any, match_dict: Any, states: Iterable[str], *, keeps_data: bool = False
    ) -> Listing:
        wanted = match_dict or {} if match is None else self.glob_match(match)
        chosen = {state: list(wanted[state]) for state in states if wanted.get(state)}
        if chosen:
            options = KeyOptions(keeps_data, bool(self.opts.get("rotate_aes_key", True)))
            self._with_backend(lambda backend: backend.change(verb, chosen, options))
        return self.dict_match(wanted) if match is None else self.glob_match(match)

    def _with_backend(self, change: Callable[[FileBackend | MasterBackend], Listing]) -> None:
        link = running_master(self.opts)
        if link is None:
            change(FileBackend(self.opts))
            return
        try:
            change(MasterBackend(link, {}))
        finally:
            link.close()


def get_key(opts: Mapping[str, Any]) -> Key:
    """Return the minion keys of the master with these settings."""
    return Key(opts)


def _true(states: Mapping[str, bool]) -> list[str]:
    return [state for state, is_wanted in states.items() if is_wanted]


KeyCLI = refuse("salt.key.KeyCLI", "use `salt.key.Key`, or run `salt-g key`")

__all__ = ["Key", "KeyCLI", "get_key"]
