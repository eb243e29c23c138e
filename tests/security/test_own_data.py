"""Own data: pillar, mine and pushed data are reachable for the session's own id only (property 4)."""

import secrets

import pytest

from salt_g.errors import SaltGError
from salt_g.wire.pillar_reply import open_pillar
from tests.support.peers import Peer, ask_raw


def pillar_of(peer, load, **forged):
    """Request pillar and open it as the owner of the key."""
    nonce = secrets.token_hex(16)
    payload = peer.seal({"cmd": "_pillar", "grains": {}, "ver": "2", **load}, nonce=nonce, **forged)
    answer = ask_raw(peer.master.ret_port, payload)
    algorithms = {"enc_algo": "OAEP-SHA1", "sig_algo": "PKCS1v15-SHA1"}
    return open_pillar(answer, peer.key, peer.grant.master, nonce, **algorithms)


@pytest.fixture
def master(start_master):
    master = start_master()
    (master.root / "pillar" / "top.sls").write_text(
        "base:\n  m1: [one]\n  m2: [two]\n  'role:db': [{match: pillar}, two]\n"
    )
    (master.root / "pillar" / "one.sls").write_text("secret: of {{ grains.id }} {{ opts.id }}\n")
    (master.root / "pillar" / "two.sls").write_text("two: secret\n")
    return master


def test_pillar_is_that_of_the_session_whatever_the_load_says(master):
    peer = Peer(master, "m1", 0).sign_in()

    honest = pillar_of(peer, {})
    by_grains = pillar_of(peer, {"grains": {"id": "m2", "host": "m2"}})
    by_override = pillar_of(peer, {"pillar_override": {"role": "db", "id": "m2"}})
    by_settings = pillar_of(peer, {"extra_minion_data": {"id": "m2", "pillar_roots": {"base": ["/etc"]}}})
    by_source = pillar_of(peer, {"ext": {"cmd_json": "echo '{\"x\": 1}'"}})

    expected = {"secret": "of m1 m1"}
    assert honest == by_grains == by_settings == by_source == expected
    assert by_override == {**expected, "role": "db", "id": "m2"}


def test_another_id_inside_gets_nothing(master):
    peer = Peer(master, "m1", 0).sign_in()
    Peer(master, "m2", 1).sign_in()

    with pytest.raises(SaltGError):
        peer.ask_as({"cmd": "_pillar", "grains": {}, "ver": "2"}, "m2")
    with pytest.raises(SaltGError):
        pillar_of(peer, {}, id="m2")


def test_overridden_pillar_selects_no_minion_for_rights(master):
    owner, reader = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    owner.ask({"cmd": "_mine", "data": {"x": limited("role:db", "pillar")}})

    pillar_of(reader, {"pillar_override": {"role": "db"}})

    assert reader.ask({"cmd": "_mine_get", "tgt": "m1", "fun": "x"}) == {}


def limited(tgt, tgt_type="glob"):
    """Return a mine value that only `tgt` may read."""
    return {"__data__": "value", "__saltmine_acl__": 1, "allow_tgt": tgt, "allow_tgt_type": tgt_type}


def test_a_minion_writes_to_its_own_mine_only(master):
    one, two = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    two.ask({"cmd": "_mine", "data": {"x": 2}})

    one.ask({"cmd": "_mine", "data": {"x": 1}, "id": "m2"})
    one.ask({"cmd": "_mine_delete", "fun": "x", "id": "m2"})
    one.ask({"cmd": "_mine_flush", "id": "m2"})

    assert two.ask({"cmd": "_mine_get", "tgt": "*", "fun": "x"}) == {"m2": 2}


def test_limits_on_values_hold_for_every_kind_of_target(master):
    owner, reader = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    values = {
        "me": limited("m2"),
        "other": limited("m3"),
        "unknown_grain": limited("os:Debian", "grain"),
        "unknown_compound": limited("G@os:Debian or m3", "compound"),
        "not_a_type": limited("m2", "nonsense"),
        "no_target": limited(None),
        "broken": limited("( m2", "compound"),
    }
    owner.ask({"cmd": "_mine", "data": values})

    found = reader.ask({"cmd": "_mine_get", "tgt": "m1", "fun": list(values)})

    assert found == {"me": {"m1": "value"}}


def test_lying_about_grains_opens_no_mine(master):
    owner, reader = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    values = {
        "grain": limited("role:db", "grain"),
        "pattern": limited("role:d.*", "grain_pcre"),
        "network": limited("192.0.2.0/24", "ipcidr"),
        "compound": limited("G@role:db", "compound"),
        "letters": limited("Gx@rolexdb", "compound"),
        "negated": limited("not G@role:web", "compound"),
        "id": limited("m2", "list"),
    }
    owner.ask({"cmd": "_mine", "data": values})

    forged_grains = {"role": "db", "ipv4": ["192.0.2.7"], "id": "m2"}
    ask_raw(master.ret_port, reader.seal({"cmd": "_pillar", "grains": forged_grains, "ver": "2"}))

    assert reader.ask({"cmd": "_mine_get", "tgt": "m1", "fun": list(values)}) == {"id": {"m1": "value"}}
    assert "m1: no minion may read its mine entry 'grain'" in master.log()


def test_mine_reads_are_what_the_master_allows(start_master):
    master = start_master(mine_get={"m2": ["test.*"], "web.*": [".*"]})
    owner, reader = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    owner.ask({"cmd": "_mine", "data": {"test.ping": 1, "secret": 2}})

    found = reader.ask({"cmd": "_mine_get", "tgt": "*", "fun": ["test.ping", "secret"]})
    of_the_owner = owner.ask({"cmd": "_mine_get", "tgt": "*", "fun": "test.ping"})

    assert found == {"test.ping": {"m1": 1}}
    assert of_the_owner == {}


def test_pillar_cannot_be_tried_out_by_patterns(master):
    owner, reader = Peer(master, "m1", 0).sign_in(), Peer(master, "m2", 1).sign_in()
    pillar_of(owner, {})
    owner.ask({"cmd": "_mine", "data": {"x": 1}})

    for tgt, tgt_type in (
        ("secret:of*", "pillar"),
        ("secret:of.*", "pillar_pcre"),
        ("I@secret:of*", "compound"),
        ("J@secret:of.*", "compound"),
    ):
        assert reader.ask({"cmd": "_mine_get", "tgt": tgt, "fun": "x", "tgt_type": tgt_type}) == {}
    whole = {"cmd": "_mine_get", "tgt": "secret:of m1 m1", "fun": "x", "tgt_type": "pillar"}
    assert reader.ask(whole) == {"m1": 1}


def test_a_top_source_gets_the_id_of_the_session(start_master):
    master = start_master(master_tops={"ext_nodes": "printf 'classes: [%s]'"})
    peer = Peer(master, "m1", 0).sign_in()

    opts = {"id": "m2", "grains": {"id": "m2"}, "master_tops": {"ext_nodes": "id"}}

    assert peer.ask({"cmd": "_master_tops", "opts": opts}) == {"base": ["m1"]}
