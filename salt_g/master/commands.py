"""What a peer may ask for: tables of commands, and the one way to serve a load by them.

Why its own file: every duty of the master (files, pillar, mine, returns, ...) declares its commands in
the same form, so what is exposed, with which fields, is written down and nothing is looked up by
attribute name.
Shapes: a load is a map with `cmd`. What a command gets is its declared fields as the peer sent
them, and `cmd`, `id` and `ts` as the session proved them; unknown fields are dropped.
Units: `max_size` counts characters, bytes or entries.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.transport.protocols import Unanswered
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Fields that each command gets, whatever it declares.
ALWAYS = ("cmd", "id", "ts")
#: What a peer hears of a command that nobody serves, and of one that failed.
UNKNOWN: Mapping[str, Any] = {}
FAILED = ""


class Field(NamedTuple):
    """One field of a command; `types` is empty for any value, `max_size` is 0 for no limit of its own."""

    types: tuple[type, ...] = ()
    required: bool = False
    max_size: int = 0

    def problem(self, value: Any) -> str:
        """Return why `value` cannot be in this field, '' when it can."""
        if self.types and not _is_one_of(value, self.types):
            return f"is {type(value).__name__}, not {' or '.join(kind.__name__ for kind in self.types)}"
        if self.max_size and isinstance(value, (str, bytes, list, dict)) and len(value) > self.max_size:
            return f"has {len(value)} entries or characters, allowed are {self.max_size}"
        return ""


#: Fields as they are needed again and again.
TEXT = Field((str,), required=True, max_size=4096)
OPTIONAL_TEXT = Field((str, type(None)), max_size=4096)
FLAG = Field((bool, type(None)))
ANY = Field()


class WireCommand(NamedTuple):
    """One command: who serves it and which fields it knows.

    `run(request, load)` returns the reply. It knows the sender as `request.id` and never from
    the load. With `seals` the reply is bytes that are sealed already (`_pillar`).
    A WireError that it raises is answered with its `answer`, unsealed, as a refusal; Unanswered with
    nothing; any other error with `""`.
    """

    run: Callable[[SealedRequest, dict[str, Any]], Any]
    fields: Mapping[str, Field] = {}
    seals: bool = False


def merged(*tables: Mapping[str, WireCommand]) -> dict[str, WireCommand]:
    """Return all commands of the duties; two of one name are a mistake of ours."""
    whole: dict[str, WireCommand] = {}
    for table in tables:
        doubled = sorted(set(whole) & set(table))
        if doubled:
            raise ValueError(f"commands with two owners: {', '.join(doubled)}")
        whole.update(table)
    return whole


def serve(commands: Mapping[str, WireCommand], request: SealedRequest) -> tuple[Any, bool]:
    """Run the command of a request; return (reply, whether it is sealed already)."""
    name = request.load.get("cmd")
    command = commands.get(name) if isinstance(name, str) else None
    if command is None:
        log.info("%s: asked for %.64r, which nobody serves", request.id, name)
        return UNKNOWN, False
    load, problem = taken_fields(command, request)
    if problem:
        log.warning("%s: %s was refused: %s", request.id, name, problem)
        return FAILED, False
    try:
        return command.run(request, load), command.seals
    except (WireError, Unanswered):
        raise
    # Some call plugins, which may call sys.exit as well.
    except (Exception, SystemExit):
        log.exception("%s: %s failed", request.id, name)
        return FAILED, False


def taken_fields(command: WireCommand, request: SealedRequest) -> tuple[dict[str, Any], str]:
    """Return (the fields that a command gets, why the load cannot be served or '')."""
    offered = request.load
    taken = {name: offered[name] for name in ALWAYS if name in offered}
    for name, field in command.fields.items():
        if name in offered:
            problem = field.problem(offered[name])
            if problem:
                return {}, f"its field {name} {problem}"
            taken[name] = offered[name]
        elif field.required:
            return {}, f"its field {name} is missing"
    taken["id"] = request.id
    return taken, ""


def _is_one_of(value: Any, types: tuple[type, ...]) -> bool:
    """Return whether a value is of one of the types; True is no number here."""
    if isinstance(value, bool):
        return bool in types
    return isinstance(value, types)
