import pytest

from salt_g.state.plan.digests import Digests
from salt_g.state.plan.document import make_document

LOW = {"state": "file", "fun": "managed", "__id__": "conf", "name": "/x", "order": 1}
TAG = "file_|-conf_|-/x_|-managed"
DIFF = "--- \n+++ \n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"


@pytest.fixture
def digests():
    return Digests(b"k" * 32)


@pytest.fixture
def make(digests):
    """Return a factory of documents: `make({tag: return})`, with the chunk LOW unless `lows` are given."""

    def build(running, *, lows=None, pillar=None, files=None, hidden=None, after=None):
        lows = {TAG: LOW} if lows is None else lows
        return make_document(
            digests,
            plan="7f3a91",
            id="web7",
            lows=lows,
            running=running,
            hidden=hidden or {},
            after=after or {},
            pillar=pillar or {},
            files=files or {},
        )

    return build


def would(changes=None, result=None, comment=""):
    """Return a state's return in test mode."""
    return {"name": "/x", "result": result, "changes": changes or {}, "comment": comment}
