"""Start and restart of engines, with a manual clock."""

import sys

import gevent
import pytest

from salt_g import api
from salt_g.engines import Engines
from salt_g.engines._supervision import engines_of
from salt_g.process.supervisor import Supervisor
from salt_g.services.plugins import Services
from tests.support.waiting import hub_until


class Plugins:
    """Tables of one kind: engines."""

    def __init__(self, functions):
        self.functions = functions

    def table(self, kind):
        return self.functions


@pytest.fixture
def keep():
    """Yield a function that runs engines until the given number of sleeps, and returns the pauses."""
    supervisor = Supervisor("test")
    yield_to = gevent.event.Event()

    def run(setting, functions, rounds=3, lasts=0.0):
        now, pauses = [0.0], []

        def sleep(seconds):
            pauses.append(seconds)
            if len(pauses) == rounds:
                yield_to.set()
                gevent.event.Event().wait()

        def clock():
            now[0] += lasts
            return now[0]

        services = Services(plugins=lambda: Plugins(functions))
        context = api.CallContext(opts={}, grains={}, pillar={}, services=services)
        engines = Engines(setting, context=lambda: context, supervisor=supervisor, clock=clock, sleep=sleep)
        engines.start()
        yield_to.wait(0.1 if not rounds else 30)
        return pauses

    yield run
    supervisor.stop()


def test_an_engine_that_fails_is_started_again_more_and_more_seldom(keep):
    starts = []

    def fail(**options):
        starts.append(options)
        raise RuntimeError("no")

    assert keep([{"e": {"port": 1}}], {"e.start": fail}, rounds=8) == [1, 2, 4, 8, 16, 32, 60, 60]
    assert starts[0] == {"port": 1}


def test_an_engine_that_wants_to_end_its_process_ends_no_daemon(keep):
    assert keep(["e"], {"e.start": lambda: sys.exit(0)}) == [1, 2, 4]


def test_one_that_ran_long_is_started_again_soon(keep):
    assert keep(["e"], {"e.start": lambda: None}, lasts=100.0) == [1, 1, 1]


def test_one_that_is_not_there_is_named(keep, caplog):
    assert keep(["nowhere"], {}, rounds=0) == []
    assert "cannot start engine nowhere" in caplog.text


def test_in_a_cluster_they_run_while_this_master_leads_and_those_for_everywhere_always():
    supervisor, leads, log = Supervisor("test"), [False], []

    def run(name):
        log.append(f"{name} begins")
        try:
            gevent.event.Event().wait()
        finally:
            log.append(f"{name} ends")

    services = Services(plugins=lambda: Plugins({"e.start": run, "all.start": run}))
    context = api.CallContext(opts={}, grains={}, pillar={}, services=services)
    setting = [{"e": {"name": "e"}}, {"all": {"name": "all", "everywhere": True}}]
    engines = Engines(setting, context=lambda: context, supervisor=supervisor, is_leader=lambda: leads[0])
    try:
        for engine in engines.engines:
            assert "everywhere" not in engine.options
        engines.start()
        hub_until(lambda: log == ["all begins"], "the engine that runs everywhere")
        leads[0] = True
        hub_until(lambda: log[1:] == ["e begins"], "the engine of the leader")
        leads[0] = False
        hub_until(lambda: log[2:] == ["e ends"], "its end")
    finally:
        supervisor.stop()


def test_engines_are_named_in_a_list_or_a_map():
    wanted = [("a", "a", {}), ("b", "b", {"x": 1}), ("c", "plugin", {"x": 1})]

    others = [5, {"d": "x"}, {"e": [1]}]
    listed = engines_of(["a", {"b": {"x": 1}}, {"c": {"engine_module": "plugin", "x": 1}}, *others])
    mapped = engines_of({"a": None, "b": {"x": 1}, "c": {"engine_module": "plugin", "x": 1}})

    assert [engine[:3] for engine in listed] == [engine[:3] for engine in mapped] == wanted


def test_an_engine_is_looked_up_in_its_own_call(keep):
    class Asking(dict):
        def get(self, name, default=None):
            return super().get(name, default) if api.is_running() else None

    pauses = keep(["one"], Asking({"one.start": lambda: None}), rounds=1)

    assert pauses == [1.0]
