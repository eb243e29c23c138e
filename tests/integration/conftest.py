"""Fixtures that run the real `salt-g` command in temporary directories."""

import pathlib
import shutil
import tempfile

import pytest

from tests.support.commands import Machine, outcome_of, stop_all

#: Number of lines of each daemon's log that the report of a failed test shows.
LOG_LINES = 80


@pytest.fixture
def salt_g(tmp_path, request):
    """Return the command on a fresh machine: `salt_g("test.ping").value`."""
    machine = Machine(tmp_path)
    machine.is_forked = may_fork(request)
    return machine


@pytest.fixture
def daemon_root():
    """Yield a short directory for daemons: UNIX socket names have at most 107 characters."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    yield root
    shutil.rmtree(root, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the end of each daemon's log to the report of a failed test; the logs themselves are removed."""
    report = yield
    root = item.funcargs.get("daemon_root") if call.when == "call" and report.failed else None
    for log in sorted(root.glob("*/*.log")) if root else ():
        lines = log.read_text(errors="replace").splitlines()[-LOG_LINES:]
        report.sections.append((f"end of {log.parent.name}/{log.name}", "\n".join(lines)))
    return report


def may_fork(request):
    """Return whether a test's daemons and local calls may be forked from a process that has imported them."""
    return request.node.get_closest_marker("own_start") is None


@pytest.fixture
def start_master(daemon_root, request):
    """Yield a function that starts a master on free ports (`daemons.RunningMaster`).

    At the end each is stopped by SIGTERM and must end with 0.
    """
    from tests.support.daemons import RunningMaster

    masters = []

    def start(**settings):
        name = f"master{len(masters) + 1}" if masters else "master"
        masters.append(RunningMaster(daemon_root / name, is_forked=may_fork(request), **settings))
        return masters[-1].start()

    yield start
    stop_all(masters)


@pytest.fixture
def start_minion(daemon_root, request):
    """Yield a function that starts a minion (`daemons.RunningMinion`): `start_minion(master, id="m1")`.

    `master` may be several, and "ADDRESS:PORT". At the end each is stopped by SIGTERM and must end with 0.
    Fixtures end in reverse order, so a test that asks for both asks for `start_master` first.
    """
    from tests.support.daemons import RunningMinion

    minions = []

    def place_of(master):
        return master if isinstance(master, str) else f"127.0.0.1:{master.ret_port}"

    def start(master=None, id="m1", **settings):
        if master is not None:
            masters = master if isinstance(master, (list, tuple)) else [master]
            settings = {"master": [place_of(one) for one in masters], **settings}
        minions.append(RunningMinion(daemon_root / id, id=id, is_forked=may_fork(request), **settings))
        return minions[-1].start()

    yield start
    stop_all(minions)


class SharedDaemons:
    """Masters and minions below one directory, for the tests of a file that leave them as they were."""

    def __init__(self, root):
        self.root = root
        self._masters, self._minions = [], []

    def start_master(self, **settings):
        """Start a master on free ports; return it (`daemons.RunningMaster`)."""
        from tests.support.daemons import RunningMaster

        root = self.root / f"master{len(self._masters)}"
        self._masters.append(RunningMaster(root, is_forked=True, **settings))
        return self._masters[-1].start()

    def start_minion(self, master, id="m1", **settings):
        """Start a minion of a master; return it (`daemons.RunningMinion`)."""
        from tests.support.daemons import RunningMinion

        settings = {"master": f"127.0.0.1:{master.ret_port}", "id": id, **settings}
        root = self.root / f"minion{len(self._minions)}"
        self._minions.append(RunningMinion(root, is_forked=True, **settings))
        return self._minions[-1].start()

    def stop(self):
        """Stop all by SIGTERM; each must end with 0."""
        stop_all([*self._masters, *self._minions])


@pytest.fixture(scope="module")
def shared_daemons():
    """Yield factories of daemons that all tests of a file use (`SharedDaemons`)."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    daemons = SharedDaemons(root)
    yield daemons
    try:
        daemons.stop()
    finally:
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="session")
def salt():
    """Return the remote command line: `salt(master, "*", "test.ping")` is an Outcome.

    Output is JSON unless `as_json=False`.
    """

    def run(master, *words, as_json=True, stdin="", env=None, timeout=120, program=Machine.program):
        output = ["--out=json"] if as_json else []
        command = [program, "cmd", "-c", str(master.config_dir), *output, *map(str, words)]
        return outcome_of(command, stdin=stdin, env=env, timeout=timeout)

    return run
