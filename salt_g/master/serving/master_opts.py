"""Settings for state runs and external top data, served to minions.

The settings that a minion may learn are listed here.
Source: wire specification, section 9.3.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.data.nested import merge_recursive
from salt_g.errors import NoSuchFunction
from salt_g.local_call import local_context
from salt_g.master.commands import FLAG, Field, WireCommand
from salt_g.shapes import Opts
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

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
        """Return the commands of this duty."""
        return {
            "_master_opts": WireCommand(self._master_opts, {"env_only": FLAG}),
            "_master_tops": WireCommand(self._master_tops, {"opts": Field((dict, type(None)))}),
            "_ext_nodes": WireCommand(lambda request, load: {}),
        }

    def _master_opts(self, request: SealedRequest, load: dict[str, Any]) -> dict[str, Any]:
        names = _OF_ENVS if load.get("env_only") else _OF_ENVS + _OF_RUNS
        told = {name: self._opts.get(name) for name in names}
        return {"file_roots": {env: [] for env in self._envs()}, **told}

    def _master_tops(self, request: SealedRequest, load: dict[str, Any]) -> dict[str, Any]:
        wanted = self._opts.get("master_tops") or {}
        if not wanted:
            return {}
        opts = {**(load.get("opts") or {}), "id": request.id}
        given = opts.get("grains")
        grains = {**(given if isinstance(given, dict) else {}), "id": request.id}
        return tops(self._opts, {**opts, "grains": grains}, grains)


def tops(settings: Opts, opts: Mapping[str, Any], grains: Mapping[str, Any]) -> dict[str, Any]:
    """Return {saltenv: [sls, ...]} of all sources in `master_tops`, for a minion with `opts` and `grains`."""
    context = local_context(settings)
    found: dict[str, Any] = {}
    with api.use(context.replace(grains=grains, pillar={})):
        for name in settings["master_tops"]:
            try:
                data = context.table("tops")[f"{name}.top"](opts=opts, grains=grains)
            except NoSuchFunction:
                log.error("there is no source of top data %r; known are: ext_nodes and your own", name)
                continue
            except (Exception, SystemExit):  # Guard around a plugin call.
                log.exception("top data of %s for %s failed", name, opts["id"])
                continue
            if isinstance(data, Mapping):
                found = merge_recursive(found, data, merge_lists=True)
    return found
