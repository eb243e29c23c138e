"""Masters of one cluster: daemons with one key pair on one database."""

from __future__ import annotations

import pathlib
import shutil
from typing import Any

from tests.support import key_pairs
from tests.support.commands import stop_all
from tests.support.daemons import RunningMaster


class Masters:
    """Masters below `root`, each in a folder with its id, on the database `url`. Life: `start`, `stop`."""

    def __init__(self, root: str | pathlib.Path, url: str) -> None:
        self.root = pathlib.Path(root)
        self.url = url
        self.all: list[RunningMaster] = []

    def start(self, *ids: str, **settings: Any) -> list[RunningMaster]:
        """Start masters with these ids; return them."""
        for id in ids:
            own: dict[str, Any] = {
                "id": id,
                "store": self.url,
                "cluster": True,
                "makes_key": True,
                "is_forked": True,
                **settings,
            }
            self.all.append(RunningMaster(self.root / id, **own))
            self._give_key(self.all[-1])
            self.all[-1].start()
        return self.all[-len(ids) :]

    def _give_key(self, master: RunningMaster) -> None:
        master.pki_dir.mkdir(parents=True, exist_ok=True)
        if master is self.all[0]:
            key_pairs.place(master.pki_dir, "master")
            return
        for name in ("master.pem", "master.pub"):
            shutil.copy(self.all[0].pki_dir / name, master.pki_dir)

    def stop(self) -> None:
        """Stop all masters."""
        stop_all(self.all)
