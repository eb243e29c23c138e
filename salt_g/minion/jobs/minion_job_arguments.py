"""Conversion of a published job's `arg` to the arguments of a function.

Clients send positional and keyword arguments in one list, which `loader/job_arguments.py` parses.
Errors: InvocationError with stock's text for keywords that the function does not accept.
Source: wire specification, section 7.2; compared with stock's minions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from salt_g.errors import UnknownKeywords
from salt_g.loader.arguments import fit
from salt_g.loader.job_arguments import KWARG, split_arguments
from salt_g.shapes import CallArguments
from salt_g.shapes.loads import JobLoad

#: Fields of a publication that functions with `**kwargs` do not receive as `__pub_<name>`.
NOT_PUBLISHED = frozenset(("serial", "sig", "sig_algo"))
_PUBLISHED = "__pub_"


def arguments_for(function: Callable[..., Any], arg: Sequence[Any], load: JobLoad) -> CallArguments:
    """Return the arguments for a call of `function`; raise UnknownKeywords if it does not accept them."""
    args, given = split_arguments(arg)
    # The `__pub_` values (such as the user of the job) come from the publication only, never from an
    # argument.
    kwargs = {name: value for name, value in given.items() if not name.startswith(_PUBLISHED)}
    published = {name: value for name, value in load.items() if name not in NOT_PUBLISHED}
    return fit(function, args, kwargs, published=published)


__all__ = ["KWARG", "UnknownKeywords", "arguments_for", "split_arguments"]
