"""Compilation of minions' pillar on the hub of the master.

Several minions compile in turns, so that short requests are answered in between.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from salt_g.loader import Loader
from salt_g.local_call import pillar_call
from salt_g.pillar.compiler import PillarCompiler, SelectedEnvironments
from salt_g.pillar.top import TopTarget
from salt_g.process.fair_slices import FairSlices
from salt_g.services.daemons import Calls
from salt_g.shapes import Grains, GrainsDict, Opts, PillarDict, TopFile
from salt_g.shapes.loads import PillarLoad

#: How long loaded plugins are used before their files are checked for changes (s).
PLUGINS_AGE = 5.0
#: Default target type in a top file.
DEFAULT_TYPE = "compound"


class PillarRequest(NamedTuple):
    """Pillar request of a minion, optionally for one environment and with overrides."""

    id: str
    grains: GrainsDict
    saltenv: str | None = None
    pillarenv: str | None = None
    override: PillarDict = {}
    extra_minion_data: PillarDict = {}
    ext: PillarDict | None = None

    @classmethod
    def from_load(cls, id: str, load: PillarLoad) -> PillarRequest:
        """Parse the load of `_pillar`; the grains get the minion's id."""
        return cls(
            id,
            {**load["grains"], "id": id},
            load.get("saltenv"),
            load.get("pillarenv"),
            load.get("pillar_override") or {},
            load.get("extra_minion_data") or {},
            load.get("ext"),
        )

    @property
    def is_plain(self) -> bool:
        """Whether only the master's own sources are used."""
        return not self.override and not self.ext and not self.extra_minion_data


class HubPillars:
    """Compiler of pillar for any minion, from a master's settings."""

    def __init__(self, opts: Opts) -> None:
        self._opts = opts
        #: Runners of the master, for external pillars.
        self.calls: Calls | None = None
        self._loader: Loader | None = None
        self._loaded = 0.0
        self._turns = FairSlices()

    def compiled(self, wanted: PillarRequest) -> PillarDict:
        """Return pillar for a minion, compiled now in a call on the master, with its secrets marked."""
        with self._turns.taken(), self.place_of(wanted) as compiler:
            return compiler.compile(
                saltenv=wanted.saltenv,
                pillarenv=wanted.pillarenv,
                override=wanted.override,
                ext=wanted.ext,
                earlier={},
            )

    def compile_for(self, id: str, grains: Grains, **options: Any) -> PillarDict:
        """Return the pillar of any minion, compiled now; see `services.daemons.MinionPillars`."""
        return self.compiled(PillarRequest(id, {**grains, "id": id}, **options))

    def top_for(self, id: str, grains: Grains, saltenv: str) -> tuple[TopFile, list[str]]:
        """Return (the merged top file, its errors); see `services.daemons.MinionPillars`."""
        with self.place_of(PillarRequest(id, {**grains, "id": id})) as compiler:
            tops, errors = compiler.top(saltenv)
        written = {
            env: {tgt: _as_written(target) for tgt, target in targets.items()}
            for env, targets in tops.items()
        }
        return written, errors

    def place_of(
        self, wanted: PillarRequest, chosen: SelectedEnvironments | None = None
    ) -> AbstractContextManager[PillarCompiler]:
        """Return a context manager that enters a call on the master and yields the pillar's compiler."""
        return pillar_call(
            {**self._opts, "id": wanted.id},
            wanted.grains,
            self._plugins(),
            extra_minion_data=wanted.extra_minion_data,
            chosen=chosen,
            marks_secrets=True,
            calls=self.calls,
        )

    def _plugins(self) -> Loader:
        """Return the plugins for templates, which all minions share; changed files are noticed soon."""
        now = time.monotonic()
        if self._loader is None or now - self._loaded > PLUGINS_AGE:
            self._loader, self._loaded = Loader({**self._opts, "file_client": "local"}), now
        return self._loader


def _as_written(target: TopTarget) -> list[Any]:
    """Return the SLS of a target as written in a top file, with non-default options."""
    options = {"match": target.tgt_type} if target.tgt_type != DEFAULT_TYPE else {}
    return [*([options] if options else []), *target.names]
