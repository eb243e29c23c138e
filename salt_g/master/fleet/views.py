"""Commands with which front ends read the data of the fleet: overview, grains, targets.

Shapes: for `overview` see `overview.py`. The others carry the token of their user: `grains` {token, id} ->
{grains}; `explain` {token, tgt, tgt_type, why} -> {ids, why} or {error}; for `jobs` and `job_*` see
`job_pages.py`, for `history`, `history_text` and `drift` see `history_pages.py`. A refusal is
{refused: text, needs: "login" or "right"}; data that the user may not see is left out of results.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.auth.sight import Sight
from salt_g.errors import TargetError
from salt_g.master.calls.authorization import Authorization, CommandCaller
from salt_g.master.calls.clear_commands import Serve
from salt_g.master.fleet.history_pages import HistoryPages
from salt_g.master.fleet.job_pages import JobPages, View
from salt_g.master.fleet.overview import Overview
from salt_g.master.publishing.target_explain import TargetExplain
from salt_g.master.publishing.target_resolution import CachedMinionData, TargetResolution
from salt_g.shapes.loads import LoadFields

#: Runner function that explains targets; a user who may call it sees the compared values, including pillar.
_EXPLAIN = "match.explain"


class Views:
    """Handler of the commands."""

    def __init__(
        self,
        authorization: Authorization,
        *,
        overview: Overview,
        data: CachedMinionData,
        targets: TargetResolution,
        target_explain: TargetExplain,
        jobs: JobPages,
        history: HistoryPages,
    ) -> None:
        self._authorization = authorization
        self._overview = overview
        self._data = data
        self._targets = targets
        self._target_explain = target_explain
        self._jobs = jobs
        self._history = history

    def commands(self) -> Mapping[str, Serve]:
        """Return the commands by name."""
        return {
            "overview": lambda load, caller: self._overview.changes(load),
            "grains": self.of_user(self._grains),
            "explain": self.of_user(self._explain),
            **{name: self.of_user(view) for name, view in self._jobs.views().items()},
            **{name: self.of_user(view) for name, view in self._history.views().items()},
        }

    def of_user(self, view: View) -> Serve:
        """Return a command that serves a view with its user's permissions."""

        def serve(load: LoadFields, caller: CommandCaller) -> Any:
            sight = self._authorization.sight_of(load, caller)
            if sight is None:
                return {"refused": "this login is over", "needs": "login"}
            return view(load, sight)

        return serve

    def _grains(self, load: LoadFields, sight: Sight) -> Any:
        id = str(load.get("id"))
        if not sight.may_run("grains.items", [id]):
            return refusal(f"grains.items on {id}")
        known = self._data.get(id)
        return {"grains": dict(known[0]) if known else None}

    def _explain(self, load: LoadFields, sight: Sight) -> Any:
        tgt, tgt_type = load.get("tgt"), str(load.get("tgt_type") or "glob")
        sees_values = sight.may_call("runner", _EXPLAIN)
        if not sees_values and _asks_pillar(tgt, tgt_type):
            return refusal(f"the runner {_EXPLAIN}, because this target compares pillar")
        try:
            found = self._targets.resolve_all(tgt, tgt_type).minions
            seen = sight.ids()
            ids = [id for id in found if seen is None or id in seen]
            why = {}
            if sees_values and load.get("why"):
                explained = self._target_explain.explain(tgt, tgt_type)
                why = {id: one for id, one in explained.items() if seen is None or id in seen}
        except TargetError as exc:
            return {"error": str(exc)}
        return {"ids": ids, "why": why}


def refusal(right: str) -> dict[str, str]:
    """Return the reply to a user who lacks a permission."""
    return {"refused": f"this needs permission for {right}", "needs": "right"}


def _asks_pillar(tgt: Any, tgt_type: str) -> bool:
    """Return whether a target may match on pillar, as nodegroups and users' matchers may."""
    if tgt_type in ("glob", "list", "pcre", "grain", "grain_pcre", "ipcidr"):
        return False
    if tgt_type == "compound":
        return any(word in str(tgt) for word in ("I@", "J@", "N@"))
    return True
