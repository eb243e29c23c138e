"""Fixtures that run the real `salt-g` command in temporary directories."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest
import yaml


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Result of one run of the command."""

    code: int
    out: str
    err: str

    @property
    def value(self):
        """Function's return, for runs with `--out=json`."""
        return json.loads(self.out)["local"]

    @property
    def states(self):
        """{id: (result, comment, changes)} of a state run."""
        return {ret["__id__"]: (ret["result"], ret["comment"], ret["changes"]) for ret in self.value.values()}

    @property
    def minions(self):
        """{id: return} of a remote run with `--out=json`, which prints a map for each minion."""
        decoder, text, found = json.JSONDecoder(), self.out.strip(), {}
        while text:
            one, end = decoder.raw_decode(text)
            found.update(one)
            text = text[end:].strip()
        return found


class Machine:
    """Simulated machine: a config directory, a state tree, a pillar tree, and the command that uses them."""

    program = str(pathlib.Path(sys.executable).with_name("salt-g"))

    def __init__(self, root):
        self.root = root
        self.conf = self._make("conf")
        self.states = self._make("states")
        self.pillar = self._make("pillar")
        self.out = self._make("out")
        self.settings = {
            "id": "m1",
            "file_client": "local",
            "root_dir": str(root),
            "cachedir": str(root / "cache"),
            "pki_dir": str(root / "pki"),
            "log_file": str(root / "log" / "minion"),
            "file_roots": {"base": [str(self.states)]},
            "pillar_roots": {"base": [str(self.pillar)]},
            "enable_gpu_grains": False,
            "enable_fqdns_grains": False,
        }

    def _make(self, name):
        path = self.root / name
        path.mkdir()
        return path

    def write(self, files, *, below=None):
        """Write {relative path: text} to the state tree (or below another directory)."""
        for name, text in files.items():
            path = (below or self.states) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def __call__(self, *words, as_json=True, stdin=None, env=None, timeout=60, **settings):
        """Run `salt-g call WORDS`; keyword arguments are settings of this machine."""
        (self.conf / "minion").write_text(yaml.safe_dump({**self.settings, **settings}))
        output = ["--out=json"] if as_json else []
        return self.run(
            "call", "-c", str(self.conf), "--local", *output, *words, stdin=stdin, env=env, timeout=timeout
        )

    def state(self, function, *words, timeout=120, **options):
        """Apply one state; return its state return."""
        applied = self("state.single", function, *words, timeout=timeout, **options)
        (ret,) = applied.value.values()
        return ret

    def run(self, *words, stdin=None, env=None, timeout=60):
        """Run `salt-g WORDS`."""
        finished = subprocess.run(
            [self.program, *map(str, words)],
            cwd=self.root,
            input="" if stdin is None else stdin,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=timeout,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "dumb", **(env or {})},
        )
        return Outcome(finished.returncode, finished.stdout, finished.stderr)


@pytest.fixture
def salt_g(tmp_path):
    """The command on a fresh machine: `salt_g("test.ping").value`."""
    return Machine(tmp_path)


@pytest.fixture
def daemon_root():
    """Short directory for daemons: UNIX socket names have at most 107 characters."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    yield root
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def start_master(daemon_root):
    """Factory: `start_master(**settings)` is a running master on free ports (`daemons.RunningMaster`).

    At the end each is stopped by SIGTERM and must end with 0.
    """
    from daemons import RunningMaster

    masters = []

    def start(**settings):
        name = f"master{len(masters) + 1}" if masters else "master"
        masters.append(RunningMaster(daemon_root / name, **settings))
        return masters[-1].start()

    yield start
    stop_all(masters)


@pytest.fixture
def start_minion(daemon_root):
    """Factory: `start_minion(master, id="m1", **settings)` is a running minion (`daemons.RunningMinion`).

    `master` may be several. At the end each is stopped by SIGTERM and must end with 0. Fixtures end in
    reverse order, so a test that asks for both asks for `start_master` first.
    """
    from daemons import RunningMinion

    minions = []

    def start(master=None, id="m1", **settings):
        if master is not None:
            masters = master if isinstance(master, (list, tuple)) else [master]
            settings = {"master": [f"127.0.0.1:{one.ret_port}" for one in masters], **settings}
        minions.append(RunningMinion(daemon_root / id, id=id, **settings))
        return minions[-1].start()

    yield start
    stop_all(minions)


@pytest.fixture
def salt():
    """The remote command line: `salt(master, "*", "test.ping")` is an Outcome.

    Output is JSON unless `as_json=False`.
    """

    def run(master, *words, as_json=True, stdin="", env=None, timeout=120, program=Machine.program):
        output = ["--out=json"] if as_json else []
        command = [program, "cmd", "-c", str(master.config_dir), *output, *map(str, words)]
        return outcome_of(command, stdin=stdin, env=env, timeout=timeout)

    return run


def outcome_of(command, *, stdin="", env=None, timeout=120):
    """Run a command to its end."""
    finished = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=timeout,
        env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "dumb", **(env or {})},
    )
    return Outcome(finished.returncode, finished.stdout, finished.stderr)


def stop_all(daemons):
    """Stop all daemons, even if one of them fails to stop."""
    problems = []
    for daemon in reversed(daemons):
        try:
            daemon.stop()
        except (AssertionError, subprocess.TimeoutExpired) as exc:
            daemon.kill()
            problems.append(str(exc))
    assert not problems, "\n".join(problems)


@pytest.fixture(scope="module")
def open_directory():
    """Directory accessible to all users of this machine; pytest's own are private to one user."""
    with tempfile.TemporaryDirectory(prefix="sg-") as path:
        os.chmod(path, 0o755)
        yield pathlib.Path(path)
