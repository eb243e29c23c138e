"""A master with two minions that manage resources of two types; everything is removed afterwards."""

import json
import pathlib
import shutil
import tempfile

import pytest

from tests.support.commands import PROGRAM, outcome_of
from tests.support.daemons import RunningMaster, RunningMinion
from tests.support.waiting import DEADLINE, until

#: A type of the tests' own, whose ids and grains come from pillar.
THING = {
    "__init__.py": """
def discover(opts):
    return list(opts["pillar"].get("resources", {}).get("thing", {}).get("hosts", ()))

def init(opts):
    pass

def grains():
    return dict(__pillar__["resources"]["thing"]["hosts"][__resource__["id"]]["grains"])
""",
    "modules/test.py": "def ping():\n    return True\n\ndef whoami():\n    return dict(__resource__)\n",
}
PILLAR = {
    "m1": {
        "role": "x",
        "resources": {
            "dummy": {"resource_ids": ["d-01", "d-02", "d-03"]},
            "thing": {
                "hosts": {
                    "web-01": {"host": "192.0.2.1", "grains": {"os": "Debian", "ipv4": ["198.51.100.1"]}},
                    "web-02": {"host": "192.0.2.2", "grains": {"os": "Fedora"}},
                }
            },
        },
    },
    "m2": {"role": "y", "resources": {"dummy": {"resource_ids": ["e-01", "web-02"]}}},
}


class Fleet:
    """The daemons, and the operations of an operator."""

    PILLAR = PILLAR

    def __init__(self, root, **settings):
        self.root = root
        for name, text in THING.items():
            path = root / "types" / "resources" / "thing" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.master = RunningMaster(root / "master", is_forked=True, **settings)
        self.minions = {}

    def give(self, pillar):
        """Set the pillar on the master: {minion: pillar}."""
        directory = self.root / "master" / "pillar"
        top = {"base": {id: [id] for id in pillar}}
        (directory / "top.sls").write_text(json.dumps(top))
        for id, values in pillar.items():
            (directory / f"{id}.sls").write_text(json.dumps(values))

    def start(self, *ids, number, **settings):
        """Start the master and minions, and wait until this many resources are registered."""
        self.master.start()
        for id in ids:
            self.add(id, **settings)
        until(lambda: len(self.run("resource.list") or ()) >= number, f"{number} resources")
        return self

    def add(self, id, **settings):
        """Start a minion."""
        settings = {"master": f"127.0.0.1:{self.master.ret_port}", "id": id, **settings}
        settings["module_dirs"] = [str(self.root / "types")]
        self.minions[id] = RunningMinion(self.root / id, is_forked=True, **settings).start()

    def salt(self, *words, timeout=30):
        """Return (returns by id, exit code, stderr) of `salt-g cmd`."""
        done = self._done("cmd", "--out=json", "--static", "-t", str(timeout), *words)
        answers = json.loads(done.out) if done.out.startswith("{") else {}
        return answers, done.code, done.err + done.out

    def run(self, *words):
        """Return the value of a runner function."""
        done = self._done("run", "--out=json", *words)
        return json.loads(done.out) if done.out.strip() else None

    def _done(self, command, *words):
        return outcome_of([PROGRAM, command, "-c", str(self.master.config_dir), *words], timeout=2 * DEADLINE)

    def stop(self):
        """Stop all daemons gracefully."""
        for daemon in (*self.minions.values(), self.master):
            if daemon.is_running():
                daemon.stop()

    def kill(self):
        """Kill whatever still runs."""
        for daemon in (*self.minions.values(), self.master):
            daemon.kill()


@pytest.fixture(scope="module")
def make_fleet():
    """Yield a function that starts a fleet: `make_fleet(**settings of the master)`.

    All daemons must exit cleanly.
    """
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-"))
    made = []

    def make(**settings):
        made.append(Fleet(root / f"f{len(made)}", **settings))
        return made[-1]

    try:
        yield make
        for fleet in made:
            fleet.stop()
    finally:
        for fleet in made:
            fleet.kill()
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="module")
def fleet(make_fleet):
    """Return two minions with the resources of PILLAR; `web-02` is the id of two of them."""
    made = make_fleet(nodegroups={"first": "L@d-01,m2"})
    made.give(PILLAR)
    return made.start("m1", "m2", number=7)
