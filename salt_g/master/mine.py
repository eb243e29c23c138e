"""The mine: what minions share, and who may read it.

Why its own file: one duty of the master. A minion writes to its own entry only; what it reads is limited by
the setting `mine_get` and by what the owner of each value allows.
Shapes: bank `mine`, key = minion id: {function: value}; a value with limits is {"__data__": value,
"__saltmine_acl__": 1, "allow_tgt": target, "allow_tgt_type": type}.
Source: wire specification, section 9.4; security properties 4 and 10.
"""

from __future__ import annotations

import contextlib
import logging
import weakref
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import gevent.lock

from salt_g.auth.targets import kinds_of, mistrust
from salt_g.cache.banks import Banks
from salt_g.errors import TargetError
from salt_g.keys.store import KeyStore
from salt_g.master.commands import ANY, FLAG, OPTIONAL_TEXT, Command, Field
from salt_g.master.expected import Expected
from salt_g.match.matchers import Minion, matches
from salt_g.offload import breathe
from salt_g.regex import matches_start
from salt_g.shapes import Opts
from salt_g.wire.packing import pack_bus
from salt_g.wire.requests import Request
from salt_g.wire.target_words import OF_PILLAR

log = logging.getLogger(__name__)

BANK = "mine"
#: Largest mine of one minion (bytes): what it adds stays, and others read it.
MAX_SIZE = 16 * 1024 * 1024
#: Longest wait for a commit (s).
STORE_TIMEOUT = 30.0
#: Entries read between two breaths.
_STRIDE = 50

_ACL, _DATA = "__saltmine_acl__", "__data__"
_FUN = Field((str, list), required=True, max_size=4096)


class Question(NamedTuple):
    """What `_mine_get` asks: functions of the minions that a target means."""

    tgt: Any
    tgt_type: str
    functions: tuple[str, ...]
    by_function: bool

    @classmethod
    def from_load(cls, load: Mapping[str, Any]) -> Question:
        """Read the load of `_mine_get`; `expr_form` is an old spelling of `tgt_type`."""
        fun = load["fun"]
        names = fun.split(",") if isinstance(fun, str) else [str(name) for name in fun]
        tgt_type = load.get("tgt_type") or load.get("expr_form") or "glob"
        functions = tuple(dict.fromkeys(names))
        return cls(load["tgt"], str(tgt_type).lower(), functions, isinstance(fun, list) or len(functions) > 1)


class Mine:
    """Keeps and gives out the mine."""

    def __init__(self, opts: Opts, *, banks: Banks, keys: KeyStore, expected: Expected) -> None:
        self._opts = opts
        self._keeps = bool(opts.get("minion_data_cache") or opts.get("enforce_mine_cache"))
        self._banks = banks
        self._keys = keys
        self._nodegroups = opts.get("nodegroups") or {}
        self._expected = expected
        self._locks: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()

    def commands(self) -> dict[str, Command]:
        """Return the commands of this duty."""
        return {
            "_mine": Command(self._mine, {"data": Field((dict,), required=True), "clear": FLAG}),
            "_mine_get": Command(
                self._mine_get,
                {
                    "tgt": Field(required=True),
                    "fun": _FUN,
                    "tgt_type": OPTIONAL_TEXT,
                    "expr_form": OPTIONAL_TEXT,
                },
            ),
            "_mine_delete": Command(self._mine_delete, {"fun": Field((str,), required=True)}),
            "_mine_flush": Command(self._mine_flush, {"force": ANY}),
        }

    def ask(self, tgt: Any, fun: Any, tgt_type: str, *, reader: str) -> dict[str, Any]:
        """Return what `reader` may see; raises TargetError. See `fleet.MineReading`."""
        return self.get(Question.from_load({"tgt": tgt, "fun": fun, "tgt_type": tgt_type}), reader)

    def get(self, question: Question, reader: str) -> dict[str, Any]:
        """Return what `reader` may see: {minion: value}, or {function: {minion: value}}."""
        functions = self._allowed(question.functions, reader)
        found: dict[str, Any] = {}
        for id in self._meant(question) if functions else ():
            entries = self._banks.fetch(BANK, id)
            for function in functions:
                if function in entries and self._may_read(entries[function], reader):
                    value = _value(entries[function])
                    if question.by_function:
                        found.setdefault(function, {})[id] = value
                    else:
                        found[id] = value
        return found

    def _mine(self, request: Request, load: dict[str, Any]) -> bool:
        if self._keeps:
            with self._alone(request.id):
                kept = {} if load.get("clear") else self._banks.fetch(BANK, request.id)
                entries = {**kept, **load["data"]}
                size = len(pack_bus(entries))
                if size > MAX_SIZE:
                    log.error(
                        "%s: its mine would have %d bytes, at most %d are kept", request.id, size, MAX_SIZE
                    )
                    return False
                self._store(request.id, entries)
                self._check_limits(request.id, load["data"])
        return True

    def _mine_get(self, request: Request, load: dict[str, Any]) -> dict[str, Any]:
        try:
            return self.get(Question.from_load(load), request.id)
        except TargetError as exc:
            log.error("%s: asked the mine for a target that is none: %s", request.id, exc)
            return {}

    def _mine_delete(self, request: Request, load: dict[str, Any]) -> bool:
        if self._keeps:
            with self._alone(request.id):
                kept = self._banks.fetch(BANK, request.id)
                if kept.pop(load["fun"], None) is not None:
                    self._store(request.id, kept)
        return True

    def _mine_flush(self, request: Request, load: dict[str, Any]) -> bool:
        if self._keeps:
            with self._alone(request.id):
                self._banks.flush(BANK, request.id).result(STORE_TIMEOUT)
        return True

    def _store(self, id: str, entries: Mapping[str, Any]) -> None:
        self._banks.store(BANK, id, dict(entries)).result(STORE_TIMEOUT)

    @contextlib.contextmanager
    def _alone(self, id: str) -> Iterator[None]:
        """Change the entry of one minion; others are changed meanwhile, in the same commits."""
        lock = self._locks.get(id)
        if lock is None:
            lock = self._locks[id] = gevent.lock.RLock()
        with lock:
            yield

    def _allowed(self, functions: Iterable[str], reader: str) -> list[str]:
        """Return the functions that the setting `mine_get` lets a minion read; without it all."""
        rules = self._opts.get("mine_get")
        if rules is None:
            return list(functions)
        patterns: list[str] = []
        for who, what in rules.items() if isinstance(rules, Mapping) else ():
            if isinstance(what, list) and matches_start(str(who), reader):
                patterns += map(str, what)
        return [name for name in functions if any(matches_start(pattern, name) for pattern in patterns)]

    def _meant(self, question: Question) -> Iterator[str]:
        """Yield the accepted minions that have a mine and are meant by the target."""
        accepted = self._keys.accepted()
        for number, id in enumerate(self._banks.list(BANK)):
            if number % _STRIDE == _STRIDE - 1:
                breathe()
            # Who may read pillar only through patterns must not find it out by trying patterns.
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
                # What the master has made no pillar for would meet each `not I@...`.
                return False
            return matches(tgt, tgt_type, self._known(reader))
        except TargetError as exc:
            log.error("a mine entry has a limit that is no target, so nobody may read it: %s", exc)
            return False

    def _check_limits(self, id: str, entries: Mapping[str, Any]) -> None:
        """Log the limits of new entries that nobody can meet."""
        for function, entry in entries.items():
            if not _has_limits(entry) or "allow_tgt" not in entry:
                continue
            try:
                problem = mistrust(kinds_of(entry["allow_tgt"], _limit_type(entry), self._nodegroups))
            except TargetError as exc:
                problem = f"is no target: {exc}"
            if problem:
                log.error(
                    "%s: nobody may read its mine entry %.100r: allow_tgt %s; name ids, lists, nodegroups"
                    " of ids, or pillar",
                    id,
                    function,
                    problem,
                )

    def _known(self, id: str) -> Minion:
        """Return what is known of a minion; one without data has no grains that could match."""
        return self._expected.minion(id, greedy=False) or Minion(id, nodegroups=self._nodegroups)


def _has_limits(entry: Any) -> bool:
    return isinstance(entry, Mapping) and _ACL in entry


def _limit_type(entry: Mapping[str, Any]) -> str:
    return str(entry.get("allow_tgt_type") or "glob")


def _value(entry: Any) -> Any:
    return entry.get(_DATA) if _has_limits(entry) else entry
