"""Our half of the wire against stock's daemons: sign-in, publication, return, pillar, events."""

import contextlib
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import tempfile
import time

import gevent
import pytest
import yaml

from salt_g.errors import SealBroken, SignInRefused
from salt_g.hub import Supervisor
from salt_g.transport.bus_client import BusSubscriber
from salt_g.transport.publisher import Publisher
from salt_g.transport.request_client import RequestClient
from salt_g.transport.request_server import RequestServer
from salt_g.transport.subscriber import Subscriber
from salt_g.transport.zeromq import GreenContext, endpoint
from salt_g.wire import auth, envelope, pillars, publications, requests, sign_in
from salt_g.wire.aes import Crypticle, new_key_text
from salt_g.wire.events import unpack_event
from salt_g.wire.packing import pack
from salt_g.wire.rsa import PrivateKey
from salt_g.wire.sessions import KeyRing, SessionKey

#: A stock daemon needs this long to start on a busy machine (s).
STARTUP = 90


@pytest.fixture(autouse=True)
def limit():
    """End a test that waits for ever."""
    with gevent.Timeout(180, TimeoutError("this test waits for something that does not come")):
        yield


@pytest.fixture
def context():
    """A ZeroMQ context."""
    made = GreenContext()
    yield made
    made.destroy(0)


@pytest.fixture
def supervisor():
    """The owner of the test's greenlets."""
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.fixture
def stock(stock_bin):
    """Factory: start a stock daemon with its own root directory; stopped at the end."""
    with contextlib.ExitStack() as stack:

        def start(program, **settings):
            # Not tmp_path: the path of a UNIX socket has 107 bytes at most.
            root = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="salt-", ignore_cleanup_errors=True)
            )
            daemon = StockDaemon(stock_bin, program, pathlib.Path(root), settings)
            stack.callback(daemon.stop)
            daemon.start()
            return daemon

        yield start


class StockDaemon:
    """A stock master or minion on the loopback interface."""

    def __init__(self, stock_bin, program, root, settings):
        self.stock_bin = stock_bin
        self.program = program
        self.root = root
        self.conf = root / "conf"
        self.conf.mkdir(parents=True)
        role = program.removeprefix("salt-")
        text = yaml.safe_dump(
            {
                "root_dir": str(root),
                "pki_dir": str(root / "pki"),
                "cachedir": str(root / "cache"),
                "sock_dir": str(root / "run"),
                "log_file": str(root / "log"),
                "log_level_logfile": "info",
                "enable_fqdns_grains": False,
                "enable_gpu_grains": False,
                **settings,
            }
        )
        (self.conf / role).write_text(text)
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [str(self.stock_bin / self.program), "-c", str(self.conf)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=clean_environment(),
            start_new_session=True,
        )

    def stop(self):
        if self.process is None:
            return
        # The process leads a group of its own: stock's children end with it.
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
            deadline = time.monotonic() + 10
            while self.process.poll() is None and time.monotonic() < deadline:
                gevent.sleep(0.05)
        self.process.wait()

    def run(self, *words):
        """Start one of stock's commands on this daemon's configuration."""
        return subprocess.Popen(
            [str(self.stock_bin / words[0]), "-c", str(self.conf), *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=clean_environment(),
        )

    def log(self):
        path = pathlib.Path(self.root / "log")
        return path.read_text(errors="replace")[-3000:] if path.exists() else ""


def clean_environment():
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SALT")}
    return {**kept, "LC_ALL": "C.UTF-8"}


def free_ports(count):
    """Return ports that are free now; stock wants to know them beforehand."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def finished(process):
    """Return the output of a command that runs beside our greenlets."""
    while process.poll() is None:
        gevent.sleep(0.05)
    with process.stdout:
        return process.stdout.read()


class Minion:
    """The smallest minion: sign in, hear, return."""

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

    def ask(self, load):
        payload, nonce = self.sealed(load)
        return requests.open_reply(self.client.request(payload, timeout=20), self.grant.session, nonce)

    def sealed(self, load):
        nonce = secrets.token_hex(16)
        payload = requests.seal_request(
            load, self.id, self.grant.session, nonce=nonce, now=time.time(), tok=self.tok, **self.algorithms
        )
        return payload, nonce

    def pillar(self):
        algorithms = {"enc_algo": "OAEP-SHA1", "sig_algo": "PKCS1v15-SHA1", **self.algorithms}
        load = {"cmd": "_pillar", "grains": {"id": self.id}, "saltenv": None, "pillarenv": None}
        payload, nonce = self.sealed({**load, "pillar_override": {}, "extra_minion_data": {}, "ver": "2"})
        reply = self.client.request(payload, timeout=30)
        return pillars.open_pillar(reply, self.key, self.grant.master, nonce, **algorithms)

    def subscribe(self, host="127.0.0.1", topics=(b"",)):
        address = endpoint(host, self.grant.publish_port)
        return Subscriber(address, context=self.context, topics=topics, id=self.id)

    def job_of(self, frames):
        payload = publications.payload_of(frames, [publications.BROADCAST, publications.topic_of(self.id)])
        return publications.open_publication(payload, self.grant.publish, self.grant.master, self.guard)


@pytest.fixture
def stock_master(stock):
    """Factory: a stock master that accepts every key."""

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
    """Sign in as soon as the master serves."""
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
            {"zmq_filtering": True, "publish_signing_algorithm": "PKCS1v15-SHA224"},
            {"enc_algo": "OAEP-SHA224", "sig_algo": "PKCS1v15-SHA224"},
        ),
    ],
    ids=["defaults", "filtering and SHA-224"],
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

    gevent.sleep(0.5)
    command = master.run("salt", "--out=json", "-t", "30", "ours-1", "test.ping")
    job = None
    while job is None or job["fun"] != "test.ping":
        job = minion.job_of(subscriber.receive(timeout=60))
    given = {"jid": job["jid"], "fun": job["fun"], "fun_args": job["arg"]}
    reply = minion.ask({"cmd": "_return", **given, "return": True, "retcode": 0, "success": True})

    assert reply is None
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
    """The smallest master: let everybody in, publish, collect loads."""

    def __init__(self, context, supervisor):
        self.key = PrivateKey.generate()
        self.publish = auth.PublishKey.prove(Crypticle.generate(), self.key)
        self.publisher = Publisher([endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor)
        self.server = RequestServer(
            self.handle, [endpoint("127.0.0.1", "*")], context=context, supervisor=supervisor
        )
        self.serials = publications.Serials()
        self.rings, self.checks, self.keys, self.loads = {}, {}, {}, []

    def start(self):
        self.publisher.start()
        self.server.start()
        port = int(self.publisher.addresses[0].rpartition(":")[2])
        self.identity = auth.MasterIdentity(self.key, port)

    def handle(self, arrival):
        outer = envelope.read_envelope(arrival.payload)
        if not outer.is_sealed:
            return self.let_in(auth.read_sign_in(outer))
        request = requests.open_request(
            outer,
            self.rings[outer.id],
            self.checks[outer.id],
            now=time.time(),
            clock=time.monotonic(),
            replays=("_pillar",),
        )
        self.loads.append(request.load)
        if request.load["cmd"] == "_pillar":
            return pillars.seal_pillar(request, {"from": "us"}, self.keys[request.id], self.key)
        return requests.seal_reply(request, True if request.load["cmd"] == "_register_resources" else None)

    def let_in(self, signing):
        if signing.public is None or self.keys.setdefault(signing.id, signing.public) != signing.public:
            return auth.refuse(signing, False, self.key)
        self.checks.setdefault(signing.id, requests.TokenCheck(signing.public))
        session = SessionKey(Crypticle.generate())
        ring = self.rings.setdefault(signing.id, KeyRing(session, now=time.monotonic()))
        return auth.accept(signing, self.identity, self.publish, ring.current.crypticle)

    def send(self, jid, fun, *arg):
        job = {
            "fun": fun,
            "arg": list(arg),
            "tgt": "*",
            "tgt_type": "glob",
            "jid": jid,
            "ret": "",
            "user": "root",
        }
        self.publisher.publish(
            publications.seal_publication(
                job, self.publish.crypticle, serial=self.serials.take(), sign_with=self.key
            )
        )

    def wait_for(self, cmd, *, limit=60, **fields):
        """Return the first load with these fields."""
        deadline = time.monotonic() + limit
        while True:
            assert time.monotonic() < deadline, [load["cmd"] for load in self.loads]
            for load in self.loads:
                if load["cmd"] == cmd and all(load.get(name) == value for name, value in fields.items()):
                    return load
            gevent.sleep(0.02)


def test_a_stock_minion_takes_us_for_a_master(stock, context, supervisor):
    master = Master(context, supervisor)
    master.start()
    ret_port = int(master.server.addresses[0].rpartition(":")[2])
    minion = stock(
        "salt-minion",
        id="stock-1",
        master="127.0.0.1",
        master_port=ret_port,
        sign_pub_messages=True,
        acceptance_wait_time=1,
    )
    master.wait_for("_minion_event", tag="salt/minion/stock-1/start")

    master.send("20261120154610000001", "test.echo", "hello")
    returned = master.wait_for("_return", jid="20261120154610000001")
    master.send("20261120154610000002", "pillar.ls")
    pillar = master.wait_for("_return", jid="20261120154610000002")

    # A new publish key: the next publication makes the minion sign in again and is run all the same.
    master.publish = auth.PublishKey.prove(Crypticle.generate(), master.key)
    master.serials = publications.Serials()
    master.send("20261120154610000003", "test.ping")
    after = master.wait_for("_return", jid="20261120154610000003")

    assert (returned["return"], returned["retcode"], returned["id"]) == ("hello", 0, "stock-1")
    assert pillar["return"] == ["from"]
    assert after["return"] is True
    assert pack(returned)
    assert master.server.dropped == 0
    master.server.stop()
    master.publisher.stop()
