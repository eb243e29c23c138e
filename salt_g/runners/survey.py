"""Comparison of returns: groups of minions with equal results, and their differences."""

from __future__ import annotations

import difflib
from typing import Any

from salt_g.api import opts, own_arguments, services
from salt_g.services.daemons import MasterServices

#: Target types of a survey; any other value is treated as the first one.
_TYPES = ("compound", "pcre")


def hash(*args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    """Run a function and return [{pool, result}]: minions with equal results, largest group first.

    Arguments are the target, the function and its arguments; `survey_sort=up` puts the smallest
    pool first, `tgt_type` is `compound` or `pcre`.

    Example::

        salt-g run survey.hash '*' file.get_hash /etc/hosts survey_sort=up
    """
    return _pools(*args, **kwargs)


def diff(*args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    """Run `survey.hash`, and print the differences between the first pool's result and the others.

    Example::

        salt-g run survey.diff '*' cp.get_file_str file:///etc/hosts
    """
    pools = _pools(*args, **kwargs)
    for place, pool in enumerate(pools):
        services(MasterServices).progress.write(_pool_text(pool, pools[0], is_first=place == 0))
    return pools


def _pools(tgt: str, fun: str, *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    smallest_first = kwargs.pop("survey_sort", "down") == "up"
    tgt_type = kwargs.pop("tgt_type", "compound")
    answers = services(MasterServices).client.cmd(
        tgt,
        fun,
        list(args),
        timeout=opts["timeout"],
        tgt_type=tgt_type if tgt_type in _TYPES else "compound",
        kwarg=own_arguments(kwargs),
    )
    pools: dict[str, dict[str, Any]] = {}
    for id in sorted(answers):
        text = str(answers[id])
        pools.setdefault(text, {"pool": [], "result": text})["pool"].append(id)
    return sorted(pools.values(), key=lambda pool: len(pool["pool"]), reverse=not smallest_first)


def _pool_text(pool: dict[str, Any], first: dict[str, Any], *, is_first: bool) -> str:
    head = f"minion pool :\n------------\n{pool['pool']}\npool size :\n----------\n    {len(pool['pool'])}\n"
    if is_first:
        return f"{head}pool result :\n------------\n    {pool['result']}\n"
    title = f'differences from "{first["pool"][0]}" results :'
    lines = difflib.unified_diff(
        [line + "\n" for line in first["result"].splitlines()],
        [line + "\n" for line in pool["result"].splitlines()],
        fromfile=first["pool"][0],
        tofile=pool["pool"][0],
        n=0,
    )
    return f"{head}{title}\n{'-' * (len(title) - 1)}\n{''.join(lines)}\n"
