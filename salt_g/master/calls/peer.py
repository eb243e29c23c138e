"""Commands with which minions call other minions and runners: settings `peer` and `peer_run`.

Both settings are {pattern of ids: [permissions]}; patterns match whole ids, and a minion that matches none
has no permissions.
Shapes: `minion_pub` answers {jid, minions}, `pub_ret` {id: {"ret": value}}, `minion_publish` {id: value}; a
forbidden call is answered with {}.
Source: wire specification, section 9.5; security properties 1, 4 and 10.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.auth.called_functions import with_called
from salt_g.auth.limited_jobs import forged_names, further_calls
from salt_g.auth.local_users import blacklisted
from salt_g.auth.permissions import FunctionCall, allows, calls_of, matches_whole
from salt_g.auth.targets import PermissionTargets
from salt_g.cache.banks import Banks
from salt_g.cache.jobs import Jobs
from salt_g.data.nested import DELIMITER
from salt_g.errors import StoreError, TargetError, WireError
from salt_g.event.bus import Bus, Subscription
from salt_g.loader.arguments import parse_words
from salt_g.loader.job_arguments import KWARG
from salt_g.master.commands import ANY, OPTIONAL_TEXT, TEXT, Field, WireCommand
from salt_g.master.publishing.publish import JobPublisher
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import PeerSettings
from salt_g.process.offload import offload_heavy
from salt_g.services.daemons import Calls
from salt_g.shapes import Arguments, MasterCall
from salt_g.shapes.loads import JobLoad, PeerLoad, PublishReply
from salt_g.wire.compound_words import criteria
from salt_g.wire.requests import SealedRequest
from salt_g.wire.value_size import is_light

log = logging.getLogger(__name__)

#: Bank of the minions that published jobs: {jid: minion id}.
BANK = "publish_auth"
#: Longest wait of `minion_publish` for returns (s); a minion waits as long for its answer.
LONGEST_WAIT = 60.0
_DEFAULT_WAIT = 5.0
#: Maximum number of entries and of characters in a peer call; a job for thousands of listed minions has many
#: of both.
MAX_ENTRIES, MAX_SIZE = 20_000, 1024 * 1024
#: Maximum number of entries and of characters in arguments that are parsed as YAML on the hub, in some 3 ms.
_FEW, _SHORT = 50, 2048
_PUBLISHING = re.compile(r"publish(\..*)?\Z", re.S)
_TARGET = Field((str, list), required=True)
_JOB_FIELDS = {
    "fun": TEXT,
    "arg": Field((list,), required=True),
    "tgt": _TARGET,
    "tgt_type": OPTIONAL_TEXT,
    "ret": OPTIONAL_TEXT,
    "no_parse": Field((list, type(None)), max_size=1000),
    "tmo": ANY,
    "form": OPTIONAL_TEXT,
}


class PeerCalls:
    """Handler of peer calls."""

    def __init__(
        self,
        settings: PeerSettings,
        *,
        publishing: JobPublisher,
        calls: Calls,
        expected: TargetResolution,
        jobs: Jobs,
        banks: Banks,
        bus: Bus,
        is_owned: Callable[[str, str], bool] = lambda id, jid: True,
        audit: Callable[[Mapping[str, Any]], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Initialize; `audit` writes each decision.

        `is_owned(id, jid)` returns whether the current owner of the id published the job.
        """
        self._settings = settings
        self._publishing = publishing
        self._calls = calls
        self._expected = expected
        self._jobs = jobs
        self._banks = banks
        self._bus = bus
        self._is_owned = is_owned
        self._audit = audit
        self._clock = clock
        self._targets = PermissionTargets(settings.nodegroups, self._resolve)

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire commands for peer calls."""
        run = {name: _JOB_FIELDS[name] for name in ("fun", "arg", "no_parse", "tmo")}
        return {
            "minion_pub": WireCommand(self._pub, _JOB_FIELDS),
            "minion_publish": WireCommand(self._publish, _JOB_FIELDS),
            "pub_ret": WireCommand(self._ret, {"jid": TEXT}),
            "minion_runner": WireCommand(self._runner, run),
        }

    def _pub(self, request: SealedRequest, load: PeerLoad) -> Any:
        _check_size(request.id, load)
        job = self._job(request.id, load)
        return self._order(request.id, job) if job is not None else {}

    def _publish(self, request: SealedRequest, load: PeerLoad) -> Any:
        _check_size(request.id, load)
        job = self._job(request.id, load)
        if job is None:
            return {}
        with self._bus.subscribe("salt/job/", name=f"peer {request.id}") as events:
            ordered = self._order(request.id, job)
            if ordered:
                self._wait(events, ordered, _seconds(load.get("tmo")))
        jid = ordered.get("jid") if ordered else None
        returns = self._jobs.get_returns(jid) if jid else {}
        if load.get("form") == "full":
            return {id: {**kept, "ret": kept["return"]} for id, kept in returns.items()}
        return {id: kept["return"] for id, kept in returns.items()}

    def _ret(self, request: SealedRequest, load: PeerLoad) -> Any:
        owner = self._banks.fetch(BANK, load["jid"])
        if not owner:
            return ""
        if owner != request.id or not self._is_owned(request.id, load["jid"]):
            log.warning(
                "%s: refused the returns of job %s, which %s published, perhaps with an earlier key",
                request.id,
                load["jid"],
                owner,
            )
            return {}
        return {id: {"ret": kept["return"]} for id, kept in self._jobs.get_jid(load["jid"]).items()}

    def _runner(self, request: SealedRequest, load: PeerLoad) -> Any:
        _check_size(request.id, load)
        permissions = _of_minion(self._settings.peer_run, request.id)
        if not load["fun"] or not any(matches_whole(pattern, load["fun"]) for pattern in permissions):
            log.warning("%s: may not call runner %.64r", request.id, load["fun"])
            self._note(request.id, {"fun": load["fun"]}, is_allowed=False)
            return {}
        self._note(request.id, {"fun": load["fun"]}, is_allowed=True)
        [(fun, args, kwargs)] = calls_of(load["fun"], _parsed(load["arg"], load.get("no_parse")))
        log.info("%s: calls runner %s", request.id, fun)
        return self._calls.run(MasterCall("runner", fun, args, kwargs, self._settings.user))

    def _job(self, id: str, load: PeerLoad) -> JobLoad | None:
        """Return the job that a minion asks to publish, or None without permission."""
        if not _of_minion(self._settings.peer, id):
            # Refused before its arguments are parsed as YAML, because that takes long.
            log.warning("%s: may not publish %.64r to %.64r", id, load["fun"], load["tgt"])
            self._note(id, load, is_allowed=False)
            return None
        job: JobLoad = {
            "fun": load["fun"],
            "arg": _parsed(load["arg"], load.get("no_parse")),
            "tgt": load["tgt"],
            "tgt_type": str(load.get("tgt_type") or "glob").lower(),
            "ret": load.get("ret") or "",
            "id": id,
        }
        if "," in load["fun"]:
            job["fun"] = load["fun"].split(",")
            job["arg"] = [_parsed(_words(each), load.get("no_parse")) for each in load["arg"]]
        calls = with_called(calls_of(job["fun"], job["arg"]))
        is_allowed = self._may(id, calls, job)
        self._note(id, job, is_allowed=is_allowed)
        if not is_allowed:
            log.warning("%s: may not publish %.64r to %.64r", id, load["fun"], load["tgt"])
            return None
        return job

    def _note(self, id: str, load: Mapping[str, Any], *, is_allowed: bool) -> None:
        """Write a decision about a minion to the audit chain, if there is one."""
        if self._audit is not None:
            about = {name: load[name] for name in ("fun", "tgt", "tgt_type") if name in load}
            verdict = "allowed" if is_allowed else "refused"
            self._audit({"what": "peer", "user": id, **about, "verdict": verdict})

    def _may(self, id: str, calls: list[FunctionCall], job: JobLoad) -> bool:
        permissions = _of_minion(self._settings.peer, id)
        names = [call.fun for call in calls]
        if not permissions or any(_PUBLISHING.match(name) for name in names):
            return False
        if blacklisted(self._settings.publisher_acl_blacklist, (), names):
            return False
        further = further_calls(job["ret"], {}, always=self._settings.ext_job_cache)
        if not calls or further is None or forged_names(calls):
            return False
        if _probes_pillar(job["tgt"], job["tgt_type"]):
            return False
        kind = "nodegroup" if job["tgt_type"].startswith("node") else job["tgt_type"]
        try:
            ids = self._resolve(job["tgt"], kind, True)
        except TargetError:
            return False
        return allows(permissions, [*calls, *further], ids, self._targets.ids)

    def _order(self, id: str, job: JobLoad) -> PublishReply:
        if job["tgt_type"].startswith("node"):
            job["tgt_type"] = "nodegroup"
        ordered = self._publishing.publish(job, user=self._settings.user, source=id)
        jid = ordered.get("jid")
        if not jid:
            return {}
        # Kept for as long as the job itself.
        lifetime = self._settings.keep_jobs_seconds or None
        try:
            # The minion asks for the returns at once, so this must be saved before the minion knows the jid.
            self._banks.store(BANK, jid, id, expires=lifetime).result()
        except (StoreError, TimeoutError) as exc:
            log.error("%s: will not be able to see the returns of job %s: %s", id, jid, exc)
        log.info("%s: publishes job %s: %s", id, jid, job["fun"])
        return {"jid": jid, "minions": ordered["minions"]}

    def _wait(self, events: Subscription, ordered: Mapping[str, Any], seconds: float) -> None:
        """Wait until all minions of a job have returned, for at most `seconds`."""
        deadline = self._clock() + seconds
        missing = set(ordered["minions"])
        start = f"salt/job/{ordered['jid']}/ret/"
        while missing and (left := deadline - self._clock()) > 0:
            event = events.get(left)
            if event is not None and event.tag.startswith(start):
                missing.discard(event.tag[len(start) :])

    def _resolve(self, tgt: Any, tgt_type: str, greedy: bool) -> frozenset[str]:
        resolved = self._expected.resolve_all(tgt, tgt_type, delimiter=DELIMITER, greedy=greedy)
        return frozenset(resolved.minions)


def _of_minion(setting: Any, id: str) -> list[Any]:
    """Return the permissions that a setting grants to a minion."""
    permissions: list[Any] = []
    for pattern, given in setting.items() if isinstance(setting, Mapping) else ():
        if isinstance(given, list) and matches_whole(str(pattern), id):
            permissions += given
    return permissions


def _check_size(id: str, load: PeerLoad) -> None:
    """Raise WireError for a call larger than any meaningful one."""
    if not is_light(load, entries=MAX_ENTRIES, size=MAX_SIZE):
        raise WireError(f"{id}: a peer call with more than {MAX_ENTRIES} entries or {MAX_SIZE} characters")


def _parsed(arg: list[Any], no_parse: Any) -> list[Any]:
    """Return arguments as a command line would send them; text is parsed as YAML."""
    return offload_heavy(is_light(arg, entries=_FEW, size=_SHORT), _read, _read, arg, no_parse)


def _read(arg: list[Any], no_parse: Any) -> list[Any]:
    unparsed = {str(name) for name in no_parse or ()}
    args: list[Any] = []
    kwargs: Arguments = {}
    for value in arg:
        if isinstance(value, str):
            values, named = parse_words([value], unparsed=unparsed)
            args += values
            kwargs.update(named)
        else:
            args.append(value)
    return [*args, {KWARG: True, **kwargs}] if kwargs else args


def _words(value: Any) -> list[Any]:
    return value.split() if isinstance(value, str) else list(value) if isinstance(value, list) else [value]


def _probes_pillar(tgt: Any, tgt_type: str) -> bool:
    """Return whether a target matches pillar by patterns, which would reveal other minions' values."""
    return any(
        kind == "pillar_pcre" or (kind == "pillar" and re.search(r"[*?\[]", pattern) is not None)
        for kind, pattern in criteria(tgt, tgt_type)
    )


def _seconds(tmo: Any) -> float:
    try:
        return min(max(0.0, float(tmo)), LONGEST_WAIT)
    except (TypeError, ValueError):
        return _DEFAULT_WAIT
