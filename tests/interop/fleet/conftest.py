"""Mixed fleets: a master, a minion and the tools, each of them either stock's or ours.

Stock is looked for in the directories that `SALT_G_STOCK_SERIES` names (`3006=/dir/bin 3008=/dir/bin`), or
in that of `SALT_G_STOCK_BIN`; without either these tests are skipped with that reason, or fail if
`SALT_G_NEEDS_STOCK=1` promises stock. With `SALT_G_COMPATIBILITY=FILE` the outcome of each test is written
to that file, from which `compatibility.py` makes the table of `docs/compatibility.md`.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pytest

from tests.support.free_ports import free_ports
from tests.support.stock_daemon import Daemon, clean_environment
from tests.support.waiting import until

#: How long anything may take on a busy machine (s).
LIMIT = 120
#: Programs by part: {name: (master, minion, tools)}.
FLEETS = {
    "stock-minion": ("ours", "stock", "ours"),
    "our-minion": ("stock", "ours", "stock"),
    "stock-tools": ("ours", "ours", "stock"),
    "our-tools": ("stock", "stock", "ours"),
    # Not run unless asked for by name: what stock does among itself, to know what to expect.
    "all-stock": ("stock", "stock", "stock"),
}
#: {tool of stock: our subcommand}
TOOLS = {"salt": "cmd", "salt-key": "key", "salt-run": "run", "salt-cp": "cp", "salt-call": "call"}
OURS = pathlib.Path(sys.executable).with_name("salt-g")


def stock_series():
    """Return {series: directory of stock's programs}."""
    named = dict(word.split("=", 1) for word in os.environ.get("SALT_G_STOCK_SERIES", "").split())
    if not named and os.environ.get("SALT_G_STOCK_BIN"):
        named = {"3008": os.environ["SALT_G_STOCK_BIN"]}
    return {series: pathlib.Path(path) for series, path in named.items()}


def pytest_generate_tests(metafunc):
    """Run each test with the argument `fleet` in all fleets and with all available series of stock."""
    if "fleet" not in metafunc.fixturenames:
        return
    wanted = os.environ.get("SALT_G_FLEETS", "").split() or [name for name in FLEETS if name != "all-stock"]
    pairs = [(name, series) for series in stock_series() or {"": None} for name in wanted]
    metafunc.parametrize(
        "fleet", pairs, indirect=True, scope="session", ids=[f"{name}-{series}" for name, series in pairs]
    )


@pytest.fixture(scope="session")
def fleet(request, kept_programs):
    """Yield a fleet whose minion `m1` is accepted and connected; `fleet.history` records its start."""
    name, series = request.param
    directories = stock_series()
    if not directories:
        reason = "stock Salt is not here: set SALT_G_STOCK_BIN to the directory that holds its programs"
        if os.environ.get("SALT_G_NEEDS_STOCK") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    # Not tmp_path: the path of a UNIX socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(prefix="fleet-", ignore_cleanup_errors=True) as root:
        made = Fleet(pathlib.Path(root), FLEETS[name], directories[series], kept_programs, series=series)
        try:
            made.start()
            yield made
        finally:
            made.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the daemons' logs to a failure, and record the outcome for the table."""
    outcome = yield
    report = outcome.get_result()
    fleet = item.funcargs.get("fleet") if hasattr(item, "funcargs") else None
    if report.failed and isinstance(fleet, Fleet):
        report.sections.extend((f"log of the {part.name}", part.log()) for part in fleet.parts())
    path = os.environ.get("SALT_G_COMPATIBILITY")
    if path and "fleet" in getattr(item, "fixturenames", ()) and (call.when == "call" or report.failed):
        name, series = item.callspec.params["fleet"]
        line = {"test": item.originalname, "fleet": name, "series": series, "outcome": report.outcome}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


class Fleet:
    """A master with one minion, and the tools to use them."""

    def __init__(self, root, parts, stock_bin, kept_programs, *, series):
        self.root = root
        self._kept_programs = kept_programs
        self.stock_bin = stock_bin
        self.series = series
        master, minion, self.tools = parts
        publish_port, ret_port = free_ports(2)
        self.states, self.pillar = root / "states", root / "pillar"
        for directory in (self.states, self.pillar):
            directory.mkdir()
        self.master = self._part(
            "master",
            master,
            interface="127.0.0.1",
            publish_port=publish_port,
            ret_port=ret_port,
            file_roots={"base": [str(self.states)]},
            pillar_roots={"base": [str(self.pillar)]},
            nodegroups={"ones": "L@m1,m9"},
            timeout=20,
            gather_job_timeout=20,
            worker_threads=2,
            loop_interval=1,
            state_events=True,
            **({"event_bus_release": int(series)} if master == "ours" else {}),
        )
        self.minion = self._part(
            "minion",
            minion,
            id="m1",
            master="127.0.0.1",
            master_port=ret_port,
            publish_port=publish_port,
            acceptance_wait_time=1,
            random_reauth_delay=1,
            recon_max=1000,
            grains={"role": "web"},
            mine_functions={"shared": [{"mine_function": "test.echo"}, "from m1"]},
        )
        self.history = {}

    def _part(self, role, whose, **settings):
        command = [str(OURS), role] if whose == "ours" else [str(self.stock_bin / f"salt-{role}")]
        return Part(role, whose, command, self.root / role, settings)

    def parts(self):
        """Return the daemons."""
        return [self.master, self.minion]

    def write(self, files):
        """Write {relative path: text} below the fleet's root."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def start(self):
        """Start both daemons, accept the minion's key, wait until it answers."""
        self.master.start()
        self.minion.start()
        wait_until(
            lambda: self.key("-l", "un").value == {"minions_pre": ["m1"]}, "the minion's key is pending", self
        )
        self.history["pending"] = self.salt("m1", "test.ping", "-t", "1")
        self.history["accept"] = self.key("-y", "-a", "m1", as_json=False)
        assert self.history["accept"].code == 0, self.history["accept"]
        self.wait_for_answer()

    def wait_for_answer(self):
        """Wait until the minion answers."""

        def answers():
            if self.salt("m1", "test.ping", "-t", "2").value == {"m1": True}:
                return True
            # Of two workers of stock's master that take the first sign-ins at once, the slower one may
            # store the key as pending after it was accepted.
            if self.master.whose == "stock" and "m1" in self.key("-l", "un").value["minions_pre"]:
                self.key("-y", "-a", "m1", as_json=False)
            return False

        wait_until(answers, "the minion answers", self)

    def forget_resources(self):
        """Take all resources from the minion, for the other tests of this fleet."""
        self.write({"pillar/top.sls": "{}\n"})
        self.salt("m1", "saltutil.refresh_pillar")
        # Long enough for a resource that is still there to answer on a busy machine.
        wait_until(
            lambda: self.salt("*", "test.ping", "-t", "15").value == {"m1": True}, "no resource is left", self
        )

    def stop(self):
        """Stop both daemons."""
        for part in reversed(self.parts()):
            part.stop()

    # The tools; each returns a Completed.

    def salt(self, *words, as_json=True):
        """Run `salt`; its value is {id: return}."""
        return self.tool("salt", *(["--out=json", "--static"] if as_json else []), *words)

    def key(self, *words, as_json=True):
        """Run `salt-key`."""
        return self.tool("salt-key", *(["--out=json"] if as_json else []), *words)

    def run(self, *words, as_json=True):
        """Run `salt-run`."""
        return self.tool("salt-run", *(["--out=json"] if as_json else []), *words)

    def returned(self, fun, *words):
        """Return the minion's return of a function."""
        completed = self.salt("m1", fun, *words)
        assert isinstance(completed.value, dict) and "m1" in completed.value, completed
        return completed.value["m1"]

    def reports_failure(self, completed):
        """Return whether a command's exit code reports a failure; stock's with `--static` is always 0."""
        return self.tools == "stock" or completed.code != 0

    def tool(self, name, *words):
        """Run a tool with the master's configuration to completion."""
        return self._completed(self.tools, self.command(name, *words))

    def beside(self, name, *words):
        """Start a tool beside the test and return its process."""
        return subprocess.Popen(self.command(name, *words), **process_options())

    def command(self, name, *words):
        """Return the words that run a tool on the master's configuration."""
        program = [str(OURS), TOOLS[name]] if self.tools == "ours" else [str(self.stock_bin / name)]
        return [*program, "-c", str(self.master.conf), *map(str, words)]

    def call(self, *words):
        """Run `salt-call` on the minion's machine, through the master, with the minion's program."""
        program = [str(OURS), "call"] if self.minion.whose == "ours" else [str(self.stock_bin / "salt-call")]
        return self._completed(
            self.minion.whose, [*program, "-c", str(self.minion.conf), "--out=json", *words]
        )

    def _completed(self, whose, command):
        """Run a command, one of stock's with the imports of earlier runs."""
        if whose == "stock":
            return Completed(self.stock(command, clean_environment()))
        return Completed(subprocess.run(command, timeout=LIMIT, check=False, **process_options()))

    def stock(self, command, env):
        """Run a command of stock; return a `subprocess.CompletedProcess`."""
        return self._kept_programs(command[0]).run(command[1:], env=env, cwd=os.getcwd(), timeout=LIMIT)


class Completed:
    """Outcome of one run of a tool."""

    def __init__(self, finished):
        self.code, self.out, self.err = finished.returncode, finished.stdout, finished.stderr

    @property
    def value(self):
        """The output parsed as JSON, None if it is not JSON."""
        try:
            return json.loads(self.out)
        except ValueError:
            return None

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}\n{self.err[-3000:]}"


class Part(Daemon):
    """One of the fleet's daemons; `whose` is "stock" or "ours"."""

    def __init__(self, name, whose, command, root, settings):
        super().__init__(name, command, root, settings)
        self.whose = whose


def process_options():
    """Return the keyword arguments for all processes."""
    return {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "env": clean_environment(),
    }


def wait_until(is_so, what, fleet=None, limit=LIMIT):
    """Poll until `is_so` is true; stock sends no notification."""
    try:
        until(is_so, what, seconds=limit)
    except AssertionError as exc:
        parts = fleet.parts() if fleet else []
        logs = "\n".join(f"--- {part.name} ({part.whose})\n{part.log()}" for part in parts)
        raise TimeoutError(f"{exc}\n{logs}") from None


@pytest.fixture(name="wait_until", scope="session")
def wait_until_fixture():
    """Return the function that polls until a condition holds."""
    return wait_until
