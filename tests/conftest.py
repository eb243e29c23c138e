"""Fixtures for every kind of test: a call context with fake tables, repositories to fetch from, turns."""

import contextlib
import fcntl
import pathlib
import subprocess
import tempfile

import pytest

from salt_g import api
from salt_g.plugin_services import Services


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
    """Factory: enter a call context for the rest of the test and return it.

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
                services=Services(
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
    """Factory: `make_origin("name")` makes an empty repository below the test's directory."""
    return lambda name: Origin(tmp_path / name)


@pytest.fixture(scope="session")
def alone_with():
    """Factory of blocks: inside of `alone_with("apt")` no other test of this machine is in such a block.

    Workers of one run, and runs beside each other, share the machine's accounts and packages.
    """

    @contextlib.contextmanager
    def take(what):
        with open(pathlib.Path(tempfile.gettempdir()) / f"salt-g-tests-{what}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    return take
