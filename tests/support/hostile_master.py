"""A hostile master: it admits a minion, answers its requests, and publishes what a test wants."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import zmq

from salt_g.data import jid as jids
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_server import MasterIdentity, PublishKey, SignIn, accept, read_sign_in
from salt_g.wire.envelope import read_envelope
from salt_g.wire.packing import pack
from salt_g.wire.pillar_reply import seal_pillar
from salt_g.wire.publications import seal_publication
from salt_g.wire.requests import TokenCheck, open_request, seal_reply
from salt_g.wire.rsa import PrivateKey
from salt_g.wire.sessions import KeyRing, SessionKey
from tests.support.key_pairs import pair
from tests.support.peers import DEADLINE

#: How long an honest job may take before another is sent (s).
MARKER_PAUSE = 5.0


class HostileMaster:
    """Hostile master: two sockets and a thread. Lifecycle: running on creation, `close`.

    `change_answer(sign_in, answer)` may return other bytes for a sign-in. `returns` is a queue of received
    returns, `sign_ins` counts.
    """

    def __init__(self, number: int = 2) -> None:
        self.key = pair(number)
        self.publish = PublishKey.prove(Crypticle.generate(), self.key)
        self.change_answer: Callable[[SignIn, bytes], bytes] = lambda sign_in, answer: answer
        self.returns: queue.Queue[dict[str, Any]] = queue.Queue()
        self.sign_ins = 0
        self.serial = 0
        self._others: list[dict[str, Any]] = []
        self._markers: set[str] = set()
        self._session = KeyRing(SessionKey(Crypticle.generate()), now=0.0)
        self._public: Any = None
        self._context = zmq.Context()
        self._requests = self._context.socket(zmq.REP)
        self._publisher = self._context.socket(zmq.XPUB)
        self.ret_port = self._requests.bind_to_random_port("tcp://127.0.0.1")
        self.publish_port = self._publisher.bind_to_random_port("tcp://127.0.0.1")
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread and close the sockets."""
        self._ends.set()
        self._thread.join(DEADLINE)
        self._context.destroy(linger=0)

    def job(self, fun: str = "test.echo", arg: Iterable[Any] = ("x",), **more: Any) -> dict[str, Any]:
        """Return a job for all minions."""
        job = {"fun": fun, "arg": list(arg), "tgt": "*", "tgt_type": "glob", "jid": jids.make(), "ret": ""}
        return {**job, "user": "root", **more}

    def seal(
        self,
        job: Mapping[str, Any],
        *,
        sign_with: PrivateKey | Literal["own"] | None = "own",
        serial: Any = "next",
        key: Crypticle | None = None,
        sig_algo: str = "PKCS1v15-SHA1",
    ) -> bytes:
        """Return a publication; each part can be replaced by a wrong one."""
        if serial == "next":
            self.serial += 1
            serial = self.serial
        signer = self.key if sign_with == "own" else sign_with
        crypticle = key or self.publish.crypticle
        forged: Any = job
        return seal_publication(forged, crypticle, serial=serial, sign_with=signer, sig_algo=sig_algo)

    def send(self, payload: bytes) -> None:
        """Publish bytes."""
        self._publisher.send(payload)

    def return_of(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Wait for the return of a job; other returns are kept for `ran`."""
        return self._wait_for({job["jid"]})

    def ran(self) -> list[Any]:
        """Return the arguments of the jobs that the minion has run and whose returns were not awaited.

        Two valid jobs are sent, one after the other. By the return of the second, each job that the minion
        accepted before the first has had time to return, too.
        """
        for _ in range(2):
            self._send_marker()
        values = [load["return"] for load in self._others]
        self._others.clear()
        return values

    def _send_marker(self) -> dict[str, Any]:
        """Send a valid job until one returns: a connecting minion misses publications."""
        deadline = time.monotonic() + DEADLINE
        markers: set[str] = set()
        while time.monotonic() < deadline:
            marker = self.job(arg=["honest"])
            markers.add(marker["jid"])
            self._markers.add(marker["jid"])
            self.send(self.seal(marker))
            with contextlib.suppress(queue.Empty):
                return self._wait_for(markers, MARKER_PAUSE)
        raise AssertionError(f"no honest job came back within {DEADLINE:g} s")

    def _wait_for(self, jids: Collection[str], timeout: float = DEADLINE) -> dict[str, Any]:
        """Return the first return of one of these jobs; raises `queue.Empty` after `timeout` seconds."""
        for index, load in enumerate(self._others):
            if load["jid"] in jids:
                return self._others.pop(index)
        deadline = time.monotonic() + timeout
        while True:
            load = self.returns.get(timeout=max(deadline - time.monotonic(), 0))
            if load["jid"] in jids:
                return load
            # A marker that was late already has a successor.
            if load["jid"] not in self._markers:
                self._others.append(load)

    def _serve(self) -> None:
        while not self._ends.is_set():
            if self._requests.poll(50):
                self._requests.send(self._answer(self._requests.recv()))

    def _answer(self, payload: bytes) -> bytes:
        envelope = read_envelope(payload)
        if not envelope.is_sealed:
            return self._let_in(read_sign_in(envelope))
        request = open_request(
            envelope,
            self._session,
            TokenCheck(self._public),
            now=time.time(),
            clock=0.0,
            replays=("_pillar",),
        )
        if request.load["cmd"] == "_pillar":
            return seal_pillar(request, {}, self._public, self.key)
        if request.load["cmd"] == "_return":
            self.returns.put(request.load)
        return seal_reply(request, {})

    def _let_in(self, sign_in: SignIn) -> bytes:
        self.sign_ins += 1
        self._public = sign_in.public
        identity = MasterIdentity(self.key, self.publish_port)
        answer = accept(sign_in, identity, self.publish, self._session.current.crypticle)
        return self.change_answer(sign_in, answer)


def resigned(master: HostileMaster, sign_in: SignIn, load: Mapping[str, Any]) -> bytes:
    """Return a sign-in answer with other content, signed correctly."""
    body = pack(load)
    return pack({"enc": "clear", "load": body, "sig": master.key.sign(body, sign_in.sig_algo)})


@contextlib.contextmanager
def running_hostile_master(number: int = 2) -> Iterator[HostileMaster]:
    """Run a hostile master for the duration of the block."""
    master = HostileMaster(number)
    try:
        yield master
    finally:
        master.close()
