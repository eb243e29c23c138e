"""Settings for state runs and external top data, served to minions.

The settings that a minion may learn are listed here.
Source: wire specification, section 9.3.
"""

from __future__ import annotations

from collections.abc import Callable

from salt_g.local_call import local_context, top_data
from salt_g.master.commands import FLAG, Field, WireCommand
from salt_g.shapes import Opts, OptsDraft, TopFile
from salt_g.shapes.loads import MasterOptsLoad
from salt_g.wire.requests import SealedRequest

#: Settings for combining environments.
_OF_ENVS = ("top_file_merging_strategy", "env_order", "default_top")
#: Settings for state runs.
_OF_RUNS = (
    "renderer",
    "failhard",
    "state_top",
    "state_top_saltenv",
    "nodegroups",
    "state_auto_order",
    "state_events",
    "state_aggregate",
    "jinja_env",
    "jinja_sls_env",
    "jinja_lstrip_blocks",
    "jinja_trim_blocks",
)


class MasterOpts:
    """Handler of settings and top data requests; `envs` returns the file environments."""

    def __init__(self, opts: Opts, envs: Callable[[], list[str]]) -> None:
        self._opts = opts
        self._envs = envs

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands for settings and top data."""
        return {
            "_master_opts": WireCommand(self._master_opts, {"env_only": FLAG}),
            "_master_tops": WireCommand(self._master_tops, {"opts": Field((dict, type(None)))}),
            "_ext_nodes": WireCommand(lambda request, load: {}),
        }

    def _master_opts(self, request: SealedRequest, load: MasterOptsLoad) -> OptsDraft:
        names = _OF_ENVS if load.get("env_only") else _OF_ENVS + _OF_RUNS
        values = {name: self._opts.get(name) for name in names}
        return {"file_roots": {env: [] for env in self._envs()}, **values}

    def _master_tops(self, request: SealedRequest, load: MasterOptsLoad) -> TopFile:
        wanted = self._opts.get("master_tops") or {}
        if not wanted:
            return {}
        opts = {**(load.get("opts") or {}), "id": request.id}
        given = opts.get("grains")
        grains = {**(given if isinstance(given, dict) else {}), "id": request.id}
        context = local_context(self._opts).replace(pillar={})
        return top_data(context, {**opts, "grains": grains}, grains)
