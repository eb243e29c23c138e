import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salt_g.errors import MasterNotTrusted, SealBroken, WireError
from salt_g.wire.aes import Crypticle
from salt_g.wire.packing import pack, unpack
from salt_g.wire.pillar_reply import open_pillar, seal_pillar
from salt_g.wire.requests import SealedRequest

NONCE = "0123456789abcdef" * 2
ALGORITHMS = {"enc_algo": "OAEP-SHA224", "sig_algo": "PKCS1v15-SHA224"}
REQUEST = SealedRequest("m1", {"cmd": "_pillar"}, NONCE, Crypticle.generate(), version=3, **ALGORITHMS)


def test_pillar_arrives_as_it_was_sent(minion_key, master_key):
    reply = seal_pillar(REQUEST, {"a": {"b": [1, "ü"]}}, minion_key.public, master_key)

    assert open_pillar(reply, minion_key, master_key.public, NONCE, **ALGORITHMS) == {"a": {"b": [1, "ü"]}}


def test_pillar_of_another_request_master_or_minion_is_refused(minion_key, master_key, signing_key):
    reply = seal_pillar(REQUEST, {}, minion_key.public, master_key)

    with pytest.raises(WireError, match="another request"):
        open_pillar(reply, minion_key, master_key.public, "f" * 32, **ALGORITHMS)
    with pytest.raises(MasterNotTrusted):
        open_pillar(reply, minion_key, signing_key.public, NONCE, **ALGORITHMS)
    with pytest.raises(WireError):
        open_pillar(reply, signing_key, master_key.public, NONCE, **ALGORITHMS)


def test_a_signed_pillar_cannot_move_to_another_reply(minion_key, master_key):
    reply = unpack(seal_pillar(REQUEST, {}, minion_key.public, master_key), binary=("key", "pillar"))
    signed = Crypticle(minion_key.decrypt(reply["key"], "OAEP-SHA224")).open(
        reply["pillar"], binary=("data", "sig")
    )
    other = Crypticle.generate()
    moved = {"key": minion_key.public.encrypt(other.text, "OAEP-SHA224"), "pillar": other.seal(signed)}

    with pytest.raises(WireError, match="another reply"):
        open_pillar(pack(moved), minion_key, master_key.public, NONCE, **ALGORITHMS)


@pytest.mark.parametrize("reply", ["bad load", {"error": "bad load"}, {"key": b"x"}, b"\xff" * 80, None])
def test_a_refusal_asks_for_a_new_sign_in(minion_key, master_key, reply):
    with pytest.raises(SealBroken):
        open_pillar(pack(reply), minion_key, master_key.public, NONCE, **ALGORITHMS)


@given(st.dictionaries(st.sampled_from(["key", "pillar"]), st.binary() | st.integers() | st.text()).map(pack))
def test_no_reply_raises_anything_but_wire_errors(minion_key, master_key, reply):
    with pytest.raises(WireError):
        open_pillar(reply, minion_key, master_key.public, NONCE, **ALGORITHMS)


def test_a_request_without_a_nonce_gets_stocks_error(minion_key, master_key):
    with pytest.raises(WireError) as refused:
        seal_pillar(dataclasses.replace(REQUEST, nonce=""), {}, minion_key.public, master_key)

    assert refused.value.answer == {"error": "Nonce not included in request"}


def test_minions_of_the_oldest_protocol_get_pillar_unsigned(minion_key, master_key):
    old = dataclasses.replace(REQUEST, version=0, nonce="")

    reply = unpack(seal_pillar(old, {"a": 1}, minion_key.public, master_key), binary=("key", "pillar"))

    once = Crypticle(minion_key.decrypt(reply["key"], "OAEP-SHA224"))
    assert once.open(reply["pillar"]) == {"a": 1}
