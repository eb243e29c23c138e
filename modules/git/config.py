"""Settings of git, for a checkout or (`global=True`) for a user."""

from __future__ import annotations

from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.git._run import expand, git
from salt_g.shapes import Completed

#: git's exit code if a setting to remove does not exist or has many values.
_NONE_OR_MANY = 5


def config_get(
    key: str, cwd: str | None = None, user: str | None = None, password: str | None = None, **kwargs: Any
) -> Any:
    """Return the value of a setting, or None when it is not set; `all=True` gives a list of all values.

    The setting is one of the checkout `cwd`, or with `global=True` of the user.

    Example::

        salt-g git.config_get user.email /srv/repo
    """
    wants_all = kwargs.pop("all", False)
    option = "--get-all" if wants_all else "--get"
    lines = _config([option, key], cwd, {"user": user, "password": password, **kwargs})["stdout"].splitlines()
    return (lines if wants_all else lines[-1]) if lines else None


def config_get_regexp(
    key: str, value_regex: str | None = None, cwd: str | None = None, user: str | None = None, **kwargs: Any
) -> dict[str, list[str]]:
    """Return {name: [value, ...]} of the settings whose names match the regular expression `key`.

    `value_regex` selects among their values. `cwd` and `global` are those of `git.config_get`.

    Example::

        salt-g git.config_get_regexp '^user' global=True
    """
    words = ["--get-regexp", key, *([str(value_regex)] if value_regex is not None else [])]
    lines = _config(words, cwd, {"user": user, **kwargs})["stdout"].splitlines()
    found: dict[str, list[str]] = {}
    for name, _, value in (line.partition(" ") for line in lines):
        found.setdefault(name, []).append(value)
    return found


def config_get_regex(
    key: str, value_regex: str | None = None, cwd: str | None = None, user: str | None = None, **kwargs: Any
) -> dict[str, list[str]]:
    """Return the result of `git.config_get_regexp`.

    Example::

        salt-g git.config_get_regex '^user' global=True
    """
    return config_get_regexp(key, value_regex, cwd, user, **kwargs)


def config_set(
    key: str,
    value: Any = None,
    multivar: list[Any] | None = None,
    cwd: str | None = None,
    user: str | None = None,
    **kwargs: Any,
) -> list[str]:
    """Set a setting to one value, or (`multivar`) several; return all values. `add=True` keeps present ones.

    `cwd` and `global` are those of `git.config_get`.

    Example::

        salt-g git.config_set user.email me@example.org global=True
    """
    if (value is None) == (multivar is None):
        raise InvocationError("Only one of 'value' and 'multivar' is permitted, and one is required")
    is_added = kwargs.pop("add", False)
    how = {"user": user, **kwargs}
    values = [str(each) for each in (multivar if multivar is not None else [value])]
    for number, each in enumerate(values):
        option = "--add" if is_added or number else "--replace-all"
        _config([option, key, each], cwd, dict(how), failhard=True)
    return config_get(key, cwd=cwd, all=True, **how) or []


def config_unset(
    key: str, value_regex: str | None = None, cwd: str | None = None, user: str | None = None, **kwargs: Any
) -> bool:
    """Remove a setting; return True.

    Only `all=True` can remove several values; `value_regex` selects values. `cwd` and `global` are those of
    `git.config_get`.

    Example::

        salt-g git.config_unset user.email global=True
    """
    option = "--unset-all" if kwargs.pop("all", False) else "--unset"
    words = [key, *([str(value_regex)] if value_regex is not None else [])]
    how = {"user": user, **kwargs}
    finished = _config([option, *words], cwd, dict(how))
    if finished["retcode"] == 0:
        return True
    raise CommandExecutionError(_not_unset(finished, words, cwd, how))


def _not_unset(finished: Completed, words: list[str], cwd: str | None, how: dict[str, Any]) -> str:
    """Return why git has not removed a setting; `words` are its key and a regular expression for values."""
    key = words[0]
    if finished["retcode"] == _NONE_OR_MANY:
        found = _config(["--get-all", *words], cwd, dict(how))["stdout"]
        if found:
            return f"Multiple values exist for key {key!r}; all=True removes them"
        return f"Key {key!r} has no such value" if words[1:] else f"Key {key!r} does not exist"
    if finished["retcode"] == 1:
        return "Section or key is invalid"
    return finished["stderr"] or f"cannot unset {key!r}: git exited with {finished['retcode']}"


def _config(words: list[str], cwd: str | None, how: dict[str, Any], *, failhard: bool = False) -> Any:
    is_global = how.pop("global", False)
    if cwd is None and not is_global:
        raise InvocationError("'cwd' argument required unless global=True")
    place = "--global" if is_global else "--local"
    where = None if cwd is None else expand(cwd, how.get("user"))
    return git(["config", place, *words], where, how, failhard=failhard)
