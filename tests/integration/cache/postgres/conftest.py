"""Masters of one cluster, on the PostgreSQL server of the tests."""

import shutil

import pytest
from support import key_pairs
from support.commands import stop_all
from support.daemons import RunningMaster
from support.waiting import until


@pytest.fixture
def start_masters(daemon_root, postgres_url):
    """Factory: `start_masters("a", "b")` are masters of one cluster, with these ids and one key pair."""
    masters = []

    def start(*ids, **settings):
        for id in ids:
            own = {"id": id, "store": postgres_url, "cluster": True, "makes_key": True, **settings}
            masters.append(RunningMaster(daemon_root / id, **own))
            masters[-1].pki_dir.mkdir(parents=True, exist_ok=True)
            if len(masters) == 1:
                key_pairs.place(masters[0].pki_dir, "master")
            else:
                for name in ("master.pem", "master.pub"):
                    shutil.copy(masters[0].pki_dir / name, masters[-1].pki_dir)
            masters[-1].start()
        return masters[-len(ids) :]

    yield start
    stop_all(masters)


@pytest.fixture
def reach(salt):
    """Factory: wait until each of some masters gets answers of exactly these minions.

    The key that one master accepts is known to the others a moment later.
    """

    def wait(masters, *ids):
        for master in masters:
            until(
                lambda master=master: sorted(salt(master, "*", "test.ping").minions) == sorted(ids),
                "all minions at each master",
            )

    return wait
