"""`salt.key.Key` for programs, on the files of a stopped master; results as in stock 3008."""

import pytest

from salt_g.compat.key import Key, KeyCLI, get_key
from salt_g.errors import CommandExecutionError
from salt_g.wire.pem import fingerprint


@pytest.fixture
def keys(tmp_path, minion_key, other_key):
    """Return keys of a master: `web1` and `web2` are pending, `db1` is accepted, `old` rejected."""
    places = {"web1": "minions_pre", "web2": "minions_pre", "db1": "minions", "old": "minions_rejected"}
    for id, state in places.items():
        (tmp_path / "pki" / state).mkdir(parents=True, exist_ok=True)
        (tmp_path / "pki" / state / id).write_text((other_key if id == "old" else minion_key).public.pem)
    opts = {"pki_dir": str(tmp_path / "pki"), "cachedir": str(tmp_path), "sock_dir": str(tmp_path), "id": "m"}
    opts |= {"hash_type": "sha256", "keysize": 2048, "rotate_aes_key": False, "preserve_minion_cache": True}
    return Key(opts)


def test_keys_are_listed_by_state(keys):
    listed = keys.list_keys()

    assert listed == {
        "minions_pre": ["web1", "web2"],
        "minions_rejected": ["old"],
        "minions": ["db1"],
        "minions_denied": [],
    }
    assert keys.all_keys() == {**listed, "local": []}
    assert keys.list_status("un") == {"minions_pre": ["web1", "web2"]}
    assert keys.name_match("*1") == {"minions_pre": ["web1"], "minions": ["db1"]}
    assert keys.list_match("web1,nosuch") == {"minions_pre": ["web1"]}
    assert keys.dict_match({"minions": ["web2"]}) == {"minions_pre": ["web2"]}
    assert not keys.check_master()


def test_only_pending_keys_change_unless_others_are_asked_for(keys):
    assert keys.accept("web1") == {"minions": ["web1"]}
    assert keys.accept("old") == {"minions_rejected": ["old"]}
    assert keys.accept("old", include_rejected=True) == {"minions": ["old"]}
    assert keys.reject("db1") == {"minions": ["db1"]}
    assert keys.reject(match_dict={"minions": ["db1"]}, include_accepted=True) == {
        "minions_rejected": ["db1"]
    }
    assert keys.accept_all()["minions"] == ["old", "web1", "web2"]


def test_keys_are_deleted_in_every_state(keys):
    assert keys.delete_key("*1") == {}
    assert keys.delete_all() == {
        "minions_pre": [],
        "minions_rejected": [],
        "minions": [],
        "minions_denied": [],
    }


def test_texts_and_fingerprints(keys, other_key):
    assert keys.key_str("old") == {"minions_rejected": {"old": other_key.public.pem + "\n"}}
    assert keys.finger("old") == {"minions_rejected": {"old": fingerprint(other_key.public.pem)}}
    with get_key(keys.opts) as same:
        assert same.finger_all("md5")["minions"]["db1"].count(":") == 15


def test_the_program_itself_says_what_to_use():
    with pytest.raises(CommandExecutionError, match=r"use `salt.key.Key`, or run `salt-g key`"):
        KeyCLI({})
