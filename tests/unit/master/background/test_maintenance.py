"""Periodic maintenance of the master."""

import pytest

from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs, Retention
from salt_g.cache.stock_files import StockJobFiles
from salt_g.master.background.maintenance import COPIES_LAST, MaintenanceTask, begin, prune_jobs
from salt_g.process.supervisor import Supervisor
from tests.support.waiting import hub_until

JID = "20260102030405678901"


@pytest.fixture
def supervisor():
    family = Supervisor("test")
    yield family
    family.stop()


@pytest.mark.parametrize(
    ("keep_seconds", "age", "stays"),
    [
        (0, COPIES_LAST - 60, True),
        (0, COPIES_LAST + 60, False),
        (86400, COPIES_LAST + 60, False),
        (30, 60, False),
    ],
)
def test_copies_of_jobs_are_short_lived_whatever_is_kept(tmp_path, keep_seconds, age, stays):
    now = [0.0]
    files = StockJobFiles(str(tmp_path), clock=lambda: now[0])
    files.write(JID, {}, [])
    written = next(tmp_path.rglob("jid")).parent
    now[0] = written.stat().st_mtime + age

    with EmbeddedStore(str(tmp_path / "store")) as store:
        prune_jobs(Jobs(store), files, Retention(keep_seconds=keep_seconds))

    assert written.exists() is stays


@pytest.mark.parametrize("error", [OSError("no"), SystemExit(1)])
def test_a_duty_that_fails_is_done_again(supervisor, error, caplog):
    done = []

    def fail():
        done.append(1)
        raise error

    begin([MaintenanceTask("looking", 0.001, fail)], supervisor)
    hub_until(lambda: len(done) >= 3)

    assert "looking failed" in caplog.text
