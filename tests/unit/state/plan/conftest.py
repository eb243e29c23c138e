"""Documents of plans from returns in test mode."""

import pytest

from salt_g.state.plan.digests import Digests
from salt_g.state.plan.document import make_document
from tests.support.planned_states import LOW, TAG


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
