"""Reactions of rendered reactor files: function, target, arguments.

Turns rendered data into calls; uses neither the bus nor a client.
Shapes: a rendered file is {id: {"local.cmd.run": [{"tgt": ...}, {"args": [...]}]}}; a Reaction is one call.
Errors: CompileError with all malformed reactions.
Source: stock docs "Reactor System", both forms of arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from salt_g.errors import CompileError
from salt_g.shapes import Arguments, CallArguments

#: Kinds of reactions by the prefix of the function.
KINDS = {"local": "local", "cmd": "local", "runner": "runner", "wheel": "wheel", "caller": "caller"}
#: Options of a reaction that are not arguments of its function.
_HOW = ("tgt", "tgt_type", "expr_form", "ret", "timeout", "jid", "metadata", "ignore_retcode")
#: Options in the old syntax of a reaction that are not arguments of its function.
_DECLARED = frozenset(("name", "fun", "order", "state", "arg", "args", "kwarg", "queue"))


class Reaction(NamedTuple):
    """Call of one reaction; `how` holds the target of a `local` call."""

    id: str
    kind: str
    fun: str
    args: list[Any]
    kwargs: Arguments
    how: Arguments


def reactions_of(rendered: Any, path: str) -> list[Reaction]:
    """Return the reactions of a file in file order; raises CompileError."""
    if not isinstance(rendered, Mapping):
        raise CompileError(
            [f"{path}: a reactor file must be a mapping of ids, not {type(rendered).__name__}"]
        )
    found: list[Reaction] = []
    problems: list[str] = []
    for id, body in rendered.items():
        try:
            found += _declared(str(id), body)
        except ValueError as exc:
            problems.append(f"{path}: {id!r}: {exc}")
    if problems:
        raise CompileError(problems)
    return found


def _declared(id: str, body: Any) -> Iterator[Reaction]:
    if not isinstance(body, Mapping):
        raise ValueError("expected a mapping with a function such as `local.cmd.run`")
    for key, parts in body.items():
        if str(key).startswith("__"):
            continue
        word, _, fun = str(key).partition(".")
        if word not in KINDS:
            raise ValueError(f"unknown kind {word!r}; use one of {', '.join(KINDS)}")
        parts = parts if isinstance(parts, list) else [parts] if parts else []
        fun = fun or next((part for part in parts if isinstance(part, str)), "")
        if not fun:
            raise ValueError(f"{key!r} names no function")
        yield _reaction(id, KINDS[word], fun, _merged(parts))


def _merged(parts: list[Any]) -> Arguments:
    merged: Arguments = {}
    for part in parts:
        if isinstance(part, Mapping):
            merged.update(part)
        elif not isinstance(part, str):
            raise ValueError(f"{part!r} is neither an argument nor a function")
    return merged


def _reaction(id: str, kind: str, fun: str, said: Arguments) -> Reaction:
    how = {key: said[key] for key in _HOW if key in said} if kind == "local" else {}
    if kind == "local" and "tgt" not in how:
        raise ValueError(f"{fun} has no target; add `- tgt: ...`")
    if "expr_form" in how:
        how.setdefault("tgt_type", how.pop("expr_form"))
    args, kwargs = _arguments(kind, said)
    return Reaction(id, kind, fun, args, kwargs, how)


def _arguments(kind: str, said: Arguments) -> CallArguments:
    """Return the arguments of the function: `args`, or in the older form `arg` and `kwarg`."""
    if "args" in said:
        given = said["args"]
        if isinstance(given, Mapping):
            return [], dict(given)
        if isinstance(given, list) and all(isinstance(one, Mapping) and len(one) == 1 for one in given):
            return [], {key: value for one in given for key, value in one.items()}
        if kind == "caller" and isinstance(given, list):
            return list(given), {}
        raise ValueError("`args` must be a list of `name: value`")
    arg = said.get("arg", [])
    args = list(arg) if isinstance(arg, list | tuple) else [arg]
    kwargs = dict(said["kwarg"]) if isinstance(said.get("kwarg"), Mapping) else {}
    if kind in ("runner", "wheel") and not kwargs:
        kwargs = {key: value for key, value in said.items() if key not in _DECLARED}
    return args, kwargs
