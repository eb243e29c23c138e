"""The minion's side: sign-in, encrypted requests, pillar, files, returns, publications.

Source: wire specification, sections 5 to 9.
"""

import base64
import hashlib
import hmac
import os
import time
import uuid
import zlib

import gevent
import gevent.lock
import msgpack
import zmq.green as zmq

from wire.aes import Crypticle
from wire.errors import AuthError, KeyPending, KeyRejected, MasterFull, Refused, Timeout, WireError
from wire.packing import as_bytes, text, unpack
from wire.requests import PROTOCOL_VERSION, ReqClient
from wire.rsa import KeyPair, oaep_decrypt, oaep_encrypt, rsa_verify, x931_recover
from wire.trust import MasterTrust


class Minion:
    """The minion's side of the conversation."""

    AUTH_BINARY = ("aes", "session", "token", "sig")

    def __init__(
        self,
        minion_id,
        host,
        ret_port=4506,
        publish_port=None,
        keys=None,
        pki_dir=None,
        trust=None,
        context=None,
        enc_algo="OAEP-SHA1",
        sig_algo="PKCS1v15-SHA1",
        timeout=30,
        send_token=True,
    ):
        self.id = minion_id
        self.host = host
        self.publish_port = publish_port
        self.keys = keys or KeyPair.load_or_create(pki_dir)
        self.trust = trust or MasterTrust(os.path.join(pki_dir, "minion_master.pub") if pki_dir else None)
        self.context = context or zmq.Context.instance()
        self.enc_algo, self.sig_algo = enc_algo, sig_algo
        self.timeout, self.send_token = timeout, send_token
        self.req = ReqClient(self.context, f"tcp://{host}:{ret_port}")
        self.sub = None
        self.pub_crypt = self.session = None
        self.serial = 0
        self.reauths = 0
        self.auth_reply = None
        self._auth_lock = gevent.lock.Semaphore()

    def auth_load(self, extra=None):
        load = {
            "cmd": "_auth",
            "id": self.id,
            "nonce": uuid.uuid4().hex,
            "enc_algo": self.enc_algo,
            "sig_algo": self.sig_algo,
            "pub": self.keys.pub_pem,
        }
        challenge = None
        if self.trust.key is not None and self.send_token:
            challenge = base64.b64encode(os.urandom(56))
            load["token"] = oaep_encrypt(self.trust.key, challenge, self.enc_algo)
        load.update(extra or {})
        return load, challenge

    def authenticate(self, extra=None):
        """One sign in.  Returns self; raises KeyPending, KeyRejected, AuthError."""
        load, challenge = self.auth_load(extra)
        blob = self.req.call({"enc": "clear", "load": load, "version": PROTOCOL_VERSION}, self.timeout)
        outer = unpack(blob, binary=("load", "sig"))
        if not isinstance(outer, dict):
            raise Refused(outer)
        if "sig" not in outer:  # refusals of an algorithm are not signed
            raise AuthError(f"unsigned reply: {text(outer)!r}")
        signed, signature = outer["load"], outer["sig"]
        reply = unpack(signed, binary=self.AUTH_BINARY)
        if reply.get("nonce") != load["nonce"]:
            raise AuthError("sign in reply carries the wrong nonce")
        if "pub_key" in reply:
            self.trust.consider(reply["pub_key"], reply.get("pub_sig"), self.sig_algo)
        if self.trust.key is not None and not rsa_verify(self.trust.key, signed, signature, self.sig_algo):
            raise AuthError("sign in reply is not signed by the known master")
        if "ret" in reply:
            if reply["ret"] == "full":
                raise MasterFull(self.id)
            if reply["ret"]:
                raise KeyPending(self.id)
            raise KeyRejected(self.id)
        self._take_keys(reply, challenge)
        self.auth_reply = reply
        return self

    def _take_keys(self, reply, challenge):
        key = self.keys.key
        aes = oaep_decrypt(key, reply["aes"], self.enc_algo)
        digest = hashlib.sha256(aes).hexdigest().encode()
        if not hmac.compare_digest(x931_recover(self.trust.key, reply["sig"]), digest):
            raise AuthError("the publish key is not signed by the master")
        if challenge is not None:
            token = oaep_decrypt(key, reply["token"], self.enc_algo)
            if not hmac.compare_digest(token, challenge):
                raise AuthError("the master did not solve our challenge")
        session = oaep_decrypt(key, reply["session"], self.enc_algo)
        if self.pub_crypt is None or self.pub_crypt.key_text != aes:
            self.pub_crypt, self.serial = Crypticle(aes), 0
        self.session = Crypticle(session)
        if self.publish_port is None:
            self.publish_port = int(reply["publish_port"])

    def _reauthenticate(self, seen):
        """Sign in again unless another greenlet just did."""
        with self._auth_lock:
            if self.session is seen:
                self.reauths += 1
                self.authenticate()

    def envelope(self, load, nonce, session):
        load = dict(load)
        load.update(id=self.id, nonce=nonce, ts=int(time.time()), tok=self.keys.tok)
        return {
            "enc": "aes",
            "load": session.dumps(load),
            "version": PROTOCOL_VERSION,
            "id": self.id,
            "enc_algo": self.enc_algo,
            "sig_algo": self.sig_algo,
        }

    def request(self, load, binary=(), timeout=None):
        """Encrypted request and its answer; one new sign in if we are refused."""
        for last in (False, True):
            session, nonce = self.session, uuid.uuid4().hex
            blob = self.req.call(self.envelope(load, nonce, session), timeout or self.timeout)
            try:
                return session.loads(self._cipher(blob), nonce, binary)
            except (AuthError, Refused):
                if last:
                    raise
                self._reauthenticate(session)
        return None

    @staticmethod
    def _cipher(blob):
        raw = msgpack.unpackb(blob, raw=True, strict_map_key=False)
        if not isinstance(raw, bytes) or len(raw) < 64:
            raise Refused(text(raw))
        return raw

    def pillar(self, grains, saltenv=None, pillarenv=None, override=None):
        """Fetch the pillar: a one-time key, and a signed, nonce-bound payload."""
        for last in (False, True):
            session, nonce = self.session, uuid.uuid4().hex
            load = {
                "cmd": "_pillar",
                "grains": grains,
                "saltenv": saltenv,
                "pillarenv": pillarenv,
                "pillar_override": override or {},
                "extra_minion_data": {},
                "ver": "2",
            }
            blob = self.req.call(self.envelope(load, nonce, session), self.timeout)
            reply = unpack(blob, binary=("key", "pillar"))
            if isinstance(reply, dict) and "key" in reply:
                break
            if last:
                raise Refused(reply)
            self._reauthenticate(session)
        once = Crypticle(oaep_decrypt(self.keys.key, reply["key"], self.enc_algo))
        signed = once.loads(reply["pillar"], binary=("data", "sig"))
        if not rsa_verify(self.trust.key, signed["data"], signed["sig"], self.sig_algo):
            raise AuthError("pillar signature is wrong")
        body = unpack(signed["data"], binary=("key",))
        if body["key"] != reply["key"] or body["nonce"] != nonce:
            raise AuthError("pillar is not the answer to our request")
        return body["pillar"]

    def fetch(self, path, saltenv="base", gzip=None):
        """Fetch a whole file with ``_serve_file``; None if there is none."""
        out, loc = [], 0
        while True:
            load = {"cmd": "_serve_file", "path": path, "saltenv": saltenv, "loc": loc}
            if gzip:
                load["gzip"] = gzip
            reply = self.request(load, binary=("data",))
            data = as_bytes(reply.get("data", b""))
            if not data:
                return b"".join(out) if (out or reply.get("dest")) else None
            if reply.get("gzip"):
                data = zlib.decompress(data, 31)
            out.append(data)
            loc += len(data)

    def send_return(self, job, result, retcode=0, success=True, timeout=None, **more):
        """Return a job; the reply (an encrypted nil) is the acknowledgement."""
        load = {
            "cmd": "_return",
            "jid": job["jid"],
            "fun": job["fun"],
            "fun_args": job.get("arg", []),
            "return": result,
            "retcode": retcode,
            "success": success,
        }
        for name in ("user", "master_id", "metadata"):
            if name in job:
                load[name] = job[name]
        load.update(more)
        return self.request(load, timeout=timeout)

    def fire(self, data, tag):
        return self.request({"cmd": "_minion_event", "data": data, "tag": tag, "pretag": None})

    def subscribe(self, filtering=False):
        sock = self.context.socket(zmq.SUB)
        sock.setsockopt(zmq.LINGER, 0)
        sock.setsockopt(zmq.IDENTITY, self.id.encode())
        sock.setsockopt(zmq.TCP_KEEPALIVE, 1)
        sock.setsockopt(zmq.TCP_KEEPALIVE_IDLE, 300)
        sock.setsockopt(zmq.RECONNECT_IVL, 1000)
        sock.setsockopt(zmq.RECONNECT_IVL_MAX, 10000)
        topics = [b""]
        if filtering:
            topics = [b"broadcast", hashlib.sha1(self.id.encode()).hexdigest().encode()]
        for topic in topics:
            sock.setsockopt(zmq.SUBSCRIBE, topic)
        sock.connect(f"tcp://{self.host}:{self.publish_port}")
        self.sub = sock
        return self

    def decode_publication(self, frames, require_sig=False):
        """Verify, decrypt and de-duplicate one publication; returns the job."""
        envelope = unpack(frames[-1], binary=("load", "sig"))
        if envelope.get("enc") != "aes":
            raise WireError("publication is not encrypted")
        if (require_sig or "sig" in envelope) and (
            "sig" not in envelope
            or not rsa_verify(self.trust.key, envelope["load"], envelope["sig"], envelope["sig_algo"])
        ):
            raise AuthError("publication signature is wrong")
        seen = self.pub_crypt
        try:
            job = seen.loads(envelope["load"])
        except AuthError:  # most likely the key was rotated
            self._reauthenticate(self.session)
            job = self.pub_crypt.loads(envelope["load"])
        serial = job.pop("serial", None)
        if serial is not None:
            if serial <= self.serial:
                raise AuthError(f"replayed serial {serial} (last {self.serial})")
            self.serial = serial
        return job

    def recv_job(self, timeout=None, require_sig=False):
        with gevent.Timeout(timeout, Timeout("no publication")):
            frames = self.sub.recv_multipart()
        return self.decode_publication(frames, require_sig)

    def close(self):
        self.req.close()
        if self.sub is not None:
            self.sub.close(0)
            self.sub = None
