"""Handling of incoming publications: decryption, verification, matching, removal of duplicates.

This is the only place that decides whether a minion runs a job.
Shapes: frames in, loads (wire specification, section 7.2) out.
Units: seconds.
Source: wire specification, sections 2.3, 7 and 12.
"""

from __future__ import annotations

import collections
import contextlib
import logging
import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from salt_g.errors import MasterNotTrusted, SealBroken, TargetError, WireError
from salt_g.minion.connection.channel import Channel
from salt_g.minion.connection.seen_jobs import MatchedJob, SeenJobs
from salt_g.minion.settings import IncomingJobSettings
from salt_g.shapes.loads import JobLoad
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_client import Grant
from salt_g.wire.load_summary import LoadSummary
from salt_g.wire.publications import BROADCAST, SerialGuard, open_publication, payload_of, topic_of

log = logging.getLogger(__name__)

#: Maximum random pause before the sign-in for a new publish key (s): all minions notice the new key at once,
#: and the job that revealed it waits during the pause.
LONGEST_PAUSE = 2.0
#: Maximum length of a jid (characters); jids of masters have 20, or a few more with `unique_jid`.
MAX_JID = 128


class IncomingPublications:
    """Handler of one master's publications; `on_job` receives each job for this minion and its addressees."""

    def __init__(
        self,
        channel: Channel,
        settings: IncomingJobSettings,
        *,
        match: Callable[[JobLoad], MatchedJob],
        on_job: Callable[[JobLoad, MatchedJob], None],
        requires_signature: bool = True,
        seen: SeenJobs | None = None,
        arrived: Callable[[], Iterable[Sequence[bytes]]] = tuple,
        draw: Callable[[float, float], float] = random.uniform,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Initialize; `seen` holds the jobs received from all masters.

        `arrived` returns the publications that have arrived since the last one, without waiting.
        """
        self._channel = channel
        self._match = match
        self._on_job = on_job
        self._requires_signature = requires_signature
        self._longest_pause = min(LONGEST_PAUSE, settings.random_reauth_delay)
        self._draw = draw
        self._sleep = sleep
        self._guard = SerialGuard()
        self._topics = (BROADCAST, topic_of(settings.id))
        self._seen = seen or SeenJobs(settings.minion_jid_queue_hwm)
        self._arrived = arrived
        #: Publications that arrived during the pause before a sign-in, and the grant that this sign-in
        #: replaces.
        self._earlier: collections.deque[Sequence[bytes]] = collections.deque()
        self._outdated: Grant | None = None

    @property
    def topics(self) -> tuple[bytes, ...]:
        """Topics of this minion, for a master that filters publications by topic."""
        return self._topics

    def take(self, frames: Sequence[bytes]) -> None:
        """Pass on the job of one publication; if the publication has an error, log the error and drop it.

        Publications that arrived while this one waited for a new publish key are handled too.
        """
        self._take_earlier()
        self._take(frames, self._open)
        self._take_earlier()

    def _take_earlier(self) -> None:
        while self._earlier:
            self._take(self._earlier.popleft(), self._opened_after_pause)

    def _take(self, frames: Sequence[bytes], open: Callable[[bytes], JobLoad]) -> None:
        try:
            payload = payload_of(frames, self._topics)
            load = None if payload is None else open(payload)
        except MasterNotTrusted as exc:
            log.error("a publication is dropped: %s", exc)
        except WireError as exc:
            log.warning("a publication is dropped: %s", exc)
        else:
            matched = None if load is None else self._addressees(load)
            if load is not None and matched is not None:
                self._on_job(load, matched)

    def _open(self, payload: bytes) -> JobLoad:
        """Decrypt a publication; if its key is new, sign in after a pause and decrypt it again.

        More publications arrive during the pause; one sign-in must serve all, as keys can change quickly.
        """
        try:
            return self._opened(payload)
        except SealBroken:
            log.info("the master has a new publish key")
        self._sleep(self._draw(0, self._longest_pause))
        self._earlier.extend(self._arrived())
        self._outdated = self._channel.grant
        return self._opened_after_pause(payload)

    def _opened_after_pause(self, payload: bytes) -> JobLoad:
        """Decrypt a publication that arrived before or during the pause, with at most one sign-in for all.

        Another request may have signed in already, during or after the pause.
        """
        try:
            return self._opened(payload)
        except SealBroken:
            self._channel.sign_in(instead_of=self._outdated)
        return self._opened(payload)

    def _opened(self, payload: bytes) -> JobLoad:
        """Decrypt a publication with the current publish key, or with a recently replaced one."""
        grant = self._channel.sign_in()
        try:
            return self._opened_with(grant.publish, payload, grant, self._requires_signature)
        except SealBroken:
            # A revoked minion knows the replaced keys, so a signature is required whatever the settings say.
            for key in self._channel.replaced_keys.latest_first():
                with contextlib.suppress(SealBroken, MasterNotTrusted):
                    return self._opened_with(key, payload, grant, True)
            raise

    def _opened_with(self, key: Crypticle, payload: bytes, grant: Grant, requires_signature: bool) -> JobLoad:
        return open_publication(
            payload, key, grant.master, self._guard, requires_signature=requires_signature
        )

    def _addressees(self, load: JobLoad) -> MatchedJob | None:
        """Return the addressees of a job; None if the job is for others, not new, or cannot be used."""
        jid = load["jid"]
        if not _is_jid(jid) or not isinstance(load["arg"], list) or not _is_function(load["fun"]):
            log.warning("a publication is dropped: its jid, fun or arg is invalid")
            return None
        try:
            matched = self._match(load)
        except TargetError as exc:
            log.warning("%s: %s", jid, exc)
            return None
        # A target may call a user's matcher, which may raise anything, including SystemExit; the error
        # affects only this publication.
        except (Exception, SystemExit):
            log.exception("%s: its target cannot be evaluated", jid)
            return None
        log.debug("job %s: %s", LoadSummary(load), "for this minion" if matched.is_anybody else "for others")
        if not matched.is_anybody:
            return None
        return self._seen.new_addressees(jid, matched)


def _is_jid(value: Any) -> bool:
    """Return whether a value is a valid jid, which is also safe as a file name."""
    return isinstance(value, str) and 0 < len(value) <= MAX_JID and value.isascii() and value.isprintable()


def _is_function(fun: Any) -> bool:
    if isinstance(fun, list):
        return bool(fun) and all(isinstance(name, str) for name in fun)
    return isinstance(fun, str)
