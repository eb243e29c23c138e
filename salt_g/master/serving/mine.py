"""Mine: data shared by minions, with access control.

A minion writes to its own entry only; its reads are limited by the setting `mine_get` and by the owner of
each value.
Shapes: bank `mine`, key = minion id: {function: value}; a value with access limits is {"__data__": value,
"__saltmine_acl__": 1, "allow_tgt": target, "allow_tgt_type": type}.
Source: wire specification, section 9.4; security properties 4 and 10.
"""

from __future__ import annotations

import contextlib
import logging
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import gevent.lock

from salt_g.auth.targets import kinds_of, mistrust
from salt_g.cache.banks import Banks
from salt_g.errors import TargetError, WireError
from salt_g.keys.files import KeyFiles
from salt_g.master.commands import ANY, FLAG, OPTIONAL_TEXT, Field, WireCommand
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import MineSettings
from salt_g.match.matchers import MinionView, matches
from salt_g.process.offload import offload_heavy
from salt_g.regex.bounded import matches_start
from salt_g.shapes.loads import MineLoad, MineQueryLoad, MineValues
from salt_g.transport.time_slice import TimeSlice
from salt_g.wire.compound_words import OF_PILLAR
from salt_g.wire.packing import AFTER_SIGN_IN, Packed, pack, pack_large, pack_network, packed_map, unpack
from salt_g.wire.requests import SealedRequest
from salt_g.wire.value_size import has_few_entries, is_light

log = logging.getLogger(__name__)

BANK = "mine"
#: Maximum size of one minion's mine (bytes), which is stored and is read by other minions.
MAX_SIZE = 16 * 1024 * 1024
#: Maximum number of entries of a mine, over all its values; the hub frees that many in 10 ms.
MAX_ENTRIES = 200_000
#: Maximum size of an answer (bytes), because of the limit of a message.
MAX_ANSWER = AFTER_SIGN_IN.size - 64 * 1024
#: Longest target (characters or entries), because the id of every minion is compared with all of it.
MAX_TARGET = 32 * 1024

#: Number of large values up to which an answer also holds its values unpacked; a native thread packs large
#: ones.
_FEW = 4
#: Size (bytes) from which a native thread reads and writes a mine.
LARGE = 16 * 1024

_T = TypeVar("_T")
_Locks = weakref.WeakValueDictionary[str, Any]
_ACL, _DATA = "__saltmine_acl__", "__data__"
_FUN = Field((str, list), required=True, max_size=4096)


class MineQuery(NamedTuple):
    """Query of `_mine_get`: functions of the minions that a target matches."""

    tgt: Any
    tgt_type: str
    functions: tuple[str, ...]
    by_function: bool

    @classmethod
    def from_load(cls, load: MineQueryLoad) -> MineQuery:
        """Parse the load of `_mine_get`; `expr_form` is an old spelling of `tgt_type`."""
        fun = load["fun"]
        names = fun.split(",") if isinstance(fun, str) else [str(name) for name in fun]
        tgt_type = load.get("tgt_type") or load.get("expr_form") or "glob"
        functions = tuple(dict.fromkeys(names))
        return cls(load["tgt"], str(tgt_type).lower(), functions, isinstance(fun, list) or len(functions) > 1)


class Mine:
    """Storage and access control of the mine."""

    def __init__(
        self, settings: MineSettings, *, banks: Banks, keys: KeyFiles, expected: TargetResolution
    ) -> None:
        self._settings = settings
        self._keeps = settings.is_kept
        self._banks = banks
        self._keys = keys
        self._nodegroups = settings.nodegroups
        self._expected = expected
        self._locks: _Locks = weakref.WeakValueDictionary()
        self._askers: _Locks = weakref.WeakValueDictionary()

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands for the mine."""
        return {
            "_mine": WireCommand(self._mine, {"data": Field((dict,), required=True), "clear": FLAG}),
            "_mine_get": WireCommand(
                self._mine_get,
                {
                    "tgt": Field(required=True, max_size=MAX_TARGET),
                    "fun": _FUN,
                    "tgt_type": OPTIONAL_TEXT,
                    "expr_form": OPTIONAL_TEXT,
                },
            ),
            "_mine_delete": WireCommand(self._mine_delete, {"fun": Field((str,), required=True)}),
            "_mine_flush": WireCommand(self._mine_flush, {"force": ANY}),
        }

    def ask(self, tgt: Any, fun: Any, tgt_type: str, *, reader: str) -> MineValues:
        """Return the values that `reader` may see; raises TargetError. See `services.daemons.MineReading`."""
        return self.get(MineQuery.from_load({"tgt": tgt, "fun": fun, "tgt_type": tgt_type}), reader)

    def get(self, question: MineQuery, reader: str) -> MineValues:
        """Return the values that `reader` may see: {minion: value}, or {function: {minion: value}}."""
        found: dict[str, MineValues] = {}
        for id, function, value in self._found(question, reader):
            found.setdefault(function if question.by_function else "", {})[id] = value
        return found if question.by_function else found.get("", {})

    def _found(self, question: MineQuery, reader: str) -> Iterator[tuple[str, str, Any]]:
        """Yield (minion, function, value) for each value that a reader may see."""
        functions = self._allowed(question.functions, reader)
        for id in self._matching(question) if functions else ():
            entries = self._reading(id, self._banks.fetch_packed(BANK, id), _chosen, functions)
            for function in functions:
                if function in entries and self._may_read(entries[function], reader):
                    yield id, function, _value(entries[function])

    def _mine(self, request: SealedRequest, load: MineLoad) -> bool:
        if self._keeps:
            with self._alone(request.id):
                kept = b"" if load.get("clear") else self._banks.fetch_packed(BANK, request.id)
                more = 0 if is_light(load["data"]) else LARGE
                packed, problem = self._reading(request.id, kept, _added, load["data"], more=more)
                if problem:
                    log.error("%s: its mine %s", request.id, problem)
                    return False
                self._banks.store_packed(BANK, request.id, packed).result()
                self._check_limits(request.id, load["data"])
        return True

    def _mine_get(self, request: SealedRequest, load: MineQueryLoad) -> Packed | MineValues:
        try:
            with self._asking(request.id):
                return self._answer(MineQuery.from_load(load), request.id)
        except TargetError as exc:
            log.error("%s: requested mine data for an invalid target: %s", request.id, exc)
            return {}

    def _answer(self, question: MineQuery, reader: str) -> Packed | MineValues:
        """Return the answer to a minion."""
        answer = _Answer(question.by_function)
        for id, function, value in self._found(question, reader):
            answer.add(id, function, value)
            if answer.size > MAX_ANSWER:
                log.error(
                    "%s: asked for more of the mine than a message of %d bytes holds and gets nothing; use a"
                    " narrower target or fewer functions",
                    reader,
                    MAX_ANSWER,
                )
                return {}
        return answer.whole()

    def _mine_delete(self, request: SealedRequest, load: MineLoad) -> bool:
        if self._keeps:
            with self._alone(request.id):
                kept = self._banks.fetch_packed(BANK, request.id)
                left = self._reading(request.id, kept, _without, load["fun"])
                if left:
                    self._banks.store_packed(BANK, request.id, left).result()
        return True

    def _mine_flush(self, request: SealedRequest, load: MineLoad) -> bool:
        if self._keeps:
            with self._alone(request.id):
                self._banks.flush(BANK, request.id).result()
        return True

    def _reading(
        self, id: str, packed: bytes, use: Callable[[bytes, Any], _T], *args: Any, more: int = 0
    ) -> _T:
        """Return the result of `use` on a packed mine, run in a native thread for large data.

        An unreadable mine is treated as empty.
        """
        try:
            return offload_heavy(len(packed) + more < LARGE, use, use, packed, *args)
        except WireError as exc:
            log.error("%s: cannot read its mine, which is treated as empty: %s", id, exc)
            return use(b"", *args)

    def _alone(self, id: str) -> contextlib.AbstractContextManager[None]:
        """Return a context manager that serializes changes to the entry of one minion."""
        return _one_of(self._locks, id)

    def _asking(self, id: str) -> contextlib.AbstractContextManager[None]:
        """Return a context manager that serializes a minion's queries, whose answers may be large."""
        return _one_of(self._askers, id)

    def _allowed(self, functions: Iterable[str], reader: str) -> list[str]:
        """Return the functions that the setting `mine_get` lets a minion read; all without the setting."""
        rules = self._settings.mine_get
        if rules is None:
            return list(functions)
        patterns: list[str] = []
        for who, what in rules.items() if isinstance(rules, Mapping) else ():
            if isinstance(what, list) and matches_start(str(who), reader):
                patterns += map(str, what)
        return [name for name in functions if any(matches_start(pattern, name) for pattern in patterns)]

    def _matching(self, question: MineQuery) -> Iterator[str]:
        """Yield the accepted minions that have a mine and match the target."""
        accepted, turns = self._keys.accepted(), TimeSlice()
        for id in self._banks.list(BANK):
            turns.pause()
            # Pillar is compared exactly, so that no reader learns pillar of other minions by trying patterns.
            if id in accepted and matches(
                question.tgt, question.tgt_type, self._known(id)._replace(exact_pillar=True)
            ):
                yield id

    def _may_read(self, entry: Any, reader: str) -> bool:
        """Return whether the owner of an entry lets a minion read it."""
        if not _has_limits(entry) or "allow_tgt" not in entry:
            return True
        tgt, tgt_type = entry["allow_tgt"], _limit_type(entry)
        try:
            kinds = kinds_of(tgt, tgt_type, self._nodegroups)
            if mistrust(kinds):
                return False
            if kinds & OF_PILLAR and self._expected.minion(reader, greedy=False) is None:
                # A minion without compiled pillar would match each `not I@...`.
                return False
            return matches(tgt, tgt_type, self._known(reader))
        except TargetError as exc:
            log.error("a mine entry has an invalid allow_tgt, so no minion may read it: %s", exc)
            return False

    def _check_limits(self, id: str, entries: Mapping[str, Any]) -> None:
        """Log access limits of new entries that no minion can match."""
        for function, entry in entries.items():
            if not _has_limits(entry) or "allow_tgt" not in entry:
                continue
            try:
                problem = mistrust(kinds_of(entry["allow_tgt"], _limit_type(entry), self._nodegroups))
            except TargetError as exc:
                problem = f"is not a target: {exc}"
            if problem:
                log.error(
                    "%s: no minion may read its mine entry %.100r: allow_tgt %s; name ids, lists, nodegroups"
                    " of ids, or pillar",
                    id,
                    function,
                    problem,
                )

    def _known(self, id: str) -> MinionView:
        """Return the known data of a minion; one without data has no grains to match."""
        return self._expected.minion(id, greedy=False) or MinionView(id, nodegroups=self._nodegroups)


class _Answer:
    """Answer to one query: values while they are few, packed otherwise, to bound memory."""

    def __init__(self, by_function: bool) -> None:
        self._by_function = by_function
        self._values: dict[str, MineValues] = {}
        self._packed: dict[str, dict[str, bytes]] = {}
        self._heavy = 0
        #: Total bytes of the values.
        self.size = 0

    def add(self, id: str, function: str, value: Any) -> None:
        """Add a value of a minion."""
        light = is_light(value)
        packed = offload_heavy(light, pack, pack_network, value)
        self._heavy += not light
        self.size += len(packed) + len(id)
        part = function if self._by_function else ""
        self._packed.setdefault(part, {})[id] = packed
        if self._is_small():
            self._values.setdefault(part, {})[id] = value
        else:
            self._values = {}

    def whole(self) -> Packed | MineValues:
        """Return the answer."""
        if self._is_small():
            return self._values if self._by_function else self._values.get("", {})
        parts = {part: packed_map(by_id) for part, by_id in self._packed.items()}
        return packed_map({part: one.data for part, one in parts.items()}) if self._by_function else parts[""]

    def _is_small(self) -> bool:
        return self._heavy <= _FEW and self.size <= MAX_SIZE


@contextlib.contextmanager
def _one_of(locks: _Locks, id: str) -> Iterator[None]:
    lock = locks.get(id)
    if lock is None:
        lock = locks[id] = gevent.lock.RLock()
    with lock:
        yield


def _chosen(packed: bytes, functions: Sequence[str]) -> MineValues:
    """Return the values of some functions in a packed mine; raise WireError if it cannot be read."""
    entries = _entries(packed)
    return {function: entries[function] for function in functions if function in entries}


def _entries(packed: bytes) -> MineValues:
    entries = unpack(packed) if packed else {}
    return entries if isinstance(entries, dict) else {}


def _added(packed: bytes, data: Mapping[str, Any]) -> tuple[bytes, str]:
    """Return (a packed mine with more values, the reason for a refusal or '')."""
    entries = {**_entries(packed), **data}
    if not has_few_entries(entries, MAX_ENTRIES):
        return b"", f"would exceed the limit of {MAX_ENTRIES} entries"
    changed = pack_large(entries)
    if len(changed) > MAX_SIZE:
        return b"", f"would have {len(changed)} bytes; the limit is {MAX_SIZE}"
    return changed, ""


def _without(packed: bytes, function: str) -> bytes:
    """Return a packed mine without a function, b"" if it does not have it."""
    entries = _entries(packed)
    return b"" if entries.pop(function, None) is None else pack_large(entries)


def _has_limits(entry: Any) -> bool:
    return isinstance(entry, Mapping) and _ACL in entry


def _limit_type(entry: Mapping[str, Any]) -> str:
    return str(entry.get("allow_tgt_type") or "glob")


def _value(entry: Any) -> Any:
    return entry.get(_DATA) if _has_limits(entry) else entry
