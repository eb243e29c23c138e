"""Events of other users' jobs, which a user of the machine cannot read."""

import contextlib
import json
import os
import pwd
import subprocess
import sys

import pytest

from tests.support.commands import PROGRAM
from tests.support.free_ports import free_port
from tests.support.peers import DEADLINE, ask_socket

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")

#: Two unprivileged users of this machine.
ALICE, BOB = "nobody", "daemon"
RIGHTS = ["test.*", "@runner", "@wheel"]
SECRET = {"eauth": "sharedsecret", "username": "operations", "password": "geheim"}
#: Program that reads the event socket as another user, sends clear commands, and prints the events.
LISTENER = """
import json, os, socket, sys, threading
import zmq
from salt_g.net.event_bus_addresses import LoopbackPort, connect
from salt_g.wire.envelope import seal_clear
from salt_g.wire.events import FrameReader, unpack_event
from salt_g.wire.packing import unpack
place, port, uid = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
context = zmq.Context()
os.setgroups([]); os.setgid(uid); os.setuid(uid)
events = connect(place if isinstance(place, str) else LoopbackPort(*place))
printing = threading.Lock()
def say(*words):
    with printing:
        print(json.dumps(words, default=repr), flush=True)
def read():
    reader = FrameReader()
    while data := events.recv(65536):
        for body in reader.feed(data):
            say("event", unpack_event(body)[0])
threading.Thread(target=read, daemon=True).start()
say("ready")
for line in sys.stdin:
    with context.socket(zmq.REQ) as request:
        request.linger = 0
        request.connect(f"tcp://127.0.0.1:{port}")
        request.send(seal_clear(json.loads(line), version=3))
        say("reply", unpack(request.recv()) if request.poll(60000) else None)
"""


class Listener:
    """Program of another user at the event socket."""

    def __init__(self, master, user, place=None):
        uid = pwd.getpwnam(user).pw_uid
        place = str(master.sock_dir / "master_event_pub.ipc") if place is None else place
        words = [sys.executable, "-c", LISTENER, json.dumps(place), str(master.ret_port), str(uid)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tags = []
        self.next("ready")

    def next(self, wanted):
        """Return the next output of a kind; store events."""
        for line in self.process.stdout:
            kind, *rest = json.loads(line)
            if kind == "event":
                self.tags.append(rest[0])
            if kind == wanted:
                return rest
        raise AssertionError(f"the listener has ended, {self.tags} were read")

    def order(self, load):
        """Send a command; return the reply."""
        print(json.dumps(load), file=self.process.stdin, flush=True)
        return self.next("reply")[0]

    def read_until(self, end):
        """Read events up to a tag with this suffix."""
        while not any(tag.endswith(end) for tag in self.tags):
            self.next("event")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait(DEADLINE)


@pytest.fixture
def listen():
    with contextlib.ExitStack() as all_of_them:

        def start(*args):
            listener = Listener(*args)
            all_of_them.callback(listener.close)
            return listener

        yield start


@pytest.fixture
def open_master(start_master, start_minion):
    """Return a master with rules for users, and a minion."""

    def start(**settings):
        master = start_master(
            publisher_acl={ALICE: RIGHTS, BOB: RIGHTS},
            external_auth={"sharedsecret": {"operations": RIGHTS}},
            sharedsecret="geheim",
            **settings,
        )
        for path in (master.sock_dir, master.sock_dir.parent):
            path.chmod(0o755)
        start_minion(master)
        return master

    return start


def ping(**proof):
    return {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "m1", "ret": "", "jid": "", **proof}


def key_of(master, user):
    return (master.cachedir / f".{user}_key").read_text().strip()


def as_root(master, *words):
    done = subprocess.run(
        [PROGRAM, "-c", str(master.config_dir), *words], capture_output=True, timeout=DEADLINE, check=False
    )
    assert done.returncode == 0, done.stderr


def jid_of(reply):
    return reply["load"]["jid"]


def test_a_user_reads_the_events_of_its_own_jobs_alone(open_master, listen):
    master = open_master()
    alice, bob = listen(master, ALICE), listen(master, BOB)
    as_root(master, "m1", "test.ping")
    ask_socket(master, {"cmd": "runner", "fun": "test.arg", "kwarg": {}})

    by_key = jid_of(alice.order(ping(user=ALICE, key=key_of(master, ALICE))))
    alice.read_until(f"{by_key}/ret/m1")
    by_login = jid_of(alice.order(ping(kwargs=SECRET)))
    alice.read_until(f"{by_login}/ret/m1")
    of_bob = jid_of(bob.order(ping(user=BOB, key=key_of(master, BOB))))
    bob.read_until(f"{of_bob}/ret/m1")
    last = jid_of(alice.order(ping(kwargs=SECRET)))
    alice.read_until(f"{last}/ret/m1")

    assert {tag.split("/")[2] for tag in alice.tags} == {by_key, by_login, last}
    assert {tag.split("/")[2] for tag in bob.tags} == {of_bob}
    assert bob.tags == [f"salt/job/{of_bob}/{end}" for end in ("new", "publish", "ret/m1")]


def test_a_user_reads_the_events_of_its_own_runners_and_wheel_functions(open_master, listen):
    master = open_master()
    alice, bob = listen(master, ALICE), listen(master, BOB)
    proof = {"user": ALICE, "key": key_of(master, ALICE)}

    run = alice.order({"cmd": "runner", "fun": "jobs.active", "kwarg": {}, **proof})
    alice.read_until(f"{run['tag']}/ret")
    wheel = alice.order({"cmd": "wheel", "fun": "key.list_all", **proof})
    alice.read_until(f"{wheel['tag']}/ret")
    batch = ask_socket(
        master,
        {**ping(user=ALICE), "cmd": "batch", "rules": {"size": "1"}},
        uid=pwd.getpwnam(ALICE).pw_uid,
    )
    alice.read_until(f"{batch['tag']}/complete")
    of_bob = jid_of(bob.order(ping(user=BOB, key=key_of(master, BOB))))
    bob.read_until(f"{of_bob}/ret/m1")

    assert {tag.split("/")[1] for tag in alice.tags} == {"run", "wheel", "batch", "job"}
    assert {tag.split("/")[2] for tag in bob.tags} == {of_bob}


def test_naming_the_jid_of_anothers_job_shows_none_of_its_events(open_master, listen):
    master = open_master()
    alice, bob = listen(master, ALICE), listen(master, BOB)
    jid = jid_of(alice.order(ping(kwargs=SECRET)))
    alice.read_until(f"{jid}/ret/m1")

    # The same login and function: the job goes out once more, and is alice's still.
    bob.order({**ping(kwargs=SECRET), "jid": jid})
    of_bob = jid_of(bob.order(ping(user=BOB, key=key_of(master, BOB))))
    bob.read_until(f"{of_bob}/ret/m1")

    assert {tag.split("/")[2] for tag in bob.tags} == {of_bob}


def test_the_same_holds_for_events_on_a_port(open_master, listen):
    pub, pull = free_port(), free_port()
    master = open_master(ipc_mode="tcp", tcp_master_pub_port=pub, tcp_master_pull_port=pull)
    alice = listen(master, ALICE, ["127.0.0.1", pub])
    bob = listen(master, BOB, ["127.0.0.1", pub])

    jid = jid_of(alice.order(ping(kwargs=SECRET)))
    alice.read_until(f"{jid}/ret/m1")
    of_bob = jid_of(bob.order(ping(user=BOB, key=key_of(master, BOB))))
    bob.read_until(f"{of_bob}/ret/m1")

    assert {tag.split("/")[2] for tag in alice.tags} == {jid}
    assert {tag.split("/")[2] for tag in bob.tags} == {of_bob}


MANY = """
import os, socket, sys
uid = int(sys.argv[2])
os.setgid(uid); os.setuid(uid)
kept = []
for _ in range(520):
    kept.append(socket.socket(socket.AF_UNIX))
    try:
        kept[-1].connect(sys.argv[1])
    except OSError:
        pass
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["salt_g.ipc", "master_event_pub.ipc"])
def test_connections_of_one_user_shut_out_nobody_else(open_master, listen, name):
    master = open_master()
    words = [sys.executable, "-c", MANY, str(master.sock_dir / name), str(pwd.getpwnam(ALICE).pw_uid)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flood:
        assert flood.stdout.readline() == "ready\n"

        as_root(master, "m1", "test.ping")
        bob = listen(master, BOB)
        jid = jid_of(bob.order(ping(user=BOB, key=key_of(master, BOB))))
        bob.read_until(f"{jid}/ret/m1")

        flood.stdin.close()
