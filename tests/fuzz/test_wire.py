"""Arbitrary bytes from peers: the only error is WireError."""

import json
import pathlib

import msgpack
from hypothesis import strategies as st

from salt_g.client.frames import FrameCutter, frame
from salt_g.errors import TargetError, WireError
from salt_g.resource_model.srn import parse
from salt_g.wire import auth_client, auth_server
from salt_g.wire.aes import MARKER, Crypticle
from salt_g.wire.envelope import read_envelope, seal_clear
from salt_g.wire.events import FrameReader, bare_frame, pack_event, prefixed_frame, unpack_event
from salt_g.wire.ids import check_id
from salt_g.wire.invitation import new_code, offer, read_code, read_offer
from salt_g.wire.packing import BEFORE_SIGN_IN, MessageLimits, pack, pack_bus, unpack, unpack_flat
from salt_g.wire.publications import SerialGuard, open_publication, payload_of, seal_publication
from salt_g.wire.requests import (
    TokenCheck,
    make_tok,
    open_old_request,
    open_reply,
    open_request,
    seal_request,
)
from salt_g.wire.rsa import PrivateKey, PublicKey
from salt_g.wire.sessions import KeyRing, SessionKey
from tests.support.fuzzing import damaged, fuzz, mutated, mutated_text, values

#: Messages of stock daemons and the keys of the run that recorded them.
VECTORS = json.loads(
    (pathlib.Path(__file__).parent.parent / "unit" / "wire" / "vectors" / "minion.json").read_text()
)
KEY = PrivateKey(VECTORS["minion_key"])
SESSION = Crypticle.generate(bytes)
NOW, NONCE = 1_795_189_573.0, "0123456789abcdef" * 2
LOADS = [
    {
        "cmd": "_return",
        "id": "m1",
        "jid": "2" * 20,
        "fun": "test.ping",
        "return": True,
        "retcode": 0,
    },
    {
        "cmd": "_minion_event",
        "events": [{"tag": "a/b", "data": {"x": [1, 2.5, None]}}],
        "pretag": None,
    },
    {"cmd": "_pillar", "grains": {"os": "Debian"}, "saltenv": "base", "ver": "2", "nonce": NONCE},
    {"cmd": "_serve_file", "path": "a/b", "loc": 0, "gzip": 9, "saltenv": "base"},
]
JOB = {
    "fun": "test.ping",
    "arg": [],
    "tgt": "*",
    "tgt_type": "glob",
    "jid": "2" * 20,
    "ret": "",
    "user": "r",
}
AUTH = {
    "cmd": "_auth",
    "id": "m1",
    "nonce": NONCE,
    "pub": KEY.public.pem,
    "enc_algo": "OAEP-SHA1",
    "sig_algo": "PKCS1v15-SHA1",
    "token": KEY.public.encrypt(b"x" * 76, "OAEP-SHA1"),
    "autosign_grains": {"a": ["b"]},
}
TOK = make_tok(KEY)
REQUESTS = [
    seal_request(load, "m1", SESSION, nonce=NONCE, now=NOW, tok=TOK, enc_algo="OAEP-SHA1") for load in LOADS
]
EVENTS = [
    pack_event("salt/job/1/ret/m1", LOADS[0]),
    pack_event("a", {}),
    pack_event("b", {"_stamp": "2026", "x": b"\xff" * 70}),
]
PACKED = [form(load) for load in [*LOADS, JOB, AUTH] for form in (pack, pack_bus)] + EVENTS
#: Headers of msgpack that announce much, and its extension types.
HEADERS = [
    *(
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xde\xff\xff",
        b"\xdc\xff\xff",
    ),
    *(
        b"\x91",
        b"\x81",
        b"\x80",
        b"\x90",
        b"\xc1",
        b"\xc0",
        b"\xcb\x7f\xf8" + bytes(6),
        b"\xd9\x00",
        b"\xa0",
    ),
    *(
        b"\xc7\x18\x4e20261121T04:07:26.000001",
        b"\xc7\x02\x4f\x91\x00",
        b"\xd6\xff" + bytes(4),
        b"\xd4\x4f\xc0",
    ),
    *(
        b"\xd8\x4e" + b"9" * 16,
        b"\xc7\x0c\xff" + b"\xff" * 12,
        b"\xa2\xff\xfe",
        b"\xc7\x03\x4f\x92\xa0\x91",
    ),
]
SMALL = MessageLimits(size=10_000, depth=8, entries=100, total=400)


def only_wire_errors(read, *args, **kwargs):
    """Return the result of `read`, or None if it raised WireError."""
    try:
        return read(*args, **kwargs)
    except WireError as exc:
        assert str(exc)
        pack(exc.answer)
        return None


@fuzz(mutated(PACKED, HEADERS))
def test_messages(data):
    only_wire_errors(unpack, data)
    only_wire_errors(unpack, data, SMALL, binary=("load", "tok", "token"))
    only_wire_errors(unpack_flat, data, SMALL, binary=("load",))


@fuzz(mutated(PACKED, HEADERS), st.sampled_from((200, 17_000, 40_000)))
def test_long_messages(data, size):
    """Messages above the piece size are read piece by piece, with separate fields."""
    long = {"load": bytes(size), "x": data[:60], "tok": "a" * 3000}
    packed = pack(long)[: -len(data) or None] + data
    only_wire_errors(unpack, packed, binary=("load", "tok"))
    only_wire_errors(unpack, pack_bus({"load": data, "n": [data] * (size // 100)}), binary=("load",))


@fuzz(mutated([*REQUESTS, seal_clear(AUTH, version=3), seal_clear(JOB, version=3)], HEADERS))
def test_envelopes(data):
    envelope = only_wire_errors(read_envelope, data, minimum_version=0)
    if envelope is not None and not envelope.is_sealed:
        only_wire_errors(auth_server.read_sign_in, envelope)


@fuzz(damaged([AUTH]), st.integers(-1, 4))
def test_sign_ins(load, version):
    data = only_wire_errors(pack, {"enc": "clear", "load": load, "version": version})
    envelope = data and only_wire_errors(read_envelope, data, minimum_version=0)
    found = envelope and only_wire_errors(auth_server.read_sign_in, envelope)
    if found:
        only_wire_errors(auth_server.refuse, found, False, KEY)


@fuzz(mutated([KEY.public.pem.encode()], [b"\n", b"-----", b"A", b"="]))
def test_offered_keys(data):
    only_wire_errors(PublicKey, data.decode("latin-1"))


def opened(payload):
    """Return the master's result for a sealed request of a new session."""
    envelope = read_envelope(payload, minimum_version=0)
    check = TokenCheck(KEY.public)
    ring = KeyRing(SessionKey(SESSION), now=0)
    return (
        open_request(envelope, ring, check, now=NOW, clock=0.0, ttl=30),
        open_old_request(envelope, ring, {"m1": check}, clock=0.0),
    )


@fuzz(mutated(REQUESTS, HEADERS))
def test_sealed_requests(data):
    only_wire_errors(opened, data)


@fuzz(damaged([{**load, "id": "m1", "ts": int(NOW), "nonce": NONCE, "tok": TOK} for load in LOADS]))
def test_loads_of_senders_with_a_session(load):
    plain = only_wire_errors(pack, load)
    if plain is not None:
        sealed = SESSION.seal_plain(MARKER + plain)
        only_wire_errors(opened, pack({"enc": "aes", "load": sealed, "version": 3, "id": "m1"}))


@fuzz(mutated([MARKER + pack(load) for load in LOADS], HEADERS))
def test_sealed_bytes_of_senders_with_a_session(plain):
    sealed = SESSION.seal_plain(plain)
    only_wire_errors(opened, pack({"enc": "aes", "load": sealed, "version": 3, "id": "m1"}))


PUBLICATION = seal_publication(JOB, SESSION, serial=1, sign_with=KEY)


@fuzz(mutated([PUBLICATION], HEADERS), st.booleans())
def test_publications(data, requires_signature):
    only_wire_errors(
        open_publication,
        data,
        SESSION,
        KEY.public,
        SerialGuard(),
        requires_signature=requires_signature,
    )
    only_wire_errors(payload_of, [data[:3], data], (b"*",))


@fuzz(damaged([{**JOB, "serial": 2}]))
def test_jobs_of_a_master(job):
    sealed = only_wire_errors(SESSION.seal, job)
    if sealed is not None:
        only_wire_errors(
            open_publication,
            pack({"enc": "aes", "load": sealed}),
            SESSION,
            KEY.public,
            SerialGuard(),
            requires_signature=False,
        )


SIGN_IN, ATTEMPT = auth_client.ask("m1", KEY.public, auth_client.Trust(), nonce=NONCE, token=b"")
MASTER = auth_server.MasterIdentity(KEY, 4505)
PUBLISH = auth_server.PublishKey.prove(SESSION, KEY)
ANSWER = auth_server.accept(auth_server.read_sign_in(read_envelope(SIGN_IN)), MASTER, PUBLISH, SESSION)
SIGNED = unpack(unpack(ANSWER, binary=("load", "sig"))["load"], binary=("aes", "session", "sig"))


@fuzz(mutated([ANSWER, seal_clear({"ret": True}, version=2)], HEADERS))
def test_answers_to_a_sign_in(data):
    only_wire_errors(auth_client.read_answer, data, ATTEMPT, KEY, auth_client.Trust())


@fuzz(damaged([SIGNED]))
def test_signed_answers_to_a_sign_in(answer):
    load = only_wire_errors(pack, answer)
    if load is not None:
        whole = pack({"enc": "clear", "load": load, "sig": KEY.sign(load, ATTEMPT.sig_algo)})
        only_wire_errors(auth_client.read_answer, whole, ATTEMPT, KEY, auth_client.Trust())


@fuzz(mutated([pack(SESSION.seal(load, nonce=NONCE)) for load in LOADS], HEADERS))
def test_replies(data):
    only_wire_errors(open_reply, data, SESSION, NONCE)


FRAMES = [form(body) for body in EVENTS for form in (bare_frame, prefixed_frame)]


@fuzz(st.lists(mutated(FRAMES, HEADERS), max_size=4), st.integers(1, 40))
def test_streams_of_events(parts, size):
    stream = b"".join(parts)
    reader = FrameReader(max_frame=4096)
    for start in range(0, len(stream), size):
        bodies = only_wire_errors(lambda start=start: list(reader.feed(stream[start : start + size])))
        if bodies is None:
            return
        for body in bodies:
            only_wire_errors(unpack_event, body)


@fuzz(mutated(EVENTS, [*HEADERS, b"\n\n", b"\n"]))
def test_events(body):
    only_wire_errors(unpack_event, body)


ASKS = [
    frame({"n": 1, "load": {"cmd": "publish", "fun": "test.ping", "arg": [], "tgt": "*"}}),
    frame({"n": 2, "follow": [["salt/job/", "startswith"]]}),
    frame({"n": 3, "fire": ["a/b", {"x": 1}]}),
    frame({"leave": [["a", "fnmatch"]]}),
]


@fuzz(st.lists(mutated(ASKS, HEADERS), max_size=4), st.integers(1, 40))
def test_streams_of_the_command_line(parts, size):
    stream = b"".join(parts)
    cutter = FrameCutter(max_frame=4096)
    for start in range(0, len(stream), size):
        if only_wire_errors(lambda start=start: list(cutter.feed(stream[start : start + size]))) is None:
            return


@fuzz(values())
def test_whatever_is_packed_is_read_or_refused(value):
    for form in (pack, pack_bus):
        packed = only_wire_errors(form, value)
        if packed is not None:
            only_wire_errors(unpack, packed, BEFORE_SIGN_IN)
            assert msgpack.unpackb(packed, strict_map_key=False, raw=True) is not ...


CODE = new_code(bytes)


@fuzz(mutated_text([str(CODE), f" {CODE}\n", offer(CODE, "m1", KEY.public.pem)], ["-", ":", "a", "\u0660"]))
def test_invitations(text):
    code = only_wire_errors(read_code, text)
    assert code is None or str(code) == text.strip().lower()
    read_offer(text)


@fuzz(
    mutated_text(
        ["m1", "web-01.example", "ssh:web-01", "ssh:a:b@c+d", "dummy:" + "a" * 128],
        [".", ":", "..", "/"],
    )
)
def test_names(text):
    only_wire_errors(check_id, text)
    try:
        assert str(parse(text)) == text
    except TargetError as exc:
        assert len(str(exc)) < 500
