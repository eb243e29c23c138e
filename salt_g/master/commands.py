"""Tables of wire commands, and the dispatch of a load to its command.

Every duty of the master (files, pillar, mine, returns, ...) declares its commands in the same form, so the
exposed commands and their fields are explicit and nothing is looked up by attribute name.
Shapes: a load is a dict with `cmd`. A command receives its declared fields as the peer sent them, and `cmd`,
`id` and `ts` as the session authenticated them; unknown fields are dropped.
Units: `max_size` counts characters, bytes or entries.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.transport.protocols import Unanswered
from salt_g.wire.load_summary import LoadSummary
from salt_g.wire.packing import as_bytes
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Fields passed to each command, even if the command does not declare them.
ALWAYS = ("cmd", "id", "ts")
#: Answers to a peer for an unknown command and for one that failed.
UNKNOWN: Mapping[str, Any] = {}
FAILED = ""


class Field(NamedTuple):
    """Field of a command; empty `types` allow any value, `max_size` 0 sets no limit."""

    types: tuple[type, ...] = ()
    required: bool = False
    max_size: int = 0

    def received(self, value: Any) -> Any:
        """Return a value as it was sent: the wire writes text and bytes alike, so UTF-8 arrives as text."""
        return as_bytes(value) if self.types == (bytes,) and isinstance(value, str) else value

    def problem(self, value: Any) -> str:
        """Return why `value` is not allowed in this field, or '' if it is."""
        if self.types and not _is_one_of(value, self.types):
            return f"is {type(value).__name__}, not {' or '.join(kind.__name__ for kind in self.types)}"
        if self.max_size and isinstance(value, (str, bytes, list, dict)) and len(value) > self.max_size:
            return f"has {len(value)} entries or characters; the limit is {self.max_size}"
        return ""


#: Commonly used fields.
TEXT = Field((str,), required=True, max_size=4096)
OPTIONAL_TEXT = Field((str, type(None)), max_size=4096)
FLAG = Field((bool, type(None)))
ANY = Field()


class WireCommand(NamedTuple):
    """Wire command: its handler and its fields.

    `run(request, load)` returns the reply. Its `load` has the fields of a class in `salt_g/shapes/loads.py`,
    which `fields` checks. It must take the sender from `request.id` and never from the load.
    With `seals` the reply is bytes that are already encrypted (`_pillar`).
    If `run` raises WireError, the error's `answer` is sent in clear text as a refusal; after Unanswered
    nothing is sent, and after any other error `""`.
    """

    run: Callable[[SealedRequest, Any], Any]
    fields: Mapping[str, Field] = {}
    seals: bool = False


def merged(*tables: Mapping[str, WireCommand]) -> dict[str, WireCommand]:
    """Return all commands of the duties; a name that occurs twice is a programming error."""
    whole: dict[str, WireCommand] = {}
    for table in tables:
        doubled = sorted(set(whole) & set(table))
        if doubled:
            raise ValueError(f"commands with two owners: {', '.join(doubled)}")
        whole.update(table)
    return whole


def serve(commands: Mapping[str, WireCommand], request: SealedRequest) -> tuple[Any, bool]:
    """Run the command of a request; return (reply, whether it is already encrypted)."""
    name = request.load.get("cmd")
    log.debug("request of %s: %s", request.id, LoadSummary(request.load))
    command = commands.get(name) if isinstance(name, str) else None
    if command is None:
        log.info("%s: unknown command %.64r", request.id, name)
        return UNKNOWN, False
    load, problem = taken_fields(command, request)
    if problem:
        log.warning("%s: %s was refused: %s", request.id, name, problem)
        return FAILED, False
    try:
        return command.run(request, load), command.seals
    except (WireError, Unanswered):
        raise
    # Some commands call plugins, which may also call sys.exit.
    except (Exception, SystemExit):
        log.exception("%s: %s failed", request.id, name)
        return FAILED, False


def taken_fields(command: WireCommand, request: SealedRequest) -> tuple[Any, str]:
    """Return (the fields passed to a command, why the load cannot be served or '')."""
    offered = request.load
    taken = {name: offered[name] for name in ALWAYS if name in offered}
    for name, field in command.fields.items():
        if name in offered:
            value = field.received(offered[name])
            problem = field.problem(value)
            if problem:
                return {}, f"its field {name} {problem}"
            taken[name] = value
        elif field.required:
            return {}, f"its field {name} is missing"
    taken["id"] = request.id
    return taken, ""


def _is_one_of(value: Any, types: tuple[type, ...]) -> bool:
    """Return whether a value is of one of the types; True does not count as a number."""
    if isinstance(value, bool):
        return bool in types
    return isinstance(value, types)
