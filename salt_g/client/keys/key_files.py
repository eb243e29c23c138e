"""Keys of minions for command line programs: files of `pki_dir`, or the database that masters share."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from salt_g.keys.files import KeyFiles
from salt_g.keys.invitations import Invitations

if TYPE_CHECKING:
    from salt_g.shapes import Opts


def key_files(opts: Opts) -> KeyFiles:
    """Return the keys of a master's minions; raises StoreError."""
    if not opts.get("cluster"):
        return KeyFiles(opts["pki_dir"])
    # Imported lazily: a single master needs nothing of a cluster.
    from salt_g.cluster.offline import shared_key_files

    return shared_key_files(opts)


def open_invitations(opts: Opts) -> Invitations:
    """Return the invitations of a master, for reading."""
    if not opts.get("cluster"):
        return Invitations(opts["pki_dir"])
    from salt_g.cluster.offline import read_invitations

    return read_invitations(opts)


def changing_invitations(opts: Opts) -> AbstractContextManager[Invitations]:
    """Return a context manager in which the invitations of a master can be changed; raises StoreError."""
    if not opts.get("cluster"):
        return nullcontext(Invitations(opts["pki_dir"]))
    from salt_g.cluster.offline import shared_invitations

    return shared_invitations(opts)
