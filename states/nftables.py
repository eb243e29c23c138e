"""States of nftables tables, chains and rules; `save` keeps them for the next boot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes_any
from salt_g.states._outcome import as_wanted, changed, failed, refusal_fails, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "nftables.version" in functions else (False, "nftables module could not be loaded")


@refusal_fails
def table_present(name: str, family: str = "ipv4") -> StateReturn:
    """Ensure that a table exists.

    Example::

        salt-g state.single nftables.table_present filter family=inet
    """
    if call("nftables.check_table", name, family=family)["result"]:
        return as_wanted(name, f"nftables table {name} already exists in family {family}")
    if opts["test"]:
        return would_change(name, f"nftables table {name} would be created in family {family}")
    done = call("nftables.new_table", name, family=family)
    if not done["result"]:
        return failed(name, f"Failed to create table {name} for family {family}\n{done['comment']}")
    return changed(name, f"nftables table {name} successfully created in family {family}", {"locale": name})


@refusal_fails
def table_absent(name: str, family: str = "ipv4") -> StateReturn:
    """Ensure that a table does not exist.

    Example::

        salt-g state.single nftables.table_absent filter family=inet
    """
    if not call("nftables.check_table", name, family=family)["result"]:
        return as_wanted(name, f"nftables table {name} is already absent from family {family}")
    if opts["test"]:
        return would_change(name, f"nftables table {name} would be deleted from family {family}")
    done = call("nftables.delete_table", name, family=family)
    if not done["result"]:
        return failed(name, f"Failed to delete table {name} from family {family}\n{done['comment']}")
    return changed(name, f"nftables table {name} successfully deleted from family {family}", {"locale": name})


@refusal_fails
def chain_present(
    name: str,
    table: str = "filter",
    table_type: str | None = None,
    hook: str | None = None,
    priority: Any = None,
    family: str = "ipv4",
) -> StateReturn:
    """Ensure that a chain exists; `table_type`, `hook` and `priority` make it a base chain.

    Example::

        salt-g state.single nftables.chain_present input table_type=filter hook=input priority=0
    """
    if call("nftables.check_chain", table, name, family=family)["result"]:
        return as_wanted(name, f"nftables {name} chain is already exist in {table} table for {family}")
    if opts["test"]:
        return would_change(
            name, f"nftables chain {name} would be created in table {table} for family {family}"
        )
    done = call(
        "nftables.new_chain",
        table,
        name,
        table_type=table_type,
        hook=hook,
        priority=priority,
        family=family,
    )
    if not done["result"]:
        return failed(name, f"Failed to create {name} chain in {table} table: {done['comment']} for {family}")
    comment = f"nftables {name} chain in {table} table create success for {family}"
    return changed(name, comment, {"locale": name})


@refusal_fails
def chain_absent(name: str, table: str = "filter", family: str = "ipv4") -> StateReturn:
    """Ensure that a chain does not exist; its rules are removed first.

    Example::

        salt-g state.single nftables.chain_absent input
    """
    if not call("nftables.check_chain", table, name, family)["result"]:
        return as_wanted(name, f"nftables {name} chain is already absent in {table} table for {family}")
    if opts["test"]:
        return would_change(name, f"nftables {name} chain in {table} table would be deleted for {family}")
    for verb, function in (("flush", "nftables.flush"), ("delete", "nftables.delete_chain")):
        done = call(function, table, name, family)
        if not done["result"]:
            return failed(
                name, f"Failed to {verb} {name} chain in {table} table: {done['comment']} for {family}"
            )
    comment = f"nftables {name} chain in {table} table delete success for {family}"
    return changed(name, comment, {"locale": name})


@refusal_fails
@takes_any
def append(name: str, family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain has a rule; a new rule is appended.

    Keywords are `table`, `chain`, `save` and those of `nftables.build_rule`.

    Example::

        ssh:
          nftables.append:
            - table: filter
            - chain: input
            - proto: tcp
            - dport: 22
            - jump: accept
    """
    table, chain, rule = _rule(family, kwargs)
    if call("nftables.check", table, chain, rule, family)["result"]:
        return as_wanted(name, f"nftables rule for {name} already set ({rule}) for {family}")
    if opts["test"]:
        return would_change(name, f"nftables rule for {name} needs to be set ({rule}) for {family}")
    done = call("nftables.append", table, chain, rule, family)
    if not done["result"]:
        return failed(
            name,
            f"Failed to set nftables rule for {name}.\nAttempted rule was {rule} for {family}."
            f"\n{done['comment']}",
        )
    return changed(name, f"{_set(kwargs, family)} rule for {name} to: {rule} for {family}", {"locale": name})


@refusal_fails
@takes_any
def insert(name: str, family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain has a rule; a new rule goes first, or before the one with handle `position`.

    Keywords are `table`, `chain`, `save` and those of `nftables.build_rule`.

    Example::

        ssh:
          nftables.insert:
            - table: filter
            - chain: input
            - proto: tcp
            - dport: 22
            - jump: accept
    """
    table, chain, rule = _rule(family, kwargs)
    if call("nftables.check", table, chain, rule, family)["result"]:
        return as_wanted(name, f"nftables rule for {name} already set for {family} ({rule})")
    if opts["test"]:
        return would_change(name, f"nftables rule for {name} needs to be set for {family} ({rule})")
    done = call("nftables.insert", table, chain, kwargs.get("position"), rule, family)
    if not done["result"]:
        return failed(
            name, f"Failed to set nftables rule for {name}.\nAttempted rule was {rule}\n{done['comment']}"
        )
    return changed(name, f"{_set(kwargs, family)} rule for {name} to: {rule} for {family}", {"locale": name})


@refusal_fails
@takes_any
def delete(name: str, family: str = "ipv4", **kwargs: Any) -> StateReturn:
    """Ensure that a chain does not have a rule.

    Keywords are `table`, `chain`, `save` and those of `nftables.build_rule`.

    Example::

        ssh:
          nftables.delete:
            - table: filter
            - chain: input
            - proto: tcp
            - dport: 22
            - jump: accept
    """
    table, chain, rule = _rule(family, kwargs)
    if not call("nftables.check", table, chain, rule, family)["result"]:
        return as_wanted(name, f"nftables rule for {name} already absent for {family} ({rule})")
    if opts["test"]:
        return would_change(name, f"nftables rule for {name} needs to be deleted for {family} ({rule})")
    done = call("nftables.delete", table, chain, family=family, rule=rule)
    if not done["result"]:
        return failed(
            name, f"Failed to delete nftables rule for {name}.\nAttempted rule was {rule}\n{done['comment']}"
        )
    if not kwargs.get("save"):
        return changed(name, f"Delete nftables rule for {name} {rule}", {"locale": name})
    call("nftables.save", filename=None, family=family)
    return changed(name, f"Deleted and Saved nftables rule for {name} for {rule}{family}", {"locale": name})


@refusal_fails
def flush(
    name: str, family: str = "ipv4", ignore_absence: bool = False, table: str = "filter", chain: str = ""
) -> StateReturn:
    """Remove all rules of a table, or of one `chain`.

    ignore_absence
        Treat a missing table or chain as one without rules.

    Example::

        salt-g state.single nftables.flush all table=filter
    """
    if opts["test"]:
        return would_change(name, "nftables flush not performed in test mode.")
    done_comment = f"Flush nftables rules in {table} table {chain} chain {family} family"
    what = f"table {table} in family {family}, table"
    is_there = call("nftables.check_table", table, family=family)["result"]
    if is_there and chain:
        what = f"chain {chain} in table {table} in family {family}, chain"
        is_there = call("nftables.check_chain", table, chain, family=family)["result"]
    if not is_there and not ignore_absence:
        return failed(name, f"Failed to flush {what} does not exist.")
    if is_there:
        done = call("nftables.flush", table, chain, family)
        if not done["result"]:
            return failed(name, f"Failed to flush nftables rules\n{done['comment']}")
    return changed(name, done_comment, {"locale": name})


@refusal_fails
def set_policy(
    name: str,
    table: str = "filter",
    family: str = "ipv4",
    chain: str | None = None,
    policy: str | None = None,
    save: bool = False,
    save_filename: str | None = None,
) -> StateReturn:
    """Ensure that a chain has a policy, which applies to packets that match no rule.

    `save` also writes all rules to `save_filename`, by default the system's file.

    Example::

        salt-g state.single nftables.set_policy default chain=input policy=accept
    """
    if not chain or not policy:
        raise InvocationError(f"nftables: the argument {'policy' if chain else 'chain'!r} is missing")
    where = f"nftables default policy for chain {chain} on table {table} for {family}"
    if (call("nftables.get_policy", table, chain, family) or "").lower() == policy.lower():
        return as_wanted(name, f"{where} already set to {policy}")
    if opts["test"]:
        return would_change(name, f"{where} needs to be set to {policy}")
    if call("nftables.set_policy", table, chain, policy.lower(), family) is not True:
        return failed(name, "Failed to set nftables default policy")
    if save:
        call("nftables.save", filename=save_filename, family=family)
    verb = "Set and saved" if save else "Set"
    return changed(name, f"{verb} default policy for {chain} to {policy} family {family}", {"locale": name})


def _rule(family: str, kwargs: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return table, chain and text of a rule."""
    missing = next((key for key in ("table", "chain") if not kwargs.get(key)), None)
    if missing:
        raise InvocationError(f"nftables: the argument {missing!r} is missing")
    made = call("nftables.build_rule", family=family, **kwargs)
    if not made["result"]:
        raise InvocationError(made["comment"])
    return str(kwargs["table"]), str(kwargs["chain"]), made["rule"]


def _set(kwargs: Mapping[str, Any], family: str) -> str:
    """Save if requested, and return the comment about it."""
    if not kwargs.get("save"):
        return "Set nftables"
    call("nftables.save", filename=None, family=family)
    return "Set and Saved nftables"
