"""The table of all routes of /v1."""

from __future__ import annotations

from salt_g.http_api.v1 import me_routes, minion_query, minion_routes
from salt_g.http_api.v1.route import AFTER, Parameter, Route, limit
from salt_g.http_api.v1.schemas import TEXT, ref

_FILTER = Parameter("filter", "words such as os:Debian, status:failed, id:web* or part of an id")
_TARGET = Parameter("tgt", "a target; several ids of a list with commas")
_TYPES = ("glob", "list", "pcre", "grain", "grain_pcre", "pillar", "pillar_exact", "pillar_pcre")
_TARGET_TYPE = Parameter(
    "tgt_type",
    "type of the target",
    "glob",
    choices=(*_TYPES, "compound", "nodegroup", "ipcidr", "range"),
)

#: Routes about the client and the API.
ABOUT = (
    Route("GET", "/me", me_routes.show_me, "the user and their rights", answer=ref("Me"), right="a login"),
    Route(
        *("GET", "/health", me_routes.show_health, "whether a master serves the API"),
        answer=ref("Health"),
        right="none",
        is_open=True,
    ),
    Route(
        *("GET", "/metrics", me_routes.show_metrics, "figures of the API for Prometheus"),
        answer=TEXT,
        kind=me_routes.METRICS_KIND,
        right="a login",
    ),
)
#: Routes of minions.
MINIONS = (
    Route(
        *("GET", "/minions", minion_routes.list_minions, "minions by page"),
        answer=ref("MinionPage"),
        right="some function on a minion shows it, grains.items its facts, state.apply its last run",
        takes=(
            _FILTER,
            Parameter("sort", f"one of {', '.join(minion_query.SORTED_BY)}; with - in opposite order"),
            AFTER,
            Parameter("fields", f"some of {', '.join(minion_query.FIELDS)}, with commas"),
            limit(100, 10_000),
        ),
    ),
    Route(
        *(
            "GET",
            "/minions/summary",
            minion_routes.summarize_minions,
            "counts of minions, with their filters",
        ),
        answer=ref("Summary"),
        right="as for /minions",
        takes=(_FILTER,),
    ),
    Route(
        *("GET", "/minions/{id}", minion_routes.show_minion, "a minion and its grains"),
        answer=ref("MinionDetail"),
        right="grains.items on the minion",
        refuses=(404,),
    ),
    Route(
        *("GET", "/targets/explain", minion_routes.explain_target, "which minions a target means, and why"),
        answer=ref("Explained"),
        right="some function on the minions; for why and for pillar the runner match.explain",
        takes=(_TARGET, _TARGET_TYPE, Parameter("why", "explain the minions", is_flag=True)),
    ),
)
ROUTES = (*ABOUT, *MINIONS)
