"""Malicious peers that speak the protocol: built on `salt_g.wire`, over plain sockets.

A `Peer` has a key pair; it signs in as any id, sends any load under its session, and puts any values into the
envelope and the load.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import secrets
import subprocess
import sys
import time
from typing import Any

import zmq

from salt_g.client.unix_link import UnixLink
from salt_g.errors import WireError
from salt_g.shapes.loads import LoadFields
from salt_g.wire import requests
from salt_g.wire.aes import Crypticle
from salt_g.wire.auth_client import Trust, ask, read_answer
from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import as_bytes, unpack
from salt_g.wire.requests import make_tok, seal_request
from tests.support.commands import PROGRAM, Outcome, outcome_of
from tests.support.daemons import RunningMaster
from tests.support.key_pairs import pair

#: Time limit for a response on a busy machine (s).
DEADLINE = 60.0


def ask_raw(port: int, payload: bytes, *, timeout: float = DEADLINE) -> bytes:
    """Send bytes to the request port; return the response bytes."""
    with zmq.Context() as context, context.socket(zmq.REQ) as socket:
        socket.linger = 0
        socket.connect(f"tcp://127.0.0.1:{port}")
        socket.send(payload)
        if not socket.poll(int(timeout * 1000)):
            raise TimeoutError("the master did not answer")
        return socket.recv()


def ask_clear(master: RunningMaster, load: LoadFields) -> Any:
    """Send a clear command; return the reply."""
    return unpack(ask_raw(master.ret_port, seal_clear(load, version=3)))


def ask_socket(master: RunningMaster, load: LoadFields, *, uid: int | None = None) -> Any:
    """Send a clear command over the master's UNIX socket, as another user when `uid` is given."""
    if uid is not None:
        return _ask_socket_as(uid, master, load)
    with contextlib.closing(UnixLink(str(master.sock_dir))) as link:
        return link.ask(dict(load), timeout=DEADLINE)


def _ask_socket_as(uid: int, master: RunningMaster, load: LoadFields) -> Any:
    program = (
        "import json, os, sys\n"
        "from salt_g.client.unix_link import UnixLink\n"
        "os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))\n"
        "link = UnixLink(sys.argv[1])\n"
        "print(json.dumps(link.ask(json.load(sys.stdin), timeout=60)))\n"
    )
    words = [sys.executable, "-c", program, str(master.sock_dir), str(uid)]
    done = subprocess.run(
        words, input=json.dumps(load), capture_output=True, text=True, timeout=2 * DEADLINE, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Peer:
    """Peer with a key pair at a master's request port."""

    def __init__(self, master: RunningMaster, id: str, number: int = 0) -> None:
        self.master = master
        self.id = id
        self.key = pair(number)
        self.grant: Any = None

    def sign_in(self, id: str | None = None, **more: Any) -> Peer:
        """Sign in as `id`; raises SignInRefused and other errors of the response."""
        payload, attempt = ask(
            id or self.id, self.key.public, Trust(), nonce=secrets.token_hex(16), token=b"", **more
        )
        self.grant = read_answer(ask_raw(self.master.ret_port, payload), attempt, self.key, Trust())
        return self

    def seal(
        self,
        load: LoadFields,
        *,
        id: str | None = None,
        nonce: str | None = None,
        now: float | None = None,
        tok: bytes | None = None,
        session: Crypticle | None = None,
    ) -> bytes:
        """Return a sealed request; each part can be replaced by a wrong one."""
        return seal_request(
            load,
            id or self.id,
            session or self.grant.session,
            nonce=nonce or secrets.token_hex(16),
            now=time.time() if now is None else now,
            tok=tok or make_tok(self.key),
        )

    def ask(self, load: LoadFields, **forged: Any) -> Any:
        """Send a load under the session and return the reply; raises SealBroken for a refusal."""
        nonce = secrets.token_hex(16)
        payload = self.seal(load, nonce=nonce, **forged)
        return requests.open_reply(ask_raw(self.master.ret_port, payload), self.grant.session, nonce)

    def ask_as(self, load: LoadFields, inner_id: object) -> Any:
        """Send a load with an inner id other than that of the envelope."""
        nonce = secrets.token_hex(16)
        inner = {**load, "id": inner_id, "ts": int(time.time()), "nonce": nonce, "tok": make_tok(self.key)}
        envelope = {
            "enc": "aes",
            "load": self.grant.session.seal(inner),
            "version": 3,
            "id": self.id,
            "enc_algo": "OAEP-SHA1",
            "sig_algo": "PKCS1v15-SHA1",
        }
        from salt_g.wire.packing import pack

        return requests.open_reply(ask_raw(self.master.ret_port, pack(envelope)), self.grant.session, nonce)


class Ear:
    """Subscriber at the publish port that receives everything and decrypts what its keys permit."""

    def __init__(self, master: RunningMaster) -> None:
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.SUB)
        self._socket.linger = 0
        self._socket.subscribe(b"")
        self._socket.connect(f"tcp://127.0.0.1:{master.publish_port}")
        # Only the arrival of a publication proves that a subscription is active.
        deadline = time.monotonic() + DEADLINE
        while not self._socket.poll(200):
            assert time.monotonic() < deadline, "no publication came"
            publish(master, "test.ping")

    def opened(self, key: Crypticle, last: Crypticle) -> list[Any]:
        """Return the publications that `key` opens, up to the first that `last` opens."""
        publications = []
        while True:
            assert self._socket.poll(int(DEADLINE * 1000)), "the last publication did not come"
            load = as_bytes(unpack(self._socket.recv_multipart()[-1], binary=("load", "sig"))["load"])
            publications += _opened(key, load)
            if any(job.get("arg") == ["last"] for job in _opened(last, load)):
                return publications

    def close(self) -> None:
        """Close the socket."""
        self._context.destroy(linger=0)


def _opened(key: Crypticle, load: bytes) -> list[Any]:
    try:
        return [key.open(load)]
    except WireError:
        return []


def run(
    master: RunningMaster, *words: str, stdin: str = "", program: str | pathlib.Path = PROGRAM
) -> Outcome:
    """Run `salt-g WORDS` with the master's settings."""
    command = [program, words[0], "-c", str(master.config_dir), *words[1:]]
    return outcome_of(command, stdin=stdin, timeout=2 * DEADLINE)


def publish(master: RunningMaster, fun: Any, *arg: Any, tgt: Any = "*", **more: Any) -> Any:
    """Publish a job with the root key; return the reply's load."""
    load: dict[str, Any] = {
        "cmd": "publish",
        "fun": fun,
        "arg": list(arg),
        "tgt": tgt,
        "tgt_type": "glob",
        "ret": "",
    }
    load.update(key=master.root_key, user=master.settings["user"], jid="", **more)
    reply = ask_clear(master, load)
    return reply.get("load", reply)


__all__ = ["Crypticle", "Ear", "Peer", "ask_clear", "ask_raw", "ask_socket", "pair", "publish", "run"]


def sign_in_load(**changes: Any) -> dict[str, Any]:
    """Return the load of a sign-in of `m9`, with changes."""
    payload, _ = ask("m9", pair(0).public, Trust(), nonce="a" * 32, token=b"")
    return {**unpack(payload)["load"], **changes}
