"""Messages of stock 3008.3 daemons, recorded with keys made for the recording."""

import json

import pytest

from salt_g.errors import SignInRefused
from salt_g.wire import auth_client, auth_server, envelope, events, pillar_reply, publications, requests
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import unpack
from salt_g.wire.rsa import PrivateKey, PublicKey
from salt_g.wire.sessions import KeyRing, SessionKey

MASTERS = ["master_sha1", "master_sha224"]


class Recorded:
    """One recording, with its keys as objects."""

    def __init__(self, data):
        self.data = data
        self.key = PrivateKey(data["minion_key"])
        self.master = PublicKey(data["master_pub"])
        self.signer = PublicKey(data["signing_pub"]) if data["signing_pub"] else None
        self.algorithms = {"enc_algo": "OAEP-SHA1", "sig_algo": "PKCS1v15-SHA1", **data["algorithms"]}

    def reply(self, name):
        return bytes.fromhex(self.data[name]["reply"]), self.data[name]["nonce"]

    def attempt(self, name):
        token = self.data[name].get("token", "").encode()
        return auth_client.Attempt("vector-1", self.data[name]["nonce"], token, **self.algorithms)


@pytest.fixture(params=MASTERS)
def recorded(request, vector):
    return Recorded(vector(request.param))


def test_a_sign_in_is_believed(recorded):
    reply, _ = recorded.reply("sign_in")

    for known in (None, recorded.master):
        trust = auth_client.Trust(known=known, signer=recorded.signer, always_verify_signature=True)
        grant = auth_client.read_answer(reply, recorded.attempt("sign_in"), recorded.key, trust)

        keys = recorded.data["keys"]
        assert (grant.publish.text.decode(), grant.session.text.decode()) == (
            keys["publish"],
            keys["session"],
        )
        assert grant.master == recorded.master


def test_our_own_sign_in_reads_back(recorded):
    payload = bytes.fromhex(recorded.data["sign_in"]["request"])

    sign_in = auth_server.read_sign_in(envelope.read_envelope(payload))

    assert (sign_in.id, sign_in.public, sign_in.problem) == ("vector-1", recorded.key.public, "")
    assert {"enc_algo": sign_in.enc_algo, "sig_algo": sign_in.sig_algo} == recorded.algorithms


def test_a_refusal_is_believed(recorded):
    reply, _ = recorded.reply("refused")

    with pytest.raises(SignInRefused) as refused:
        trust = auth_client.Trust(known=recorded.master)
        auth_client.read_answer(reply, recorded.attempt("refused"), recorded.key, trust)

    assert (refused.value.reason, refused.value.proven) == ("rejected", True)


@pytest.mark.parametrize(("name", "value"), [("file_envs", ["base"]), ("nothing", {})])
def test_replies_are_opened(recorded, name, value):
    session = Crypticle(recorded.data["keys"]["session"])

    assert requests.open_reply(recorded.reply(name)[0], session, recorded.reply(name)[1]) == value


def test_pillar_is_opened(recorded):
    reply, nonce = recorded.reply("pillar")

    pillar = pillar_reply.open_pillar(reply, recorded.key, recorded.master, nonce, **recorded.algorithms)

    assert pillar == {"a": [1, "b"]}


def test_a_publication_is_opened(recorded):
    frames = [bytes.fromhex(frame) for frame in recorded.data["publication"]]
    payload = publications.payload_of(frames, [publications.topic_of("vector-1")])

    job = publications.open_publication(
        payload,
        Crypticle(recorded.data["keys"]["publish"]),
        recorded.master,
        publications.SerialGuard(),
        algorithms=[recorded.algorithms["sig_algo"]],
    )

    assert job == recorded.data["job"]


def test_the_event_bus_is_read(recorded):
    bodies = list(events.FrameReader().feed(bytes.fromhex(recorded.data["bus"])))

    seen = dict(events.unpack_event(body) for body in bodies)

    jid = recorded.data["job"]["jid"]
    assert seen[f"salt/job/{jid}/new"]["minions"] == ["vector-1"]
    assert b"".join(events.bare_frame(body) for body in bodies).hex() == recorded.data["bus"]


def test_messages_of_a_stock_minion_are_opened(vector):
    data = vector("minion")
    public = PublicKey(data["minion_pub"])
    ring = KeyRing(SessionKey(Crypticle(data["session"])), now=0)
    check = requests.TokenCheck(public)
    opened = {}
    for recorded in data["requests"]:
        outer = envelope.read_envelope(bytes.fromhex(recorded["payload"]))
        if outer.is_sealed:
            request = requests.open_request(outer, ring, check, now=0, clock=0)
            opened[recorded["cmd"]] = request.load
        else:
            sign_in = auth_server.read_sign_in(outer)

    assert (sign_in.id, sign_in.public, sign_in.version, sign_in.problem) == ("vector-2", public, 3, "")
    assert opened["_return"] == data["return"]
    assert opened["_register_resources"]["resources"] == {}
    assert opened["_minion_event"]["id"] == "vector-2"


def test_a_stock_minions_proof_is_ours_to_the_byte(vector):
    data = vector("minion")
    sealed = next(item for item in data["requests"] if item["cmd"] == "_return")["payload"]
    outer = envelope.read_envelope(bytes.fromhex(sealed))

    load = unpack(Crypticle(data["session"]).open_plain(outer.load)[8:], binary=("tok",))

    assert load["tok"] == requests.make_tok(PrivateKey(data["minion_key"]))
    assert json.dumps(load["fun"]) == '"test.echo"'
