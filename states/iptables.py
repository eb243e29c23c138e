"""States of packet filter rules and chains; `save` keeps them for the next boot.

`save` is True for the system's file of rules, or the path of another file. States of one function that do
not depend on each other are merged if the setting `state_aggregate` includes `iptables`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import InvocationError
from salt_g.shapes import AnyChunk, Running, StateReturn, low_tag
from salt_g.shapes.aggregation import is_aggregated, mark_aggregated
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, changed, failed, outcome, refusal_fails, would_change

#: Functions whose rules can be merged.
_AGGREGATED = ("append", "insert")


def __virtual__() -> bool | tuple[bool, str]:
    return True if "iptables.version" in functions else (False, "iptables module could not be loaded")


@refusal_fails
def chain_present(name: str, table: str = "filter", family: str = "ipv4") -> StateReturn:
    """Ensure that a chain exists.

    Example::

        salt-g state.single iptables.chain_present web table=filter
    """
    if call("iptables.check_chain", table, name, family) is True:
        return as_wanted(name, f"iptables {name} chain is already exist in {table} table for {family}")
    if opts["test"]:
        return would_change(name, f"iptables {name} chain in {table} table needs to be set for {family}")
    returned = call("iptables.new_chain", table, name, family)
    if returned is not True:
        return failed(
            name, f"Failed to create {name} chain in {table} table: {returned.strip()} for {family}"
        )
    comment = f"iptables {name} chain in {table} table create success for {family}"
    return changed(name, comment, {"locale": name})


@refusal_fails
def chain_absent(name: str, table: str = "filter", family: str = "ipv4") -> StateReturn:
    """Ensure that a chain does not exist; its rules are removed first.

    Example::

        salt-g state.single iptables.chain_absent web table=filter
    """
    if not call("iptables.check_chain", table, name, family):
        return as_wanted(name, f"iptables {name} chain is already absent in {table} table for {family}")
    if opts["test"]:
        return would_change(name, f"iptables {name} chain in {table} table needs to be removed {family}")
    returned = call("iptables.flush", table, name, family)
    if returned:
        return failed(name, f"Failed to flush {name} chain in {table} table: {returned.strip()} for {family}")
    returned = call("iptables.delete_chain", table, name, family)
    if returned is not True:
        return failed(
            name, f"Failed to delete {name} chain in {table} table: {returned.strip()} for {family}"
        )
    comment = f"iptables {name} chain in {table} table delete success for {family}"
    return changed(name, comment, {"locale": name})


@refusal_fails
@takes_any
def append(name: str, table: str = "filter", family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain has a rule; a new rule is appended.

    Keywords are `chain`, `save` and those of `iptables.build_rule`.

    Example::

        http:
          iptables.append:
            - chain: INPUT
            - jump: ACCEPT
            - match: state
            - connstate: NEW
            - dport: 80
            - protocol: tcp
            - save: True
    """
    if "rules" in kwargs:
        return _all_rules(name, family, append, kwargs["rules"])
    chain, rule, command = _rule(table, family, "A", kwargs)
    if call("iptables.check", table, chain, rule, family) is True:
        comment = f"iptables rule for {name} already set ({command}) for {family}"
        return as_wanted(name, comment + _saved_again(name, family, command, kwargs))
    if opts["test"]:
        return would_change(name, f"iptables rule for {name} needs to be set ({command}) for {family}")
    if call("iptables.append", table, chain, rule, family) is not True:
        return failed(
            name, f"Failed to set iptables rule for {name}.\nAttempted rule was {command} for {family}"
        )
    return _set(name, family, command, kwargs)


@refusal_fails
@takes_any
def insert(name: str, table: str = "filter", family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain has a rule; a new rule is inserted at `position`.

    Positions count from 1; negative ones count from the end. Keywords are `chain`, `save` and those of
    `iptables.build_rule`.

    Example::

        http:
          iptables.insert:
            - position: 1
            - chain: INPUT
            - jump: ACCEPT
            - dport: 80
            - protocol: tcp
    """
    if "rules" in kwargs:
        return _all_rules(name, family, insert, kwargs["rules"])
    chain, rule, command = _rule(table, family, "I", kwargs)
    if call("iptables.check", table, chain, rule, family) is True:
        comment = f"iptables rule for {name} already set for {family} ({command})"
        return as_wanted(name, comment + _saved_again(name, family, command, kwargs))
    if opts["test"]:
        return would_change(name, f"iptables rule for {name} needs to be set for {family} ({command})")
    if call("iptables.insert", table, chain, kwargs.get("position"), rule, family):
        return failed(name, f"Failed to set iptables rule for {name}.\nAttempted rule was {command}")
    return _set(name, family, command, kwargs)


@refusal_fails
@takes_any
def delete(name: str, table: str = "filter", family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain does not have a rule, given by its keywords or its `position`.

    With `position`, each run deletes the rule that is then at this position. Keywords are `chain`, `save`
    and those of `iptables.build_rule`.

    Example::

        http:
          iptables.delete:
            - chain: INPUT
            - jump: ACCEPT
            - dport: 80
            - protocol: tcp
    """
    if "rules" in kwargs:
        return _all_rules(name, family, delete, kwargs["rules"])
    chain, rule, command = _rule(table, family, "D", kwargs)
    position = kwargs.get("position")
    if position is None and call("iptables.check", table, chain, rule, family) is not True:
        return as_wanted(name, f"iptables rule for {name} already absent for {family} ({command})")
    if opts["test"]:
        return would_change(name, f"iptables rule for {name} needs to be deleted for {family} ({command})")
    words = {"rule": rule} if position is None else {"position": position}
    if call("iptables.delete", table, chain, family=family, **words):
        return failed(name, f"Failed to delete iptables rule for {name}.\nAttempted rule was {command}")
    if not kwargs.get("save"):
        return changed(name, f"Delete iptables rule for {name} {command}", {"locale": name})
    comment = f"Deleted and saved iptables rule {name} for {family}\n{command}\n{_save(kwargs, family)}"
    return changed(name, comment, {"locale": name})


@refusal_fails
@takes_any
def set_policy(name: str, table: str = "filter", family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain has a policy, which applies to packets that match no rule.

    Keywords are `chain`, `policy` and `save`.

    Example::

        salt-g state.single iptables.set_policy default chain=INPUT policy=ACCEPT
    """
    chain, policy = _named(kwargs, "chain"), _named(kwargs, "policy")
    where = f"iptables default policy for chain {chain} on table {table} for {family}"
    if call("iptables.get_policy", table, chain, family) == policy:
        return as_wanted(name, f"{where} already set to {policy}")
    if opts["test"]:
        return would_change(name, f"{where} needs to be set to {policy}")
    if call("iptables.set_policy", table, chain, policy, family):
        return failed(name, "Failed to set iptables default policy")
    verb = "Set"
    if kwargs.get("save"):
        _save(kwargs, family)
        verb = "Set and saved"
    return changed(name, f"{verb} default policy for {chain} to {policy} family {family}", {"locale": name})


@refusal_fails
@takes_any
def flush(name: str, table: str = "filter", family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Remove all rules of a table, or of one `chain`.

    Example::

        salt-g state.single iptables.flush all table=filter
    """
    chain = kwargs.get("chain", "")
    if opts["test"]:
        return would_change(
            name, f"iptables rules in {name} table {table} chain {family} family needs to be flushed"
        )
    if call("iptables.flush", table, chain, family):
        return failed(name, "Failed to flush iptables rules")
    return changed(
        name, f"Flush iptables rules in {table} table {chain} chain {family} family", {"locale": name}
    )


def mod_aggregate(low: AnyChunk, chunks: Iterable[AnyChunk], running: Running) -> AnyChunk:
    """Return the chunk with the rules of all later chunks like it, which are marked as done."""
    if low.get("fun") not in _AGGREGATED:
        return low
    rules: list[Any] = []
    for chunk in chunks:
        is_alike = chunk.get("state") == "iptables" and chunk.get("fun") == low["fun"]
        if chunk is not low and is_alike and not is_aggregated(chunk) and low_tag(chunk) not in running:
            rules.append(dict(chunk))
            mark_aggregated(chunk)
    if rules:
        low["rules"] = [*(low.get("rules") or [dict(low)]), *rules]
    return low


def _rule(table: str, family: str, command: str, kwargs: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return chain, rule and command line for the keywords."""
    given = {key: value for key, value in kwargs.items() if not key.startswith("__")}
    chain = _named(given, "chain")
    rule = call("iptables.build_rule", family=family, table=table, **given)
    line = call("iptables.build_rule", full=True, family=family, table=table, command=command, **given)
    if rule.startswith("Error:"):
        raise InvocationError(rule)
    return chain, rule, line.strip()


def _named(kwargs: Mapping[str, Any], key: str) -> str:
    if not kwargs.get(key):
        raise InvocationError(f"iptables: the argument {key!r} is missing")
    return str(kwargs[key])


def _set(name: str, family: str, command: str, kwargs: Mapping[str, Any]) -> StateReturn:
    if not kwargs.get("save"):
        comment = f"Set iptables rule for {name} to: {command} for {family}"
    else:
        comment = f"Set and saved iptables rule {name} for {family}\n{command}\n{_save(kwargs, family)}"
    return changed(name, comment, {"locale": name})


def _save(kwargs: Mapping[str, Any], family: str) -> Any:
    return call("iptables.save", filename=_file(kwargs), family=family)


def _file(kwargs: Mapping[str, Any]) -> Any:
    """Return the file named by `save`, or None for that of the system."""
    return None if kwargs["save"] is True else kwargs["save"]


def _saved_again(name: str, family: str, command: str, kwargs: Mapping[str, Any]) -> str:
    """Save if the file differs from the kernel's rules, and return the comment about it."""
    if not kwargs.get("save") or opts["test"]:
        return ""
    try:
        saved = call("iptables.get_saved_rules", conf_file=_file(kwargs), family=family)
    except FileNotFoundError:
        saved = {}
    if _all_of(saved) == _all_of(call("iptables.get_rules", family=family)):
        return ""
    return f"\nSaved iptables rule {name} for {family}\n{command}\n{_save(kwargs, family)}"


def _all_of(tables: Mapping[str, Any]) -> list[Any]:
    return [chain["rules"] for chains in tables.values() for chain in chains.values()]


def _all_rules(
    name: str, family: str, function: Callable[..., StateReturn], rules: Iterable[Mapping[str, Any]]
) -> StateReturn:
    """Apply a state function to each of several rules, and save once; one failure fails all."""
    done, save = [], None
    for rule in rules:
        own = {key: value for key, value in rule.items() if key != "rules" and not key.startswith("__")}
        save = own.pop("save", None) or save
        done.append(function(**own))
    changes = [ret["changes"]["locale"] for ret in done if "locale" in ret["changes"]]
    if save and not opts["test"]:
        call("iptables.save", filename=None if save is True else save, family=family)
    results = [ret["result"] for ret in done]
    result = False if False in results else None if None in results else True
    comment = "\n".join(str(ret["comment"]) for ret in done)
    return outcome(name, result, comment, {"locale": changes} if changes else {})
