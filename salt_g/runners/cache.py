"""Cached data of minions on the master, and cached values of plugins by bank and key.

`tgt` and `tgt_type` select minions; a minion without cached data matches only by its id.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import own_arguments, services
from salt_g.errors import InvocationError
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import Answers

__func_alias__ = {"list_": "list"}


def grains(tgt: Any = None, tgt_type: str = "glob", **kwargs: Any) -> Answers:
    """Return {minion id: grains}.

    Example::

        salt-g run cache.grains '*'
    """
    known = {id: services(MasterServices).minion_data.get(id) for id in _selected(tgt, tgt_type)}
    return {id: dict(data[0]) for id, data in known.items() if data and data[0]}


def pillar(tgt: Any = None, tgt_type: str = "glob", **kwargs: Any) -> Answers:
    """Return {minion id: pillar}.

    Example::

        salt-g run cache.pillar 'web*'
    """
    known = {id: services(MasterServices).minion_data.get(id) for id in _selected(tgt, tgt_type)}
    return {id: dict(data[1]) for id, data in known.items() if data and data[1]}


def mine(tgt: Any = None, tgt_type: str = "glob", **kwargs: Any) -> Answers:
    """Return {minion id: {function: value}} of the mine, including the values' access rules.

    Example::

        salt-g run cache.mine 'web*'
    """
    return {id: services(MasterServices).banks.fetch("mine", id) for id in _selected(tgt, tgt_type)}


def clear_pillar(tgt: Any = None, tgt_type: str = "glob") -> bool:
    """Delete the cached pillar of minions; return False if `tgt` is missing.

    Example::

        salt-g run cache.clear_pillar 'web*'
    """
    return _clear(tgt, tgt_type, "pillar")


def clear_grains(tgt: Any = None, tgt_type: str = "glob") -> bool:
    """Delete the cached grains of minions; return False if `tgt` is missing.

    Example::

        salt-g run cache.clear_grains 'web*'
    """
    return _clear(tgt, tgt_type, "grains")


def clear_mine(tgt: Any = None, tgt_type: str = "glob") -> bool:
    """Delete the mine data of minions; return False if `tgt` is missing.

    Example::

        salt-g run cache.clear_mine 'web*'
    """
    return _clear(tgt, tgt_type, "mine")


def clear_mine_func(tgt: Any = None, tgt_type: str = "glob", clear_mine_func_flag: str | None = None) -> bool:
    """Delete the mine data of minions for one function.

    Return False if `tgt` or `clear_mine_func_flag`, the name of the function, is not given.

    Example::

        salt-g run cache.clear_mine_func 'web*' clear_mine_func_flag=network.interfaces
    """
    if tgt is None or not clear_mine_func_flag:
        return False
    banks = services(MasterServices).banks
    for id in _selected(tgt, tgt_type):
        kept = banks.fetch("mine", id)
        if kept.pop(clear_mine_func_flag, None) is not None:
            banks.store("mine", id, kept).result()
    return True


def clear_all(tgt: Any = None, tgt_type: str = "glob") -> bool:
    """Delete the cached pillar, grains and mine data of minions; return False if `tgt` is missing.

    Example::

        salt-g run cache.clear_all 'web*'
    """
    return _clear(tgt, tgt_type, "pillar", "grains", "mine")


def clear_git_lock(role: str, remote: str | None = None, **kwargs: Any) -> dict[str, Any] | str:
    """Remove the update locks of repositories; `role` is `gitfs` or `git_pillar`.

    Example::

        salt-g run cache.clear_git_lock gitfs
    """
    if role not in ("gitfs", "git_pillar"):
        raise InvocationError(f"Invalid role '{role}'")
    problems: list[str] = []
    if role == "git_pillar":
        done = services(MasterServices).git_pillars.clear_lock(remote)
    else:
        done, problems = (
            services(MasterServices).fileserver.chosen(["gitfs"]).clear_lock([remote] if remote else ())
        )
    result = {name: lines for name, lines in (("cleared", done), ("errors", problems)) if lines}
    return result or "No locks were removed"


def store(bank: str, key: str, data: Any, **kwargs: Any) -> None:
    """Store a value under a key of a bank.

    Example::

        salt-g run cache.store mycache mykey 'the value'
    """
    own_arguments(kwargs)
    services(MasterServices).banks.store(bank, key, data).result()
    services(MasterServices).minion_data.reread()


def list_(bank: str, **kwargs: Any) -> list[str]:
    """Return the keys of a bank and the names of its direct sub-banks.

    Example::

        salt-g run cache.list grains
    """
    return list(services(MasterServices).banks.list(bank))


def fetch(bank: str, key: str, **kwargs: Any) -> Any:
    """Return the value of a key of a bank, or {} when it does not exist.

    Example::

        salt-g run cache.fetch mycache mykey
    """
    return services(MasterServices).banks.fetch(bank, key)


def flush(bank: str, key: str | None = None, **kwargs: Any) -> bool:
    """Remove a value, or a bank with all its contents; return whether it existed.

    Example::

        salt-g run cache.flush mycache mykey
    """
    removed = services(MasterServices).banks.flush(bank, key).result()
    services(MasterServices).minion_data.reread()
    return bool(removed)


def _selected(tgt: Any, tgt_type: str) -> list[str]:
    minions: list[str] = (
        services(MasterServices).targets.resolve("*" if tgt is None else tgt, tgt_type, greedy=False).minions
    )
    return minions


def _clear(tgt: Any, tgt_type: str, *parts: str) -> bool:
    if tgt is None:
        return False
    for id in _selected(tgt, tgt_type):
        for part in parts:
            services(MasterServices).minion_data.forget_part(id, part)
        if "pillar" in parts:
            services(MasterServices).minion_pillars.forget(id)
    return True
