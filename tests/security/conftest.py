"""Real daemons as targets of hostile peers."""

import contextlib
import pathlib
import shutil
import tempfile

import pytest


@contextlib.contextmanager
def daemons():
    """Return (factory of masters, factory of minions); all daemons must exit cleanly."""
    from tests.support.daemons import RunningMaster, RunningMinion

    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    # Other users of this machine must reach the sockets of a master that permits them.
    root.chmod(0o755)
    started = []

    def start_master(**settings):
        started.append(RunningMaster(root / f"m{len(started)}", is_forked=True, **settings))
        return started[-1].start()

    def start_minion(master, id="m1", **settings):
        """Start a minion of `master`, any object with a `ret_port`."""
        settings = {"master": f"127.0.0.1:{master.ret_port}", "id": id, **settings}
        started.append(RunningMinion(root / f"n{len(started)}", is_forked=True, **settings))
        return started[-1].start()

    try:
        yield start_master, start_minion
        # Minions are started after their masters.
        for daemon in reversed(started):
            if daemon.is_running():
                daemon.stop()
    finally:
        for daemon in started:
            daemon.kill()
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def _daemons():
    with daemons() as factories:
        yield factories


@pytest.fixture
def start_master(_daemons):
    """Return a function that starts a master: `start_master(**settings)`."""
    return _daemons[0]


@pytest.fixture
def start_minion(_daemons):
    """Return a function that starts a minion: `start_minion(master, id="m1", **settings)`."""
    return _daemons[1]


@pytest.fixture
def master(start_master):
    """Return a master that accepts every new key."""
    return start_master()


@pytest.fixture(scope="module")
def fleet():
    """Yield factories of masters and minions shared by the tests of one file."""
    with daemons() as factories:
        yield factories


@pytest.fixture(scope="module")
def shared_master(fleet):
    """Return a master that accepts every new key, for tests that leave it unchanged."""
    return fleet[0]()


@pytest.fixture
def follow():
    """Yield a function that follows a master: it returns a function of tags.

    That function returns all events until each of its tags has occurred.
    """
    from salt_g.client import LocalEventBus
    from salt_g.config import load

    buses = []

    def begin(master):
        bus = LocalEventBus(load("master", str(master.config_dir)).opts)
        buses.append(bus)

        def up_to(*tags):
            events = []
            while missing := set(tags) - {event["tag"] for event in events}:
                event = bus.get_event(wait=60.0, full=True)
                assert event is not None, f"{missing} did not come; there were {[e['tag'] for e in events]}"
                events.append(event)
            return events

        return up_to

    yield begin
    for bus in buses:
        bus.destroy()
