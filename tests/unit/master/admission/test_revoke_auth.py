"""Minions that delete their own keys."""

import pytest

from salt_g.keys.admission import ACCEPTED
from salt_g.keys.files import KeyFiles
from salt_g.keys.store import KeyStore
from salt_g.master.admission.revoke_auth import RevokeAuth


class FromMinion:
    id = "m1"


@pytest.fixture
def keys(tmp_path, minion_key):
    (tmp_path / ACCEPTED).mkdir()
    for id in ("m1", "m2"):
        (tmp_path / ACCEPTED / id).write_text(minion_key.public.pem + "\n")
    return KeyStore(KeyFiles(str(tmp_path)))


def revoke(keys, load, *, may=True):
    duty = RevokeAuth(keys, is_allowed=may)
    return duty.commands()["revoke_auth"].run(FromMinion(), load)


def test_a_minion_deletes_its_own_key_whatever_its_load_says(keys):
    assert revoke(keys, {"id": "m2", "preserve_minion_cache": True}) is True
    assert keys.accepted() == {"m2"}


def test_a_setting_forbids_it(keys):
    assert revoke(keys, {}, may=False) is False
    assert keys.accepted() == {"m1", "m2"}
