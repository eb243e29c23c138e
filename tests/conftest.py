"""Time limits, and fixtures for every kind of test: a call context with fake tables, repositories, turns."""

import contextlib
import faulthandler
import fcntl
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import greenlet
import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

from salt_g import api
from salt_g.services.daemons import MasterServices, MinionServices
from tests.support.assertion_cache import fill_cache

#: How long a test that is past its limit may take to end before its process is ended (s).
GRACE = 60
#: The greenlet of the tests: pytest imports this file in it.
TESTS = greenlet.getcurrent()


def pytest_configure():
    """Restore the signals that `nohup` and background jobs ignore, for the programs that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser):
    """Add the choice of the database for tests of the store."""
    parser.addoption("--store", choices=("embedded", "postgres"), default="embedded", help="where stores are")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Return the number of workers of `-n auto`: one more than processors, because tests also wait."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config):
    """Rewrite the assertions of all test modules once, not in each worker."""
    fill_cache(config)


def pytest_collection_finish():
    """Keep what collecting has made out of later garbage collections: each would walk over all tests."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Let tests that take half a minute begin first: at the end of a run all workers would wait for one."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_set_timer(item, settings):
    """Fail a test that takes too long; end the process when the test does not end even then.

    pytest-timeout's own handler raises wherever the signal arrives. With gevent that is usually the hub,
    which prints the exception and goes on waiting.
    """

    def expire(signum, frame):
        _print_greenlets()
        failure = pytest.fail.Exception(f"Timeout (>{settings.timeout:g}s): {item.nodeid}")
        if greenlet.getcurrent() is TESTS:
            raise failure
        import gevent

        gevent.get_hub().loop.run_callback_threadsafe(TESTS.throw, failure)

    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, settings.timeout)
    # For a test that hangs outside Python, or catches the failure. pytest-xdist names the test and goes on.
    shown = item.config.stash.get(fault_handler_stderr_fd_key, 2)
    faulthandler.dump_traceback_later(settings.timeout + GRACE, exit=True, file=shown)
    return True


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_timeout_cancel_timer(item):
    """End the time limit of a test."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    faulthandler.cancel_dump_traceback_later()
    return True


def _print_greenlets():
    """Print the stacks of all threads and greenlets; pytest shows them with the failure."""
    if "gevent" in sys.modules:
        import gevent.util

        gevent.util.print_run_info(file=sys.stderr)


class AnyServices(MasterServices, MinionServices):
    """Services of every kind of call."""


class FakePlugins:
    """Tables of plain functions, in place of the loader."""

    def __init__(self, tables):
        self.tables = tables
        self.reloaded = []

    def table(self, kind):
        return self.tables.setdefault(kind, {})

    def reload(self, kinds=()):
        self.reloaded.append(tuple(kinds))


@pytest.fixture
def call_context():
    """Yield a function that enters a call context for the rest of the test and returns it.

    `call_context(functions={"cmd.run_all": fake}, grains={...}, opts={"test": True}, files=fake_files)`:
    `functions` and `states` are tables; any further keyword is a service.
    """
    with contextlib.ExitStack() as stack:

        def enter(
            *, functions=None, states=None, grains=None, pillar=None, opts=None, tables=None, **services
        ):
            tables = {"modules": dict(functions or {}), "states": dict(states or {}), **(tables or {})}
            plugins = FakePlugins(tables)
            context = api.CallContext(
                opts={"test": False, "id": "unit", "saltenv": None, **(opts or {})},
                grains=dict(grains or {}),
                pillar=dict(pillar or {}),
                services=AnyServices(
                    plugins=lambda: plugins, **{name: (lambda it=it: it) for name, it in services.items()}
                ),
            )
            return stack.enter_context(api.use(context))

        yield enter


class Origin:
    """A repository on this machine, with the branch `master`."""

    def __init__(self, path):
        self.path = path
        path.mkdir()
        self.git("init", "--quiet", "--initial-branch=master")

    def git(self, *words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        done = subprocess.run(["git", *identity, *words], cwd=self.path, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def commit(self, **files):
        """Write files and commit them; in names `__` is a slash and `_DOT_` a dot. Return the commit."""
        for name, text in files.items():
            path = self.path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=x")
        return self.git("rev-parse", "HEAD")

    @property
    def url(self):
        return f"file://{self.path}"


@pytest.fixture
def make_origin(tmp_path):
    """Return a factory: `make_origin("name")` makes an empty repository below the test's directory."""
    return lambda name: Origin(tmp_path / name)


@pytest.fixture(scope="session")
def alone_with():
    """Yield a factory of blocks: within `alone_with("apt")` no other test of this machine is in one.

    Workers of one run, and runs beside each other, share the machine's accounts and packages.
    """

    @contextlib.contextmanager
    def take(what):
        with open(pathlib.Path(tempfile.gettempdir()) / f"salt-g-tests-{what}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    return take


@pytest.fixture(scope="module")
def open_directory():
    """Yield a directory accessible to all users of this machine; pytest's own are private to one user."""
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path)


@pytest.fixture(scope="session")
def postgres_server():
    """Yield the URL of a PostgreSQL server's database, for all tests of a session."""
    pytest.importorskip("psycopg")
    from tests.support.servers import running_postgres

    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        with running_postgres(pathlib.Path(path) / "postgres") as port:
            yield f"postgresql://salt@127.0.0.1:{port}/postgres"


@pytest.fixture
def postgres_url(postgres_server):
    """Return the URL of a PostgreSQL database without tables of salt-g."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("DROP SCHEMA IF EXISTS salt_g CASCADE")
    return postgres_server
