"""The steps of `saltwire.py selftest`: each one a method that fails with an exception and may give a note."""

import base64
import hashlib
import json
import os
import tempfile
import time
import uuid

import gevent
from Crypto.PublicKey import RSA
from wire.aes import Crypticle
from wire.bus import EventBus
from wire.client import LocalClient
from wire.errors import AuthError, KeyPending, Refused, Timeout
from wire.minion import Minion
from wire.rsa import KeyPair, clean_pem, x931_recover, x931_sign
from wire.trust import MasterTrust

#: Characters of a note that are printed.
NOTE_WIDTH = 150


class Selftest:
    """One run against one master; `minion`, `client` and `job` are what earlier steps leave to later ones."""

    def __init__(self, options):
        self.options = options
        self.failed = 0
        self.pki_dir = options.pki_dir or os.path.join(tempfile.gettempdir(), f"saltwire-pki-{os.getuid()}")
        self.sign_pub = _read(options.sign_pub) if options.sign_pub else None
        self.minion = self.client = self.job = None

    def run(self):
        """Take every step that the options allow; gives 1 when one failed, else 0."""
        if (
            self._step("crypto round trips", _round_trips)
            and self._step("load or create key pair", self._load_key)
            and self._step("sign in", self._sign_in)
        ):
            self._ask_the_master()
            if self.options.root_key:
                self._publish_and_return()
            else:
                print("SKIP publish, return, replay: no --root-key")
        print(json.dumps({"failed": self.failed}))
        return 1 if self.failed else 0

    def _ask_the_master(self):
        self._step("sign in again, with challenge", self._sign_in_again)
        self._step("changed master key is refused", self._other_master_key)
        self._step("fetch pillar", self._pillar)
        self._step("list, fetch and hash a file", self._files)
        self._step("fetch a missing file", self._missing_file)
        self._step("fire an event", self._event)
        self._step("recover from a stale session key", self._stale_session)
        self._step("subscribe", self._subscribe)

    def _publish_and_return(self):
        if not self._step("publish as root; receive, verify, decrypt", self._publish):
            return
        self._step("send a return", self._return)
        self._step("replayed publication is refused", self._replay)
        self._step("publish with a wrong key is refused", self._wrong_key)
        self._step("clear ping", self._clear_ping)
        if self.options.sock_dir:
            self._step("return is seen on the event bus", self._return_on_bus)
            self._step("fire on the event bus", self._fire_on_bus)
        if self.options.cleanup:
            self._step("wheel key.delete of our own key", self._delete_key)

    def _step(self, name, take):
        began = time.monotonic()
        try:
            note, verdict = take(), "PASS"
        except Exception as exc:  # a probe reports everything
            note, verdict = f"{type(exc).__name__}: {exc}", "FAIL"
            self.failed += 1
        milliseconds = (time.monotonic() - began) * 1000
        shown = "" if note is None else "  " + str(note)[:NOTE_WIDTH]
        print(f"{verdict} {name:<44} {milliseconds:7.1f} ms{shown}", flush=True)
        return verdict == "PASS"

    def _load_key(self):
        self.minion = Minion(
            self.options.id,
            self.options.host,
            self.options.ret_port,
            self.options.publish_port,
            pki_dir=self.pki_dir,
            enc_algo=self.options.enc_algo,
            sig_algo=self.options.sig_algo,
            timeout=self.options.timeout,
            trust=MasterTrust(os.path.join(self.pki_dir, "minion_master.pub"), self.sign_pub),
        )
        return f"key cached in {self.pki_dir}, known master: {bool(self.minion.trust.key)}"

    def _sign_in(self):
        end = time.monotonic() + self.options.accept_wait
        while True:
            try:
                self.minion.authenticate()
                return f"publish_port={self.minion.publish_port}"
            except KeyPending:
                if time.monotonic() > end:
                    raise
                gevent.sleep(1)

    def _sign_in_again(self):
        minion = self.minion
        before = minion.pub_crypt.key_text, minion.session.key_text
        minion.authenticate()
        _expect("token" in minion.auth_load()[0], "no challenge although the master is known")
        _expect(before == (minion.pub_crypt.key_text, minion.session.key_text), "keys moved")
        return "challenge solved, same publish and session key"

    def _other_master_key(self):
        trust = MasterTrust(None, self.sign_pub)
        if self.sign_pub:  # a signed change is legal: forge the signing key instead
            trust.sign_key = RSA.generate(2048).publickey()
        trust.pin(clean_pem(RSA.generate(2048).publickey().export_key()))
        options = self.options
        minion = Minion(
            options.id,
            options.host,
            options.ret_port,
            keys=self.minion.keys,
            trust=trust,
            timeout=options.timeout,
            send_token=False,
        )
        try:
            minion.authenticate()
        except AuthError as exc:
            return f"refused: {exc}"
        finally:
            minion.close()
        raise AssertionError("a changed master key was accepted")

    def _pillar(self):
        pillar = self.minion.pillar({"id": self.options.id, "os": "probe"})
        _expect(isinstance(pillar, dict), pillar)
        return f"keys: {sorted(pillar)}"

    def _files(self):
        listing = self.minion.request({"cmd": "_file_list", "saltenv": "base", "prefix": ""})
        _expect(isinstance(listing, list), listing)
        path = self.options.file or (listing[0] if listing else None)
        _expect(path, "the master serves no file; give --file")
        data = self.minion.fetch(path)
        _expect(data is not None, "no such file")
        want = self.minion.request({"cmd": "_file_hash", "path": path, "saltenv": "base"})
        _expect(hashlib.new(want["hash_type"], data).hexdigest() == want["hsum"], "hash mismatch")
        _expect(self.minion.fetch(path, gzip=5) == data, "gzip differs")
        return f"{path}, {len(data)} bytes, {want['hash_type']} ok"

    def _missing_file(self):
        _expect(self.minion.fetch("no/such/file") is None, "a file that is not there was served")

    def _event(self):
        self.minion.fire({"note": "hello"}, f"saltwire/{self.options.id}/test")

    def _stale_session(self):
        """Expect one new sign-in, and only one, after a request under a wrong session key."""
        minion = self.minion
        minion.session, before = Crypticle(base64.b64encode(os.urandom(56))), minion.reauths
        _expect(minion.request({"cmd": "_file_envs"}) is not None, "no environments")
        _expect(minion.reauths == before + 1, "not one new sign-in")

    def _subscribe(self):
        self.minion.subscribe(filtering=self.options.zmq_filtering)
        gevent.sleep(1.0)

    def _publish(self):
        options = self.options
        root_key = LocalClient.read_key(options.root_key)
        self.client = LocalClient(options.host, options.ret_port, root_key, options.user)
        for _ in range(5):  # the subscription may not be there yet
            published = self.client.publish(options.id, "test.ping", timeout=options.timeout)
            _expect(options.id in published["minions"], f"the master does not list us: {published}")
            try:
                self.job = self.minion.recv_job(timeout=3, require_sig=options.require_pub_sig)
                break
            except Timeout:
                continue
        else:
            raise Timeout("never saw the publication")
        _expect(self.job["fun"] == "test.ping" and self.job["tgt"] == options.id, self.job)
        return f"jid={self.job['jid']} fields={','.join(sorted(self.job))}"

    def _return(self):
        self.minion.send_return(self.job, True)
        return "acknowledged"

    def _replay(self):
        self.client.publish(self.options.id, "test.ping", timeout=self.options.timeout)
        with gevent.Timeout(10):
            frames = self.minion.sub.recv_multipart()
        self.minion.decode_publication(frames)
        try:
            self.minion.decode_publication(frames)
        except AuthError as exc:
            return exc
        raise AssertionError("replay accepted")

    def _wrong_key(self):
        client = LocalClient(self.options.host, self.options.ret_port, "x" * 76, self.options.user)
        try:
            client.publish(self.options.id, "test.ping", timeout=self.options.timeout)
        except Refused as exc:
            return exc
        finally:
            client.close()
        raise AssertionError("publish with a wrong key accepted")

    def _clear_ping(self):
        reply = self.client.clear({"cmd": "ping", "x": 1}, self.options.timeout)
        _expect(reply.get("x") == 1, reply)

    def _return_on_bus(self):
        bus = EventBus(self.options.sock_dir)
        try:
            published = self.client.publish(self.options.id, "test.ping", timeout=self.options.timeout)
            self.minion.send_return(self.minion.recv_job(timeout=10), "hello")
            want = f"salt/job/{published['jid']}/ret/{self.options.id}"
            data = _first(bus, want)
            _expect(data["return"] == "hello", data)
            return f"{want} ({'length prefixed' if bus.prefixed else 'bare stream'})"
        finally:
            bus.close()

    def _fire_on_bus(self):
        bus, push = EventBus(self.options.sock_dir), EventBus(self.options.sock_dir, pull=True)
        try:
            push.fire({"hello": 1}, "saltwire/test")
            return sorted(_first(bus, "saltwire/test"))
        finally:
            bus.close()
            push.close()

    def _delete_key(self):
        reply = self.client.wheel("key.delete", match=self.options.id, timeout=self.options.timeout)
        _expect(reply.get("data", {}).get("success"), reply)


def _first(bus, wanted):
    """Give the data of the next event with the tag `wanted`."""
    return next(data for tag, data in bus.events(timeout=10) if tag == wanted)


def _round_trips():
    pair = KeyPair.generate()
    _expect(x931_recover(pair.key, x931_sign(pair.key, b"salt")) == b"salt", "X9.31")
    box, nonce = Crypticle(base64.b64encode(os.urandom(56))), uuid.uuid4().hex
    _expect(box.loads(box.dumps({"a": 1}, nonce), nonce) == {"a": 1}, "seal and open")
    try:
        box.open(b"\0" * 96)
    except AuthError:
        return
    raise AssertionError("forged MAC accepted")


def _read(path):
    with open(path) as file:
        return file.read()


def _expect(condition, what):
    if not condition:
        raise AssertionError(what)
