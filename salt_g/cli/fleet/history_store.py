"""Read access to the master's history through its store, whether or not the master is running."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING

from salt_g.cli import client_settings
from salt_g.config import load as load_settings
from salt_g.errors import CommandExecutionError

if TYPE_CHECKING:
    from salt_g.cache.history import FleetHistory


def report_more(found: Sized) -> None:
    """Print a note on standard error if a query has reached its limit, so that there may be more changes."""
    from salt_g.cache.history import MOST

    if len(found) >= MOST:
        print(f"these are the newest {MOST:,} changes; ask for a shorter time with --since", file=sys.stderr)


@contextlib.contextmanager
def open_history(config_dir: str | None) -> Iterator[FleetHistory]:
    """Yield the history of the master with this config directory; raise SaltGError if it cannot be read."""
    # Imported lazily: the store is not needed for help and completion.
    from salt_g.cache.history import FleetHistory
    from salt_g.cache.store_choice import open_store

    client_settings.check_directory(config_dir)
    opts = load_settings("master", config_dir, asks_for_id=False).opts
    store = open_store(opts)
    try:
        history = FleetHistory(store)
        store.check()
        if not opts["history"] and not history.place():
            raise CommandExecutionError("this master keeps no history; set history: True and restart it")
        yield history
    finally:
        store.stop()
