"""`git.config_set` and `git.config_unset`: Git configuration of a repository or a user."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.git._report import reason

_NEEDS_REPO = "Non-global config options require the 'repo' argument to be set"


def config_set(
    name: str,
    value: Any = None,
    multivar: list[Any] | None = None,
    repo: str | None = None,
    user: str | None = None,
    password: str | None = None,
    output_encoding: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a setting of the repository `repo` has this value, or the values `multivar`.

    `global=True` sets it for the user instead.

    Example::

        salt-g state.single git.config_set user.email value=me@example.org global=True
    """
    if value is not None and multivar is not None:
        return failed(name, "Only one of 'value' and 'multivar' is permitted")
    if value is None and multivar is None:
        return failed(name, "One of 'value' and 'multivar' is required")
    where = _place(repo, user, password, output_encoding, kwargs)
    if not where["global"] and not repo:
        return failed(name, _NEEDS_REPO)
    wanted = _wanted(value, multivar)
    shown = f"'{wanted[0]}'" if multivar is None else str(wanted)
    place = "Global key " if where["global"] else ""
    before = call("git.config_get", name, all=True, **where)
    if before == wanted:
        return as_wanted(name, f"{place}'{name}' is already set to {shown}")
    word = "added as" if before is None else "set to"
    if opts["test"]:
        changes = {"old": before, "new": wanted}
        return would_change(name, f"{place}'{name}' would be {word} {shown}", changes)
    given: dict[str, Any] = {"value": wanted[0]} if multivar is None else {"multivar": wanted}
    problem = f"Failed to set {place.replace('G', 'g')}'{name}' to {shown}"
    try:
        after = call("git.config_set", name, **given, **where)
    except CommandExecutionError as exc:
        return failed(name, f"{problem}: {reason(exc)}")
    done = {name: {"old": before, "new": after}}
    if after != wanted:
        return failed(name, problem, done)
    return changed(name, f"{place}'{name}' was {word} {shown}", done)


def config_unset(
    name: str,
    value_regex: str | None = None,
    repo: str | None = None,
    user: str | None = None,
    password: str | None = None,
    output_encoding: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that settings of `repo` (with `global=True`: of the user) are not set.

    `name` is a regular expression for whole names; `value_regex` limits this to matching values. `all=True`
    permits removing several values of one setting.

    Example::

        salt-g state.single git.config_unset user.email global=True
    """
    where = _place(repo, user, password, output_encoding, kwargs)
    if not where["global"] and not repo:
        return failed(name, _NEEDS_REPO)
    pattern = f"^{str(name).lstrip('^').rstrip('$')}$"
    found = call("git.config_get_regexp", pattern, value_regex=value_regex, **where)
    if not found:
        return as_wanted(name, "No matching keys are set")
    takes_all = bool(kwargs.get("all"))
    several = [f"{key} ({', '.join(values)})" for key, values in found.items() if len(values) > 1]
    if several and not takes_all:
        return failed(
            name,
            "Multivar(s) matched by the key expression (set 'all' to True to force removal): "
            + "; ".join(several),
        )
    if opts["test"]:
        return would_change(name, f"{len(found)} key(s) would have value(s) unset", found)
    problems = [key for key in found if not _unset(key, value_regex, takes_all, where)]
    changes = {key: {"old": values, "new": []} for key, values in found.items() if key not in problems}
    if problems:
        return failed(name, f"Failed to unset the following keys: {', '.join(problems)}", changes)
    return changed(name, "Value(s) successfully unset", changes)


def _place(
    repo: str | None,
    user: str | None,
    password: str | None,
    output_encoding: str | None,
    kwargs: dict[str, Any],
) -> dict[str, Any]:
    """Return the arguments of `git.config_*` that select the scope: a repository, or a user's settings."""
    login = {"user": user, "password": password, "output_encoding": output_encoding}
    return {"cwd": repo, **login, "global": bool(kwargs.get("global"))}


def _unset(key: str, value_regex: str | None, takes_all: bool, where: dict[str, Any]) -> bool:
    try:
        return bool(call("git.config_unset", key, value_regex=value_regex, all=takes_all, **where))
    except CommandExecutionError:
        return False


def _wanted(value: Any, multivar: Any) -> list[str]:
    """Return the wanted values as git writes them."""
    given = [value] if multivar is None else multivar.split(",") if isinstance(multivar, str) else multivar
    return [str(each).lower() if isinstance(each, bool) else str(each) for each in given]
