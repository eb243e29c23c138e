"""Publications: a minion runs signed jobs of its master, once, in a known form, and never lowers its
security (property 12).
"""

import pytest

from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import pack, unpack
from tests.support.hostile_master import resigned, running_hostile_master
from tests.support.key_pairs import pair
from tests.support.peers import Crypticle, ask_raw
from tests.support.waiting import until


@pytest.fixture(scope="module")
def hostile_master(fleet):
    """Yield a hostile master whose minion is connected, for tests that leave both as they were."""
    with running_hostile_master() as master:
        master.minion = fleet[1](master)
        assert master.ran() == []
        yield master
        master.minion.stop()


@pytest.fixture
def own_hostile_master(start_minion):
    """Yield a hostile master with a minion of its own, for a test that counts lines of its log."""
    with running_hostile_master() as master:
        master.minion = start_minion(master)
        assert master.ran() == []
        yield master
        master.minion.stop()


def altered(payload, **changes):
    """Return a publication with fields around the sealed part changed; None removes a field."""
    envelope = {**unpack(payload, binary=("load", "sig")), **changes}
    return pack({name: value for name, value in envelope.items() if value is not None})


def test_a_publication_without_the_masters_signature_is_not_executed(own_hostile_master):
    master = own_hostile_master
    master.send(master.seal(master.job(arg=["unsigned"]), sign_with=None))
    master.send(master.seal(master.job(arg=["another key"]), sign_with=pair(0)))
    signed = master.seal(master.job(arg=["cut"]))
    master.send(altered(signed, sig=None))
    master.send(altered(signed, sig=b""))
    master.send(altered(signed, sig=b"\0" * 256))
    master.send(altered(signed, sig="text"))
    master.send(altered(signed, sig=["x"]))
    other = unpack(master.seal(master.job(arg=["other"])), binary=("load", "sig"))
    master.send(altered(signed, sig=other["sig"]))
    master.send(altered(signed, load=other["load"]))

    assert master.ran() == []
    assert master.minion.log().count("a publication is dropped") >= 9


@pytest.mark.parametrize("algorithm", ["", "none", "PKCS1v15-MD5", "PSS-SHA1", None, 5, ["PKCS1v15-SHA1"]])
def test_the_algorithm_is_one_of_the_minions_list(hostile_master, algorithm):
    payload = hostile_master.seal(hostile_master.job(arg=["algorithm"]))
    envelope = unpack(payload, binary=("load", "sig"))

    hostile_master.send(pack({**envelope, "sig_algo": algorithm}))

    assert hostile_master.ran() == []


def test_an_unsealed_publication_is_not_read(hostile_master):
    job = hostile_master.job(arg=["clear"])
    body = pack({**job, "serial": 10**6})

    for enc in ("clear", "aes", "none"):
        hostile_master.send(
            pack({"enc": enc, "load": body, "sig": hostile_master.key.sign(body, "PKCS1v15-SHA1")})
        )
        hostile_master.send(pack({"enc": enc, "load": job, "sig": b"x"}))
    stranger = Crypticle.generate()
    hostile_master.send(hostile_master.seal(job, key=stranger))

    assert hostile_master.ran() == []


def test_a_publication_comes_once(hostile_master):
    job = hostile_master.job(arg=["once"])
    recorded = hostile_master.seal(job)
    hostile_master.send(recorded)
    assert hostile_master.return_of(job)["return"] == "once"

    for _ in range(3):
        hostile_master.send(recorded)
    hostile_master.send(hostile_master.seal(hostile_master.job(arg=["old serial"]), serial=1))
    hostile_master.send(hostile_master.seal(hostile_master.job(arg=["no serial"]), serial=None))
    for serial in (True, "999999", 1e9, [1]):
        hostile_master.send(hostile_master.seal(hostile_master.job(arg=["odd serial"]), serial=serial))

    assert hostile_master.ran() == []


def test_a_new_sign_in_lets_no_old_publication_in(hostile_master):
    job = hostile_master.job(arg=["recorded"])
    recorded = hostile_master.seal(job)
    hostile_master.send(recorded)
    assert hostile_master.return_of(job)["return"] == "recorded"
    before = hostile_master.sign_ins

    # An invalid seal makes the minion sign in, and it gets the same key again.
    hostile_master.send(hostile_master.seal(hostile_master.job(), key=Crypticle.generate()))
    until(lambda: hostile_master.sign_ins > before, "another sign-in")
    assert hostile_master.ran() == []
    hostile_master.send(recorded)

    assert hostile_master.ran() == []


def test_fields_that_are_not_known_change_nothing(hostile_master):
    odd = {"schedule": "x", "return_jid": "20200101000000000000", "return_job": False, "opts": {"user": "x"}}

    job = hostile_master.job(arg=["fields"], **odd)
    hostile_master.send(hostile_master.seal(job))
    back = hostile_master.return_of(job)

    assert back["return"] == "fields"
    assert not set(odd) & set(back)


@pytest.mark.parametrize(
    "change",
    [
        {"jid": ["x"]},
        {"jid": None},
        {"fun": {"a": 1}},
        {"fun": [["x"]]},
        {"arg": "text"},
        {"tgt": None},
        {"tgt": {"a": 1}},
        {"tgt_type": "no_such"},
        {"tgt_type": ["x"]},
        {"tgt": "(" * 1000, "tgt_type": "compound"},
        {"tgt": "(a+)+$" * 20, "tgt_type": "pcre"},
    ],
)
def test_a_publication_without_a_job_ends_nothing(hostile_master, change):
    hostile_master.send(hostile_master.seal({**hostile_master.job(arg=["odd"]), **change}))

    assert hostile_master.ran() == []
    assert hostile_master.minion.is_running()


def test_a_jid_leads_out_of_no_folder(hostile_master):
    place = hostile_master.minion.cachedir.parent / "out"
    for jid in (f"../../{place.name}", str(place), "..", "a/b"):
        hostile_master.send(hostile_master.seal(hostile_master.job(arg=["jid"], jid=jid)))

    assert set(hostile_master.ran()) <= {"jid"}
    assert not place.exists()


def refusal(change):
    """Return a check that a fresh minion rejects a master with a changed sign-in answer."""
    refused = ("accepts this minion", "accept this minion")

    def starts(start_minion):
        with running_hostile_master() as master:
            master.change_answer = lambda sign_in, answer: change(master, sign_in, answer)
            minion = start_minion(master, auth_timeout=5, auth_tries=1)
            until(lambda: any(text in minion.log() for text in refused), "a refusal")
            assert not minion.is_connected
            assert not (minion.root / "pki" / "minion_master.pub").exists()
            minion.kill()

    return starts


def without_session(master, sign_in, answer):
    load = unpack(unpack(answer, binary=("load", "sig"))["load"], binary=("aes", "session", "token", "sig"))
    return resigned(master, sign_in, {name: value for name, value in load.items() if name != "session"})


def with_old_nonce(master, sign_in, answer):
    load = unpack(unpack(answer, binary=("load", "sig"))["load"], binary=("aes", "session", "token", "sig"))
    return resigned(master, sign_in, {**load, "nonce": "0" * 32})


def unsigned(master, sign_in, answer):
    return unpack(answer, binary=("load", "sig"))["load"]


def signed_by_another(master, sign_in, answer):
    body = unpack(answer, binary=("load", "sig"))["load"]
    return pack({"enc": "clear", "load": body, "sig": pair(0).sign(body, sign_in.sig_algo)})


@pytest.mark.parametrize("change", [without_session, with_old_nonce, unsigned, signed_by_another])
def test_a_sign_in_is_not_answered_by_an_older_protocol(start_minion, change):
    refusal(change)(start_minion)


def test_lowered_security_is_reported_at_each_start(start_master, start_minion):
    master = start_master(sign_pub_messages=False, minimum_auth_version=2)
    minion = start_minion(master, sign_pub_messages=False)

    assert "sign_pub_messages is off: any minion can publish" in master.log()
    assert "minimum_auth_version is 2" in master.log()
    assert "sign_pub_messages is off: publications without a signature are accepted" in minion.log()


def test_older_protocols_are_not_served(shared_master):
    load = {"cmd": "_auth", "id": "old", "nonce": "0" * 32, "pub": pair(0).public.pem}
    for version in (0, 1, 2, -1, "x", None):
        assert len(ask_raw(shared_master.ret_port, seal_clear(load, version=version))) < 100

    assert not list(shared_master.pki_dir.glob("minions*/old"))
