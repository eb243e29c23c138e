"""Maintenance tasks enabled by the settings of a master, and their intervals."""

import pytest

from salt_g.auth.tokens import Tokens
from salt_g.cache.banks import Banks
from salt_g.cache.embedded_store import EmbeddedStore
from salt_g.cache.jobs import Jobs
from salt_g.cache.stock_files import StockJobFiles
from salt_g.config.registry import defaults
from salt_g.event.bus import Bus
from salt_g.master.background.maintenance_tasks import maintenance_tasks
from salt_g.master.background.presence import Presence
from salt_g.master.background.statistics import Statistics
from salt_g.master.publishing.restart_barrier import WRITE_INTERVAL
from salt_g.master.returns.unsolicited_returns import UnsolicitedReturns
from salt_g.master.serving.files import file_server
from salt_g.master.settings import MaintenanceSettings
from salt_g.telemetry.metric_registry import MetricRegistry


class GitPillars:
    """Pillar of repositories that are updated every `interval` seconds."""

    def __init__(self, interval):
        self.interval = interval

    def update(self):
        pass

    def refused(self):
        return []


@pytest.fixture
def bus():
    return Bus()


@pytest.fixture
def tasks(tmp_path, bus):
    """Yield a function that returns {name: task} of a master with these settings."""
    with EmbeddedStore(str(tmp_path / "store")) as store:

        def make(git_interval=0, **opts):
            opts = {**defaults("master"), "file_roots": {}, "cachedir": str(tmp_path), **opts}
            found = maintenance_tasks(
                MaintenanceSettings.of(opts),
                bus=bus,
                fileserver=file_server(opts),
                git_pillars=GitPillars(git_interval),
                jobs=Jobs(store),
                look_at_key_files=lambda: None,
                note_connected=lambda: None,
                presence=Presence([], dict),
                statistics=Statistics(MetricRegistry(), bus),
                stock_files=StockJobFiles(str(tmp_path)),
                tokens=Tokens(str(tmp_path / "tokens")),
                unsolicited_returns=UnsolicitedReturns(Banks(store)),
            )
            assert len({task.name for task in found}) == len(found)
            return {task.name: task for task in found}

        yield make


def test_tasks_of_every_master_follow_the_loop_interval(tasks):
    found = tasks(loop_interval=7)

    intervals = {name: found[name].interval for name in ("job retention", "tokens", "key files", "memory")}
    assert intervals == dict.fromkeys(intervals, 7.0)
    assert found["connected minions"].interval == WRITE_INTERVAL


def test_tasks_rest_between_their_rounds_without_an_interval(tasks):
    assert tasks(loop_interval=0)["tokens"].interval == 60.0


def test_presence_events_are_fired_where_they_are_wanted(tasks, bus):
    assert "presence" not in tasks()

    events = bus.subscribe(name="test")
    tasks(presence_events=True)["presence"].run()

    assert [event.tag for event in iter(events.take, None)] == ["salt/presence/present"]


def test_git_pillar_is_updated_at_its_own_interval(tasks):
    assert "update of git_pillar" not in tasks()
    assert tasks(git_interval=300)["update of git_pillar"].interval == 300


@pytest.mark.parametrize("name", ["job retention", "unsolicited returns", "tokens", "memory"])
def test_a_master_that_has_nothing_yet_has_nothing_to_clean(tasks, name):
    tasks()[name].run()


def test_statistics_are_fired_where_they_are_wanted(tasks):
    assert "statistics" not in tasks()
    assert tasks(master_stats=True, master_stats_event_iter=7)["statistics"].interval == 7
