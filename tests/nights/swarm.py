"""Many simulated minions in one process, each with its own session and its own two connections to the master.

They sign in and return as minions do (`salt_g.minion.connection.channel`), have one pair of keys between
them, and answer every job with True; with `--fault-every` some fail what is no ping. Commands on stdin, a
line each: `reconnect ID` hangs up in the middle of whatever goes on and comes back after a moment; `end` or
the end of the input ends. Lines on stdout: `ready N`, `back ID`, `failed ID REASON`. At the end
`ledger.json`: {"received", "acknowledged", "repeated": [[jid, id], ...], "deaf": ids, "most": {function: most
minions at once that had received it and not returned}}.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import sys

import gevent
import gevent.event
import gevent.pool
import zmq
from ear import Ear
from gevent.fileobject import FileObjectPosix

# This file is a program of its own.
sys.path.append(str(pathlib.Path(__file__).parents[2]))

from salt_g.errors import SaltGError
from salt_g.minion.connection.channel import Channel
from salt_g.minion.connection.minion_identity import MinionIdentity, load_identity
from salt_g.minion.settings import ChannelSettings, IdentitySettings
from salt_g.transport.request_client import RequestClient
from salt_g.transport.zeromq import GreenContext
from salt_g.wire.auth_client import Trust
from salt_g.wire.publications import SerialGuard, open_publication
from tests.support.pacing import client_pause, random_client_pause
from tests.support.waiting import hub_until

#: Minion settings read by the channel: stock's defaults.
SETTINGS = {
    "request_channel_timeout": 60,
    "request_channel_tries": 3,
    "return_retry_timer": 5,
    "return_retry_timer_max": 10,
    "return_retry_tries": 3,
    "auth_timeout": 20,
    "auth_tries": 3,
}
#: Maximum number of sockets of libzmq.
MOST_SOCKETS = 65_000
#: Number of newest publications cached decrypted.
OPENED = 256
#: Concurrent sign-ins; maximum pause before a reconnect, and pause between two attempts (s).
AT_ONCE = 32
PAUSE = 2.0


class Known(MinionIdentity):
    """Identity with the keys of another one; all share the master's key learned by the first sign-in."""

    master = None

    def __init__(self, settings, other):
        super().__init__(settings, other.key, other.tok)

    def trust(self):
        """Return the trusted master key."""
        return Trust(known=Known.master)

    def remember(self, master):
        """Store the master's key."""
        Known.master = master

    def invitation(self):
        """Return no enrolment code."""

    def forget_invitation(self):
        """Do nothing: there is no enrolment code."""


class Minion:
    """One simulated minion. `owed` are returns not acknowledged by the master, by jid."""

    def __init__(self, id, swarm, identity, *, is_faulty=False):
        self.id = id
        self._swarm = swarm
        self._is_faulty = is_faulty
        self._channel = Channel(
            ChannelSettings.of(SETTINGS),
            Known(IdentitySettings.of({"id": id, "pki_dir": swarm.root}), identity),
            lambda: RequestClient(swarm.address, context=swarm.context, connections=1),
        )
        self._ear = None
        self._has_received = gevent.event.Event()
        self._answering = gevent.pool.Group()
        self.owed = {}

    @property
    def is_deaf(self):
        """Whether the connection to the publisher is lost."""
        return self._ear is None or not self._ear.is_open

    def sign_in(self):
        """Sign in, and retry without a response."""
        for _ in range(5):
            with contextlib.suppress(SaltGError):
                return self._channel.sign_in()
            random_client_pause(PAUSE)
        return self._channel.sign_in()

    def connect(self):
        """Subscribe to publications."""
        grant = self._channel.sign_in()
        self._has_received.clear()
        self._ear = Ear(self._swarm.host, grant.publish_port, self.id, self._hear)

    def reconnect(self):
        """Disconnect at any point, sign in again, subscribe, and resend unacknowledged returns."""
        self._answering.kill()
        self._ear.close()
        self._channel.forget()
        random_client_pause(PAUSE)
        self.sign_in()
        self.connect()
        for load in list(self.owed.values()):
            self._swarm.repeated.append((load["jid"], self.id))
            self._answering.spawn(self._return, load)
        self._has_received.wait(PAUSE)

    def _hear(self, payload):
        self._has_received.set()
        job, ids = self._swarm.opened(payload, self._channel.grant)
        if self.id in ids:
            self._swarm.received.append((job["jid"], self.id))
            load = {"cmd": "_return", "jid": job["jid"], "fun": job["fun"], "fun_args": [], "return": True}
            is_bad = self._is_faulty and job["fun"] != "test.ping"
            self.owed[job["jid"]] = {**load, "retcode": int(is_bad), "success": not is_bad}
            self._swarm.note_begun(job["fun"])
            self._answering.spawn(self._run, self.owed[job["jid"]])

    def _run(self, load):
        client_pause(self._swarm.duration)
        self._swarm.running[load["fun"]] -= 1
        self._return(load)

    def _return(self, load):
        while True:
            # Sockets may run out while an overloaded master does not respond.
            with contextlib.suppress(SaltGError, zmq.ZMQError):
                self._channel.ask(load)
                del self.owed[load["jid"]]
                self._swarm.acknowledged.append((load["jid"], self.id))
                return
            self._swarm.repeated.append((load["jid"], self.id))
            random_client_pause(PAUSE)


class Swarm:
    """All minions of this process, with their (jid, id) records."""

    def __init__(self, options):
        self.host, self.root = options.host, options.root
        self.address = f"tcp://{options.host}:{options.ret_port}"
        self.context = GreenContext()
        self.context.set(zmq.MAX_SOCKETS, MOST_SOCKETS)
        self.received, self.acknowledged, self.repeated = [], [], []
        self.running, self.most = collections.Counter(), collections.Counter()
        self.duration = options.duration
        self._opened = {}
        identity = load_identity(IdentitySettings.of({"id": "swarm", "pki_dir": options.root}))
        names = [f"swarm-{number:05d}" for number in range(options.minions)]
        every = options.fault_every
        self._minions = {
            id: Minion(id, self, identity, is_faulty=bool(every) and number % every == every - 1)
            for number, id in enumerate(names)
        }
        self._coming = gevent.pool.Pool(AT_ONCE)

    def connect(self):
        """Sign in and subscribe all minions; the first one learns the master's key."""
        first, *others = self._minions.values()
        for minion in (first, *others):
            self._coming.spawn(self._enter, minion)
            if minion is first:
                self._coming.join()
        self._coming.join()
        say("ready", len(self._minions))

    def obey(self, lines):
        """Execute commands until `end`."""
        for line in lines:
            word, _, id = line.strip().partition(" ")
            if word == "end":
                return
            self._coming.spawn(self._reconnect, self._minions[id])

    def opened(self, payload, grant):
        """Return a publication's job and its target; decrypted once, as it is the same for all."""
        found = self._opened.get(payload)
        if found is None:
            job = open_publication(payload, grant.publish, grant.master, SerialGuard())
            meant = job["tgt"] if isinstance(job["tgt"], list) else self._minions
            found = self._opened[payload] = (job, frozenset(meant))
            if len(self._opened) > OPENED:
                del self._opened[next(iter(self._opened))]
        return found

    def note_begun(self, fun):
        """Note that one more minion runs a function."""
        self.running[fun] += 1
        self.most[fun] = max(self.most[fun], self.running[fun])

    def settle(self, seconds):
        """Wait until no return is unacknowledged, with a time limit."""
        self._coming.join(timeout=seconds)
        with contextlib.suppress(AssertionError):
            hub_until(
                lambda: not any(minion.owed for minion in self._minions.values()),
                "the acknowledgement of all returns",
                seconds=seconds,
            )

    def ledger(self):
        """Return the ledger."""
        return {
            "received": self.received,
            "acknowledged": self.acknowledged,
            "repeated": self.repeated,
            "most": self.most,
            "deaf": [minion.id for minion in self._minions.values() if minion.is_deaf],
        }

    def _enter(self, minion):
        minion.sign_in()
        minion.connect()

    def _reconnect(self, minion):
        try:
            minion.reconnect()
        except (SaltGError, OSError, gevent.Timeout) as exc:
            say("failed", minion.id, type(exc).__name__, exc)
        else:
            say("back", minion.id)


def say(*words):
    """Print a line to the parent process."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def lines_of(stream):
    """Yield lines of stdin without blocking the minions."""
    yield from FileObjectPosix(stream.fileno(), "r", closefd=False)


def main():
    """Run until stdin ends or says `end`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--ret-port", type=int, required=True)
    parser.add_argument("--minions", type=int, required=True)
    parser.add_argument("--fault-every", type=int, default=0, help="each so many-th minion fails")
    parser.add_argument("--duration", type=float, default=0.0, help="how long a job runs (s)")
    parser.add_argument("--root", required=True, help="where keys and the ledger are kept")
    options = parser.parse_args()
    swarm = Swarm(options)
    swarm.connect()
    swarm.obey(lines_of(sys.stdin))
    swarm.settle(30)
    (pathlib.Path(options.root) / "ledger.json").write_text(json.dumps(swarm.ledger()))


if __name__ == "__main__":
    main()
