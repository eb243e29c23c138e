"""Requests of minions for the pillar of single resources: the command `_resource_pillars`.

Shapes: the request is {resources: [srn], saltenv, pillarenv}; the answer is {srn: pillar} of the resources
that have a separate pillar.
Source: resources specification, section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: Name of the command.
COMMAND = "_resource_pillars"
#: Maximum number of resources in one request.
MOST = 500

#: Function (srns, saltenv, pillarenv) that compiles and returns {srn: own pillar}.
OwnPillars = Callable[[Sequence[str], "str | None", "str | None"], Mapping[str, Mapping[str, Any]]]


def no_pillars(srns: Sequence[str], saltenv: str | None, pillarenv: str | None) -> Mapping[str, Any]:
    """Return {}, for callers without a source of pillar for single resources."""
    return {}


def request(srns: Sequence[str], saltenv: str | None, pillarenv: str | None) -> dict[str, Any]:
    """Return the load of a request."""
    load = {"cmd": COMMAND, "resources": list(srns), "saltenv": saltenv, "pillarenv": pillarenv}
    return {**load, "secrets": True}


def own_pillars_in(answer: Any) -> dict[str, dict[str, Any]]:
    """Return the pillars in an answer; {} for a refusal or the answer of a master without this command.

    A pillar can contain marks of its secrets (`secret_hiding.MARKS`).
    """
    if not isinstance(answer, Mapping):
        return {}
    return {srn: own for srn, own in answer.items() if isinstance(own, dict)}
