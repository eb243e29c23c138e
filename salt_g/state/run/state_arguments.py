"""Arguments of a state function, selected from the keys of its chunk.

A chunk mixes arguments with requisites and engine options; the function's signature separates them.
"""

from __future__ import annotations

import copy
import functools
import logging
from collections.abc import Callable, Iterable
from typing import Any

from salt_g.errors import InvocationError
from salt_g.loader.signature import Signature
from salt_g.loader.signature import signature_of as read_signature
from salt_g.shapes import Arguments, LowChunk
from salt_g.state.compile.vocabulary import ENGINE_KEYS, is_internal

log = logging.getLogger(__name__)

#: Keyword under which a `mod_watch` receives the watched states, {kind: [chunk]}.
WATCHED_STATES = "__reqs__"
#: Cached signatures of functions.
signature_of = functools.lru_cache(maxsize=4096)(read_signature)


def missing_parameters(function: Callable[..., Any], low: LowChunk) -> list[str]:
    """Return the required parameters that a chunk does not set."""
    return [name for name in signature_of(function).required if name not in low]


def arguments_for(function: Callable[..., Any], low: LowChunk) -> Arguments:
    """Return the keyword arguments for one call, with lists and mappings copied.

    Raise InvocationError (which ends the whole run, as in stock) for keys that neither the function nor the
    engine knows.
    """
    signature = signature_of(function)
    passed, unknown = {}, []
    for key, value in low.items():
        # The umask is set for the process while the function runs, and is never passed as an argument.
        if key == "umask":
            continue
        is_meant = key in signature.names or (
            key == WATCHED_STATES and _takes_requisites(function, signature)
        )
        if not is_meant and (key in ENGINE_KEYS or is_internal(key)):
            continue
        if is_meant or signature.takes_keywords:
            passed[key] = copy.deepcopy(value) if isinstance(value, (list, dict)) else value
        else:
            unknown.append(key)
    if unknown:
        raise _unknown_arguments(unknown, signature, low)
    return passed


def _takes_requisites(function: Callable[..., Any], signature: Signature) -> bool:
    """Return whether this is a user's function with any keywords; as in stock, it gets the requisites."""
    return signature.takes_keywords and not function.__module__.startswith("salt_g.")


def log_missing_arguments(missing: Iterable[str], function: Callable[..., Any], low: LowChunk) -> None:
    """Log the location of missing arguments, with the unknown argument that was possibly meant."""
    import difflib

    known = {*signature_of(function).names, *ENGINE_KEYS}
    unknown = [key for key in low if key not in known and not is_internal(key)]
    for name in missing:
        log.error(
            "%s: state %r (ID %r) is missing the argument %r; similar ones given: %s",
            low.get("__sls__"),
            f"{low['state']}.{low['fun']}",
            low.get("__id__"),
            name,
            ", ".join(map(repr, difflib.get_close_matches(name, unknown, n=1))) or "none",
        )


def _unknown_arguments(unknown: list[str], signature: Signature, low: LowChunk) -> InvocationError:
    import difflib

    function = f"{low['state']}.{low['fun']}"
    for name in unknown:
        nearest = difflib.get_close_matches(name, {*signature.names, *ENGINE_KEYS}, n=3)
        log.error(
            "%s: state %r (ID %r) has no argument %r; nearest: %s",
            low.get("__sls__"),
            function,
            low.get("__id__"),
            name,
            ", ".join(map(repr, nearest)) or "none",
        )
    if len(unknown) == 1:
        return InvocationError(f"'{unknown[0]}' is an invalid keyword argument for '{function}'")
    listed = ", ".join(f"'{name}'" for name in unknown[:-1])
    return InvocationError(f"{listed} and '{unknown[-1]}' are invalid keyword arguments for '{function}'")
