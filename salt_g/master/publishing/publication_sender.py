"""Outgoing publications: encrypted, signed, numbered, in one order.

Minions drop a publication whose serial is not above the last one, so numbering and sending are one atomic
step.
Source: wire specification, sections 2.3 and 7.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import gevent.lock

from salt_g.errors import SaltGError
from salt_g.master.publishing.publish_keys import PublishKeys
from salt_g.master.settings import PublicationSettings
from salt_g.process.offload import offload
from salt_g.shapes.loads import JobLoad
from salt_g.transport.protocols import PublishTransport as Publisher
from salt_g.wire.publications import seal_publication, topics_of
from salt_g.wire.rsa import PrivateKey

log = logging.getLogger(__name__)


class PendingPublication(NamedTuple):
    """Job on its way to minions; `serial` is its number in a cluster, where all masters count together."""

    job: JobLoad
    ids: Sequence[str]
    by_topic: bool = False
    serial: int = 0


class PublicationSender:
    """Sender to the publish port; jobs reach it through `publication_gate.py`."""

    def __init__(
        self,
        settings: PublicationSettings,
        *,
        key: PrivateKey,
        publish_keys: PublishKeys,
        publisher: Publisher,
    ) -> None:
        self._sign_with = key if settings.sign_pub_messages else None
        if self._sign_with is None:
            log.warning("sign_pub_messages is off: any minion can publish in the name of this master")
        self._sig_algo = settings.publish_signing_algorithm
        self._filters = settings.zmq_filtering
        self._orders_masters = settings.order_masters
        self._publish_keys = publish_keys
        self._publisher = publisher
        self._turn = gevent.lock.Semaphore(1)

    def send(self, job: JobLoad, ids: Sequence[str], *, by_topic: bool = False, serial: int = 0) -> None:
        """Send a job for `ids` to all subscribers; with `by_topic` and `zmq_filtering` to their topics only.

        Raise NoReply if the publish port accepts no more messages, WireError if the job cannot be encrypted.
        """
        (error,) = self.send_many([PendingPublication(job, ids, by_topic, serial)])
        if error is not None:
            raise error

    def send_many(self, several: Sequence[PendingPublication]) -> list[SaltGError | None]:
        """Send jobs in their order, encrypted in one go; return the error of each that was not sent."""
        with self._turn:
            payloads = self._sealed_now(several)
            return [self._published(payload, one) for payload, one in zip(payloads, several, strict=True)]

    def _published(self, payload: bytes | SaltGError, one: PendingPublication) -> SaltGError | None:
        if isinstance(payload, SaltGError):
            return payload
        try:
            self._publisher.publish(payload, self._topics(one.ids if one.by_topic else None))
        except SaltGError as exc:
            return exc
        return None

    def send_under_previous(self, job: JobLoad) -> None:
        """Send a message without secrets under the previous publish key, if there was one."""
        with self._turn:
            if self._publish_keys.previous is not None:
                key, serials = self._publish_keys.previous
                payload = offload(self._sealed, job, key, serials.take())
                self._publisher.publish(payload, self._topics(None))

    def _sealed_now(self, several: Sequence[PendingPublication]) -> list[bytes | SaltGError]:
        """Encrypt jobs, and retry if the key was replaced meanwhile."""
        while True:
            key = self._publish_keys.current().crypticle
            generation = self._publish_keys.generation
            numbered = [(one.job, self._publish_keys.serials.next(one.serial)) for one in several]
            payloads = offload(self._all_sealed, numbered, key)
            # A minion that knows the key may have been revoked meanwhile.
            if generation == self._publish_keys.generation:
                return payloads

    def _all_sealed(self, numbered: Sequence[tuple[JobLoad, int]], key: Any) -> list[bytes | SaltGError]:
        payloads: list[bytes | SaltGError] = []
        for job, serial in numbered:
            try:
                payloads.append(self._sealed(job, key, serial))
            except SaltGError as exc:
                payloads.append(exc)
        return payloads

    def _sealed(self, job: JobLoad, key: Any, serial: int) -> bytes:
        return seal_publication(job, key, serial=serial, sign_with=self._sign_with, sig_algo=self._sig_algo)

    def _topics(self, to: Sequence[str] | None) -> list[bytes]:
        return topics_of(to, orders_masters=self._orders_masters) if self._filters else []
