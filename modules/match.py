"""Targets evaluated against this minion; `minion_id` is an id to use instead of its own."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from salt_g.api import services
from salt_g.data.nested import DELIMITER, merge_recursive
from salt_g.errors import InvocationError, SaltGError, TargetError

__func_alias__ = {"list_": "list"}

#: Key of the last argument of `match.ifelse`, its default, in the mapping for `match.filter_by`.
_OTHERWISE = "SALT_IFELSE_FUNCTION_DEFAULT"
#: A target that matches no minion.
_NOTHING = "SALT_IFELSE_MATCH_NOTHING"


def compound(tgt: Any, minion_id: str | None = None) -> bool:
    """Evaluate a compound target (`G@os:Debian and not web*`).

    Example::

        salt-g match.compound 'L@cheese,foo and *'
    """
    return _matches(tgt, "compound", minion_id)


def ipcidr(tgt: str) -> bool:
    """Match the addresses of this minion against an address or a network.

    Example::

        salt-g match.ipcidr '192.168.44.0/24'
    """
    return _matches(tgt, "ipcidr")


def pillar(tgt: str, delimiter: str = DELIMITER) -> bool:
    """Match a pillar value against a glob.

    Example::

        salt-g match.pillar 'cheese:foo'
    """
    return _matches(tgt, "pillar", delimiter=delimiter)


def pillar_pcre(tgt: str, delimiter: str = DELIMITER) -> bool:
    """Match a pillar value against a regular expression.

    Example::

        salt-g match.pillar_pcre 'cheese:(swiss|american)'
    """
    return _matches(tgt, "pillar_pcre", delimiter=delimiter)


def data(tgt: str) -> bool:
    """Match a value of the minion's data store against a glob.

    Example::

        salt-g match.data 'spam:eggs'
    """
    return _matches(tgt, "data")


def grain(tgt: str, delimiter: str = DELIMITER) -> bool:
    """Match a grain against a glob.

    Example::

        salt-g match.grain 'os:Ubuntu'
    """
    return _matches(tgt, "grain", delimiter=delimiter)


def grain_pcre(tgt: str, delimiter: str = DELIMITER) -> bool:
    """Match a grain against a regular expression.

    Example::

        salt-g match.grain_pcre 'os:Fedo.*'
    """
    return _matches(tgt, "grain_pcre", delimiter=delimiter)


def list_(tgt: list[str] | str, minion_id: str | None = None) -> bool:
    """Return whether the id is in a list or comma-separated text.

    Example::

        salt-g match.list 'server1,server2'
    """
    return _matches(tgt, "list", minion_id)


def pcre(tgt: str, minion_id: str | None = None) -> bool:
    """Match the id against a regular expression.

    Example::

        salt-g match.pcre '.*'
    """
    return _matches(tgt, "pcre", minion_id)


def glob(tgt: str, minion_id: str | None = None) -> bool:
    """Match the id against a glob.

    Example::

        salt-g match.glob '*'
    """
    return _matches(tgt, "glob", minion_id)


def filter_by(
    lookup: Mapping[str, Any],
    tgt_type: str = "compound",
    minion_id: str | None = None,
    merge: Mapping[str, Any] | None = None,
    merge_lists: bool = False,
    default: str = "default",
) -> Any:
    """Return the value of the first target in `lookup` that matches this minion.

    Without a match the value of the key `default` is returned. `merge` is a mapping merged over the value of
    a matching target; `merge_lists` also joins lists in it instead of replacing them.

    Example::

        salt-g match.filter_by '{foo*: Foo!, bar*: Bar!}' minion_id=bar03
    """
    for tgt, value in lookup.items():
        if _matches(tgt, tgt_type, minion_id):
            return _overlaid(value, merge, merge_lists) if merge else value
    return lookup.get(default)


def search_by(
    lookup: Mapping[str, list[str]], tgt_type: str = "compound", minion_id: str | None = None
) -> list[str] | None:
    """Return the key of each target in `lookup` ({key: [target, ...]}) that matches; None if none does.

    Example::

        salt-g match.search_by '{web: [node1, node2], db: [node2, node]}'
    """
    found = [key for key, targets in lookup.items() for tgt in targets if _matches(tgt, tgt_type, minion_id)]
    return found or None


def ifelse(
    *args: Any,
    tgt_type: str = "compound",
    minion_id: str | None = None,
    merge: Mapping[str, Any] | None = None,
    merge_lists: bool = False,
) -> Any:
    """Return the argument after the first target that matches this minion, or the last argument.

    Targets may be True (always) and False (never). The keywords are those of `match.filter_by`.

    Example::

        salt-g match.ifelse 'foo*' 'Foo!' 'bar*' 'Bar!' otherwise minion_id=bar03
    """
    if len(args) % 2 == 0:
        raise SaltGError("The ifelse function must have an odd number of arguments!")
    targets = [{True: "*", False: _NOTHING}[tgt] if isinstance(tgt, bool) else tgt for tgt in args[:-1:2]]
    lookup = {**dict(zip(targets, args[1::2], strict=True)), _OTHERWISE: args[-1]}
    return filter_by(
        lookup, tgt_type, minion_id=minion_id, merge=merge, merge_lists=merge_lists, default=_OTHERWISE
    )


def _matches(tgt: Any, tgt_type: str, minion_id: str | None = None, *, delimiter: str = DELIMITER) -> bool:
    try:
        return services().match.matches(tgt, tgt_type, minion_id=minion_id, delimiter=delimiter)
    except TargetError as exc:
        raise InvocationError(str(exc)) from exc


def _overlaid(value: Any, merge: Any, merge_lists: bool) -> Any:
    if not isinstance(merge, Mapping):
        raise SaltGError("filter_by merge argument must be a dictionary.")
    return copy.deepcopy(merge) if value is None else merge_recursive(value, merge, merge_lists=merge_lists)
