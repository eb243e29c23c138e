"""Wheel functions of keys, on a real `pki_dir`."""

import pytest

from salt_g.errors import InvocationError
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore
from salt_g.wheel import key
from salt_g.wire.rsa import PrivateKey


@pytest.fixture
def pem(minion_key):
    return minion_key.public.pem


@pytest.fixture
def changes():
    return []


@pytest.fixture
def pki(tmp_path, pem, call_context, changes):
    """Return a `pki_dir` with a key in each state, and the call context of a wheel function on it."""
    for state, id in (("minions", "web1"), ("minions_pre", "new1"), ("minions_rejected", "bad1")):
        (tmp_path / state).mkdir()
        (tmp_path / state / id).write_text(pem)
    (tmp_path / "master.pub").write_text(pem + "\n")
    opts = {"pki_dir": str(tmp_path), "hash_type": "sha256", "keysize": 2048, "rotate_aes_key": True}
    call_context(
        keys=KeyStore(KeyFiles(str(tmp_path)), on_change=changes.append),
        opts={**opts, "preserve_minion_cache": False},
    )
    return tmp_path


def test_lists_say_where_each_key_is(pki):
    assert key.list_("acc") == {"minions": ["web1"]}
    assert key.list_all()["local"] == ["master.pub"]
    assert key.glob_match("*1")["minions_pre"] == ["new1"]


def test_accepting_a_listing_moves_exactly_these_keys(pki, changes):
    now = key.accept_dict({"minions_pre": ["new1"], "minions_rejected": ["bad1"]})

    assert now == {"minions": ["new1"], "minions_rejected": ["bad1"]}
    assert [(change.id, change.act) for change in changes] == [("new1", "accepted")]


def test_deleting_an_accepted_key_revokes_it(pki, changes):
    left = key.delete("web1", preserve_minions=True)

    assert left == {}
    assert changes[0].revokes
    assert changes[0].keeps_data
    assert changes[0].rotates


def test_rejecting_without_rotation_revokes_and_does_not_rotate(pki, changes):
    key.reject("web1", include_accepted=True, rotate_aes_key=False)

    assert changes[0].revokes
    assert not changes[0].rotates


def test_fingers_shows_the_masters_key_in_the_form_of_master_finger(pki):
    result = key.finger_master()["local"]["master.pub"]

    assert key.finger("*")["local"]["master.pub"] == result
    assert len(result.split(":")) == 32


def test_a_key_made_for_a_minion_is_accepted_at_once(pki, changes):
    pair = key.gen_accept("web2")

    assert (pki / "minions" / "web2").read_text().strip() == pair["pub"]
    assert PrivateKey(pair["priv"]).public.pem == pair["pub"]
    assert not changes[0].revokes


def test_a_key_on_file_is_only_replaced_by_force(pki, changes):
    assert key.gen_accept("web1") == {}

    key.gen_accept("web1", force=True)

    assert changes[0].revokes


def test_a_signature_is_made_once(pki, call_context):
    opts = {
        "id": "m_master",
        "master_sign_key_name": "master_sign",
        "signing_key_pass": None,
        "master_pubkey_signature": None,
        "publish_signing_algorithm": "PKCS1v15-SHA1",
        "pki_dir": str(pki),
        "keysize": 2048,
    }
    call_context(keys=KeyStore(KeyFiles(str(pki))), opts=opts)

    assert key.gen_signature("", "", "") == "No usable private-key found"
    assert key.gen_signature("", "", "", auto_create=True) is True
    assert key.gen_signature("", "", "") is False
    assert (pki / "m_master_pubkey_signature").exists()


def test_an_invitation_is_made_listed_and_ended(pki, call_context):
    opts = {"pki_dir": str(pki), "ret_port": 4506}
    keys = KeyStore(KeyFiles(str(pki)))
    call_context(keys=keys, opts=opts)

    made = key.invite("master.example.org", id="web9", expires=60)
    (listed,) = key.invitations()

    assert made["command"] == (
        f"salt-g install minion --master master.example.org --finger {made['finger']}"
        f" --id web9 --invite {made['code']}"
    )
    assert (listed["number"], listed["id"], listed["left"], listed["used"]) == (made["number"], "web9", 1, {})
    assert made["code"] not in str(listed)
    assert key.revoke_invitation(made["code"]) is True
    assert key.revoke_invitation(made["number"]) is False
    assert key.invitations() == []


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("", {"id": "a b"}),
        ("", {"uses": 0}),
        ("", {"uses": 2, "id": "web1"}),
        ("", {"uses": True}),
        ("", {"expires": 0}),
        ("", {"expires": float("nan")}),
        ("", {"expires": 1e9}),
        ("a; reboot", {}),
    ],
)
def test_an_invitation_that_cannot_be_is_refused(pki, address, named):
    with pytest.raises(InvocationError, match="key.invite"):
        key.invite(address, **named)

    assert key.invitations() == []
