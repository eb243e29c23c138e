"""Plans in a store of their own."""

import json

import pytest
from support.clocks import Clock

from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.master.plans.kept_plans import LIFETIME, KeptPlans
from salt_g.wire.rsa import PrivateKey

JID, ID = "20260102030405678901", "7f3a91"


@pytest.fixture(scope="session")
def master_key():
    return PrivateKey.generate()


@pytest.fixture
def banks(tmp_path):
    store = EmbeddedStore(str(tmp_path / "cache"))
    store.start()
    yield Banks(store)
    store.stop()


@pytest.fixture
def clock():
    return Clock(1000.0)


@pytest.fixture
def kept(banks, master_key, clock):
    return KeptPlans(banks, master_key, clock=clock)


def record(**more):
    """Return the record of a plan of ann for web1 and web2."""
    return {
        "id": ID, "name": "web.plan", "fun": "state.apply", "arg": ["web", {"__kwarg__": True, "test": True}],
        "user": "ann", "module": "", "made": 1000.0, "until": 1000.0 + LIFETIME, "jid": JID,
        "minions": ["web1", "web2"],
        "is_closed": False, "refused": {}, "counts": {}, "size": 0, "planned": {}, "approvals": [],
        "applied": [], **more,
    }  # fmt: skip


def document(*verdicts, opaque=""):
    """Return the text of a document with chunks of these verdicts."""
    chunks = [
        {"id": "x", "fun": "file.managed", "name": "/x", "verdict": verdict, "shown": "+1 -1", "text": "",
         "opaque": opaque, "low": "digest"}
        for verdict in verdicts
    ]  # fmt: skip
    return json.dumps({"form": 1, "version": "1", "made": 1000, "chunks": chunks})
