"""A master, and minions that manage the resources in their pillar."""

import json

import pytest
import yaml

from tests.support.waiting import until

#: Settings of the masters.
SETTINGS = {"auto_accept": True, "resource_lease": 3}


@pytest.fixture
def manage(start_master, start_minion, salt):
    """Return a function that starts a minion with these resources: `manage({"dummy": {...}}, id="m1")`.

    `manage.master` is its master, `manage.salt(*words)` the command line.
    """
    return _Fleet(start_master(**SETTINGS), start_minion, salt)


@pytest.fixture(scope="module")
def two_dummies(shared_daemons, salt):
    """Return the same with a `minion` that manages the dummies d-01 and d-02, for read-only tests."""
    fleet = _Fleet(shared_daemons.start_master(**SETTINGS), shared_daemons.start_minion, salt)
    fleet.minion = fleet({"dummy": {"resource_ids": ["d-01", "d-02"]}})
    fleet.until_answered("d-01", "test.ping")
    fleet.until_answered("d-02", "test.ping")
    return fleet


class _Fleet:
    def __init__(self, master, start_minion, salt):
        self._start_minion = start_minion
        self._salt = salt
        self._given = []
        self.master = master
        self.states = master.root / "states"

    def salt(self, *words, **options):
        """Run `salt-g cmd WORDS`."""
        return self._salt(self.master, *words, **options)

    def write(self, files):
        """Write {path: text} into the file tree of the master."""
        for name, text in files.items():
            path = self.states / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def give(self, resources, id="m1"):
        """Add resources to the pillar of a minion."""
        pillar = self.master.root / "pillar"
        self._given = list(dict.fromkeys([*self._given, id]))
        (pillar / "top.sls").write_text(yaml.safe_dump({"base": {name: [name] for name in self._given}}))
        (pillar / f"{id}.sls").write_text(json.dumps({"resources": resources}))

    def __call__(self, resources, *, id="m1", **settings):
        self.give(resources, id)
        minion = self._start_minion(self.master, id=id, **settings)
        self.wait_for(minion, "resources of")
        return minion

    def wait_for(self, minion, text):
        """Wait until a minion has logged a text."""
        try:
            until(lambda: text in minion.log(), f"{text!r} in the log of {minion.id}")
        except AssertionError as exc:
            raise AssertionError(f"{exc}: {minion.log()[-3000:]}") from exc

    def until_answered(self, *words):
        """Repeat a command until it succeeds; return its outcome."""
        last = []

        def answered():
            last[:] = [self.salt(*words)]
            return last[0] if last[0].code == 0 else None

        try:
            return until(answered, f"{words} goes well")
        except AssertionError as exc:
            raise AssertionError(f"{exc}: {last}") from exc
