"""Wire protocol against stock's daemons: sign-in, publication, return, pillar, events."""

import contextlib
import json
import pathlib
import secrets
import subprocess
import tempfile
import time

import gevent
import pytest

from salt_g.errors import SealBroken, SignInRefused
from salt_g.process.supervisor import Supervisor
from salt_g.transport.bus_client import BusSubscriber
from salt_g.transport.publisher import Publisher
from salt_g.transport.request_client import RequestClient
from salt_g.transport.request_server import RequestServer
from salt_g.transport.subscriber import Subscriber
from salt_g.transport.zeromq import GreenContext, endpoint, port_of
from salt_g.wire import auth_client as sign_in
from salt_g.wire import auth_server, envelope, pillar_reply, publications, requests
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.events import unpack_event
from salt_g.wire.rsa import PrivateKey
from salt_g.wire.sessions import KeyRing, SessionKey
from tests.support.free_ports import free_ports
from tests.support.stock_daemon import Daemon, clean_environment
from tests.support.waiting import hub_until

#: A stock daemon needs this long to start on a busy machine (s).
STARTUP = 90


@pytest.fixture(autouse=True)
def limit():
    """Fail a test that waits forever."""
    with gevent.Timeout(180, TimeoutError("this test waits for something that does not come")):
        yield


@pytest.fixture
def context():
    """Yield a ZeroMQ context."""
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def supervisor():
    """Yield the owner of the test's greenlets."""
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def stock(stock_bin):
    """Yield a function that starts a stock daemon with its own root directory.

    It is stopped at the end.
    """
    with contextlib.ExitStack() as stack:

        def start(program, *, files=None, **settings):
            # Not tmp_path: the path of a UNIX socket has 107 bytes at most.
            root = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="salt-", ignore_cleanup_errors=True)
            )
            daemon = StockDaemon(stock_bin, program, pathlib.Path(root), settings)
            stack.callback(daemon.stop)
            for name, text in (files or {}).items():
                (daemon.root / name).parent.mkdir(parents=True, exist_ok=True)
                (daemon.root / name).write_text(text)
            daemon.start()
            return daemon

        yield start


class StockDaemon(Daemon):
    """A stock daemon, and stock's commands on its configuration."""

    def __init__(self, stock_bin, program, root, settings):
        super().__init__(program.removeprefix("salt-"), [str(stock_bin / program)], root, settings)
        self.stock_bin = stock_bin
        self.commands = []

    def stop(self, *number):
        """Stop its commands, then the daemon."""
        for command in self.commands:
            if command.poll() is None:
                command.kill()
            command.wait()
            command.stdout.close()
        super().stop(*number)

    def run(self, *words):
        """Start one of stock's commands on this daemon's configuration."""
        command = subprocess.Popen(
            [str(self.stock_bin / words[0]), "-c", str(self.conf), *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=clean_environment(),
        )
        self.commands.append(command)
        return command


def finished(process):
    """Return the output of a command that runs while our greenlets do."""
    hub_until(lambda: process.poll() is not None, "the end of the command")
    return process.stdout.read()


class Minion:
    """A minimal minion: it signs in, receives and returns."""

    def __init__(self, id, key, context, address, **algorithms):
        self.id, self.key, self.context = id, key, context
        self.client = RequestClient(address, context=context)
        self.trust = sign_in.Trust()
        self.algorithms = algorithms
        self.guard = publications.SerialGuard()
        self.tok = requests.make_tok(key)
        self.grant = None

    def sign_in(self, *, timeout=10):
        payload, attempt = sign_in.ask(
            self.id,
            self.key.public,
            self.trust,
            nonce=secrets.token_hex(16),
            token=new_key_text(),
            **self.algorithms,
        )
        reply = self.client.request(payload, timeout=timeout)
        self.grant = sign_in.read_answer(reply, attempt, self.key, self.trust)
        self.trust = sign_in.Trust(known=self.grant.master)

    def ask(self, load, **settings):
        payload, nonce = self.sealed(load, **settings)
        return requests.open_reply(self.client.request(payload, timeout=20), self.grant.session, nonce)

    def sealed(self, load, **settings):
        nonce = secrets.token_hex(16)
        settings = {"nonce": nonce, "now": time.time(), "tok": self.tok, **self.algorithms, **settings}
        payload = requests.seal_request(load, self.id, self.grant.session, **settings)
        return payload, nonce

    def pillar(self):
        algorithms = {"enc_algo": "OAEP-SHA1", "sig_algo": "PKCS1v15-SHA1", **self.algorithms}
        load = {"cmd": "_pillar", "grains": {"id": self.id}, "saltenv": None, "pillarenv": None}
        payload, nonce = self.sealed({**load, "pillar_override": {}, "extra_minion_data": {}, "ver": "2"})
        reply = self.client.request(payload, timeout=30)
        return pillar_reply.open_pillar(reply, self.key, self.grant.master, nonce, **algorithms)

    def subscribe(self, host="127.0.0.1", topics=(b"",)):
        address = endpoint(host, self.grant.publish_port)
        return Subscriber(address, context=self.context, topics=topics, id=self.id)

    def job_of(self, frames):
        payload = publications.payload_of(frames, [publications.BROADCAST, publications.topic_of(self.id)])
        return publications.open_publication(payload, self.grant.publish, self.grant.master, self.guard)


@pytest.fixture
def stock_master(stock):
    """Return a function that starts a stock master that accepts every key."""

    def start(**settings):
        publish_port, ret_port = free_ports(2)
        master = stock(
            "salt-master",
            interface="127.0.0.1",
            publish_port=publish_port,
            ret_port=ret_port,
            auto_accept=True,
            worker_threads=2,
            enable_ssh_minions=False,
            **settings,
        )
        master.address = endpoint("127.0.0.1", ret_port)
        return master

    return start


def signed_in(minion, master):
    """Sign in once the master serves."""
    deadline = time.monotonic() + STARTUP
    while True:
        try:
            minion.sign_in(timeout=2)
            return minion
        except TimeoutError:
            assert time.monotonic() < deadline, master.log()
            assert master.process.poll() is None, master.log()


@pytest.mark.parametrize(
    ("settings", "algorithms"),
    [
        ({}, {}),
        (
            {
                "zmq_filtering": True,
                "publish_signing_algorithm": "PKCS1v15-SHA224",
                "signing_algorithm": "PKCS1v15-SHA224",
                "require_minion_sign_messages": True,
                "drop_messages_signature_fail": True,
            },
            {"enc_algo": "OAEP-SHA224", "sig_algo": "PKCS1v15-SHA224"},
        ),
    ],
    ids=["defaults", "filtering, signatures, SHA-224"],
)
def test_a_stock_master_takes_us_for_a_minion(stock_master, context, settings, algorithms):
    master = stock_master(**settings)
    minion = signed_in(Minion("ours-1", PrivateKey.generate(), context, master.address, **algorithms), master)
    # Signing in again sends a token, which proves the master's key.
    minion.sign_in()
    topics = [publications.BROADCAST, publications.topic_of("ours-1")] if settings else [b""]
    subscriber = minion.subscribe(topics=topics)

    assert minion.pillar() == {}
    assert minion.ask({"cmd": "_file_envs"}) == ["base"]

    # Stock's command starts for longer than the subscription takes to arrive.
    command = master.run("salt", "--out=json", "-t", "30", "ours-1", "test.ping")
    job = None
    while job is None or job["fun"] != "test.ping":
        job = minion.job_of(subscriber.receive(timeout=60))
    given = {"jid": job["jid"], "fun": job["fun"], "fun_args": job["arg"]}
    load = {"cmd": "_return", **given, "return": True, "retcode": 0, "success": True}
    reply = minion.ask(load, sign_with=minion.key if settings else None)

    assert reply is None, master.log()
    assert json.loads(finished(command)) == {"ours-1": True}
    subscriber.close()
    minion.client.close()


def test_a_stock_master_refuses_another_key_and_another_session(stock_master, context):
    master = stock_master()
    minion = signed_in(Minion("ours-1", PrivateKey.generate(), context, master.address), master)
    stranger = Minion("ours-1", PrivateKey.generate(), context, master.address)
    stranger.trust = minion.trust

    with pytest.raises(SignInRefused) as refused:
        stranger.sign_in()
    stranger.grant = minion.grant
    with pytest.raises(SealBroken):
        stranger.ask({"cmd": "_file_envs"})

    assert (refused.value.reason, refused.value.proven) == ("rejected", True)
    minion.client.close()
    stranger.client.close()


def test_events_of_a_stock_master_are_read(stock_master, context):
    master = stock_master()
    minion = signed_in(Minion("ours-1", PrivateKey.generate(), context, master.address), master)
    bus = BusSubscriber(str(master.root / "run" / "master_event_pub.ipc"))

    minion.ask({"cmd": "_minion_event", "tag": "our/tag", "data": {"a": 1}, "pretag": None})
    tag, data = "", {}
    while tag != "our/tag":
        tag, data = unpack_event(bus.receive(timeout=20))

    assert (data["data"], data["id"]) == ({"a": 1}, "ours-1")
    bus.close()
    minion.client.close()


class Master:
    """A minimal master: it accepts everyone, publishes and collects loads."""

    def __init__(self, context, supervisor):
        self.key = PrivateKey.generate()
        self.signing_key = PrivateKey.generate()
        self.publish = auth_server.PublishKey.prove(Crypticle.generate(), self.key)
        self.publisher = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor)
        self.server = RequestServer(
            self.handle, [endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor
        )
        self.serials = publications.Serials()
        self.signs_its_key = False
        self.topics = ()
        self.rings, self.checks, self.keys, self.requests = {}, {}, {}, []

    def start(self):
        self.publisher.start()
        self.server.start()
        port = port_of(self.publisher.addresses[0])
        self.identity = auth_server.MasterIdentity(self.key, port, self.key_signature)

    def key_signature(self, sig_algo):
        if not self.signs_its_key:
            return b""
        return auth_server.sign_master_key(self.key.public, self.signing_key, sig_algo)

    def stop(self):
        self.server.stop()
        self.publisher.stop()

    def handle(self, arrival):
        outer = envelope.read_envelope(arrival.payload)
        if not outer.is_sealed:
            return self.let_in(auth_server.read_sign_in(outer))
        request = requests.open_request(
            outer,
            self.rings[outer.id],
            self.checks[outer.id],
            now=time.time(),
            clock=time.monotonic(),
            replays=("_pillar",),
        )
        self.requests.append(request)
        if request.load["cmd"] == "_pillar":
            return pillar_reply.seal_pillar(request, {"from": "us"}, self.keys[request.id], self.key)
        return requests.seal_reply(request, True if request.load["cmd"] == "_register_resources" else None)

    def let_in(self, signing):
        if signing.public is None or self.keys.setdefault(signing.id, signing.public) != signing.public:
            return auth_server.refuse(signing, False, self.key)
        self.checks.setdefault(signing.id, requests.TokenCheck(signing.public))
        session = SessionKey(Crypticle.generate())
        ring = self.rings.setdefault(signing.id, KeyRing(session, now=time.monotonic()))
        return auth_server.accept(signing, self.identity, self.publish, ring.current.crypticle)

    def send(self, jid, fun, *arg):
        job = {"fun": fun, "arg": list(arg), "tgt": "*", "tgt_type": "glob", "jid": jid, "ret": ""}
        payload = publications.seal_publication(
            {**job, "user": "root"},
            self.publish.crypticle,
            serial=self.serials.take(),
            sign_with=self.key,
            sig_algo="PKCS1v15-SHA224",
        )
        self.publisher.publish(payload, self.topics)

    def wait_for(self, cmd, **fields):
        """Return the first request with these fields."""
        return hub_until(lambda: self._request(cmd, fields), f"{cmd} with {fields}")

    def _request(self, cmd, fields):
        return next(
            (
                request
                for request in self.requests
                if request.load["cmd"] == cmd and fields.items() <= request.load.items()
            ),
            None,
        )

    def result_of(self, jid, fun, *arg):
        """Publish a job and return its result."""
        self.send(jid, fun, *arg)
        return self.wait_for("_return", jid=jid).load


@pytest.fixture
def our_master(context, supervisor):
    """Yield a running master of ours."""
    master = Master(context, supervisor)
    master.start()
    yield master
    master.stop()


def minion_settings(master):
    return {
        "id": "stock-1",
        "master": "127.0.0.1",
        "master_port": port_of(master.server.addresses[0]),
        "sign_pub_messages": True,
        "acceptance_wait_time": 1,
    }


def test_a_stock_minion_takes_us_for_a_master(stock, our_master):
    stock("salt-minion", **minion_settings(our_master))
    our_master.wait_for("_minion_event", tag="salt/minion/stock-1/start")

    returned = our_master.result_of("20261120154610000001", "test.echo", "hello")
    pillar = our_master.result_of("20261120154610000002", "pillar.ls")

    assert (returned["return"], returned["retcode"], returned["id"]) == ("hello", 0, "stock-1")
    assert pillar["return"] == ["from"]
    assert our_master.server.dropped == 0

    # A new publish key: the next publication makes the minion sign in again, and is run all the same.
    our_master.publish = auth_server.PublishKey.prove(Crypticle.generate(), our_master.key)
    our_master.serials = publications.Serials()

    assert our_master.result_of("20261120154610000003", "test.ping")["return"] is True


def test_a_stock_minion_that_is_strict_takes_us_for_a_master(stock, our_master):
    our_master.signs_its_key = True
    our_master.topics = [publications.topic_of("stock-1")]
    stock(
        "salt-minion",
        files={"pki/master_sign.pub": our_master.signing_key.public.pem + "\n"},
        **minion_settings(our_master),
        encryption_algorithm="OAEP-SHA224",
        signing_algorithm="PKCS1v15-SHA224",
        verify_master_pubkey_sign=True,
        minion_sign_messages=True,
        zmq_filtering=True,
    )
    started = our_master.wait_for("_minion_event", tag="salt/minion/stock-1/start")

    our_master.send("20261120154610000001", "test.echo", "hello")
    returned = our_master.wait_for("_return", jid="20261120154610000001")

    assert (started.enc_algo, started.sig_algo) == ("OAEP-SHA224", "PKCS1v15-SHA224")
    assert returned.load["return"] == "hello"
    assert requests.is_signed(returned.load, our_master.keys["stock-1"], returned.sig_algo)
