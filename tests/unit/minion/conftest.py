"""A fake master in memory: it signs minions in, answers requests, and publishes, without sockets."""

import itertools
import time

import pytest

from salt_g.minion.connection.channel import Channel
from salt_g.minion.connection.minion_identity import MinionIdentity
from salt_g.minion.settings import ChannelSettings, IdentitySettings
from salt_g.process.supervisor import Supervisor
from salt_g.transport.in_memory import (
    MemoryClient,
    MemoryNetwork,
    MemoryPublisher,
    MemoryServer,
    MemorySubscriber,
)
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_server import MasterIdentity, PublishKey, accept, read_sign_in, refuse
from salt_g.wire.envelope import read_envelope
from salt_g.wire.publications import seal_publication
from salt_g.wire.requests import TokenCheck, make_tok, open_request, seal_reply
from salt_g.wire.sessions import KeyRing, SessionKey

OPTS = {
    "id": "m1",
    "master": "salt",
    "master_port": 4506,
    "auth_timeout": 0.5,
    "auth_tries": 1,
    "request_channel_timeout": 5,
    "request_channel_tries": 1,
    "return_retry_timer": 5,
    "return_retry_timer_max": 10,
    "return_retry_tries": 1,
    "acceptance_wait_time": 10,
    "acceptance_wait_time_max": 0,
    "minion_jid_queue_hwm": 3,
    "random_reauth_delay": 10,
    "recon_default": 1000,
    "recon_max": 10000,
    "recon_randomize": False,
    "retry_dns": 30,
    "master_tries": -1,
}


@pytest.fixture
def opts(tmp_path):
    """Return settings of a minion below a temporary directory."""
    (tmp_path / "pki").mkdir()
    return {**OPTS, "pki_dir": str(tmp_path / "pki"), "cachedir": str(tmp_path / "cache")}


@pytest.fixture
def identity(opts, minion_key):
    """Return the minion's identity; no master is known."""
    return MinionIdentity(IdentitySettings.of(opts), minion_key, make_tok(minion_key))


@pytest.fixture
def supervisor():
    """Yield an owner of a test's greenlets."""
    family = Supervisor("test")
    yield family
    family.stop()


class MemoryMaster:
    """A master; `verdict` is its decision about keys (None: accepted), `answers` are replies to commands."""

    def __init__(self, key, supervisor):
        self.key = key
        self.verdict = None
        self.answers = {}
        self.requests = []
        self.sign_ins = 0
        self.network = MemoryNetwork()
        self._serials = itertools.count(1)
        self.rotate_publish_key()
        self.renew_session()
        MemoryServer(self._handle, self.network, supervisor=supervisor).start()
        self.publisher = MemoryPublisher(self.network)

    def rotate_publish_key(self):
        """Replace the key of publications, as a restart does."""
        self.publish_key = PublishKey.prove(Crypticle.generate(), self.key)

    def renew_session(self):
        """Replace the session key: requests under the old one are refused."""
        self.ring = KeyRing(SessionKey(Crypticle.generate()), now=0)

    def seal(self, job, *, signed=True, serial=None):
        """Return a publication."""
        return seal_publication(
            {"tgt": "*", "fun": "test.ping", "arg": [], "jid": "20260102030405678901", "ret": "", **job},
            self.publish_key.crypticle,
            serial=next(self._serials) if serial is None else serial,
            sign_with=self.key if signed else None,
        )

    def publish(self, **job):
        """Send a job to all minions."""
        self.publisher.publish(self.seal(job))

    def _handle(self, arrival):
        envelope = read_envelope(arrival.payload)
        if not envelope.is_sealed:
            return self._sign_in(envelope)
        request = open_request(
            envelope, self.ring, TokenCheck(self.minion_public), now=time.time(), clock=time.monotonic()
        )
        self.requests.append(request.load)
        answer = self.answers.get(request.load["cmd"])
        return seal_reply(request, answer(request.load) if callable(answer) else answer)

    def _sign_in(self, envelope):
        self.sign_ins += 1
        sign_in = read_sign_in(envelope)
        self.minion_public = sign_in.public
        verdict = self.verdict() if callable(self.verdict) else self.verdict
        if verdict is not None:
            return refuse(sign_in, verdict, self.key)
        return accept(sign_in, MasterIdentity(self.key, 4505), self.publish_key, self.ring.current.crypticle)


@pytest.fixture
def master(master_key, supervisor):
    """Return a master in memory."""
    return MemoryMaster(master_key, supervisor)


@pytest.fixture
def channel(opts, identity, master):
    """Return the minion's channel to it."""
    return Channel(ChannelSettings.of(opts), identity, lambda: MemoryClient(master.network))


class MemoryMasters:
    """Several masters by name, as a session reaches them; those not in `masters` do not respond."""

    def __init__(self, masters):
        self.masters = masters
        self.dialled = []

    def connect(self, place):
        """Return the connection to a master's request server."""
        self.dialled.append(place.name)
        found = self.masters.get(place.name)
        return MemoryClient(found.network if found else MemoryNetwork())

    def subscribe(self, place, port, topics, registration):
        """Return the connection from a master's publisher."""
        return MemorySubscriber(self.masters[place.name].network, topics)

    def is_alive(self, place, *, timeout):
        """Return whether a master accepts connections."""
        return place.name in self.masters

    def request_problem(self, place):
        """Return nothing: no port is checked."""

    def publish_problem(self, place, port, result):
        """Return nothing: no port is checked."""


@pytest.fixture
def networks():
    """Return a function that makes a network with these masters: `networks(a=master)`."""
    return lambda **masters: MemoryMasters(masters)
