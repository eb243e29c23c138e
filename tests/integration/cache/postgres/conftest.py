"""Masters of one cluster, on the PostgreSQL server of the tests."""

import pytest

from tests.support.masters import Masters
from tests.support.waiting import until


@pytest.fixture
def start_masters(daemon_root, postgres_url):
    """Yield a function that starts masters of one cluster, with the given ids and one shared key pair."""
    masters = Masters(daemon_root, postgres_url)
    yield masters.start
    masters.stop()


@pytest.fixture
def reach(salt):
    """Return a function that waits until each of some masters gets returns from exactly these minions.

    A key that one master accepts reaches the others a moment later.
    """

    def wait(masters, *ids):
        for master in masters:
            until(
                lambda master=master: sorted(salt(master, "*", "test.ping").minions) == sorted(ids),
                "all minions at each master",
            )

    return wait
