"""A published job's `arg` to the arguments of a function.

Why its own file: it is the minion's half of a contract with every client; how the list is read
is in `loader/job_arguments.py`.
Errors: InvocationError in stock's words for keywords that the function does not take.
Source: wire specification, section 7.2; tried with stock's minions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from salt_g.errors import UnknownKeywords
from salt_g.loader.arguments import fit
from salt_g.loader.job_arguments import KWARG, split_arguments

#: Fields of a publication that functions with `**kwargs` get as `__pub_<name>`.
NOT_PUBLISHED = frozenset(("serial", "sig", "sig_algo"))
_PUBLISHED = "__pub_"


def arguments_for(
    function: Callable[..., Any], arg: Sequence[Any], load: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return what to call `function` with; raises UnknownKeywords."""
    args, given = split_arguments(arg)
    # What a function reads there (who ordered the job, say) is the publication's word, never an argument's.
    kwargs = {name: value for name, value in given.items() if not name.startswith(_PUBLISHED)}
    published = {name: value for name, value in load.items() if name not in NOT_PUBLISHED}
    return fit(function, args, kwargs, published=published)


__all__ = ["KWARG", "UnknownKeywords", "arguments_for", "split_arguments"]
