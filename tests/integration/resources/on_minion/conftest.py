"""A master, and minions that manage resources which its pillar gives them."""

import json

import pytest
import yaml
from support.waiting import until


@pytest.fixture
def manage(start_master, start_minion, daemon_root, salt):
    """Factory: `manage({"dummy": {...}}, id="m1")` is a running minion with these resources.

    `manage.master` is its master, `manage.salt(*words)` the command line.
    """
    return _Fleet(start_master, start_minion, daemon_root, salt)


class _Fleet:
    def __init__(self, start_master, start_minion, root, salt):
        self._start_minion = start_minion
        self._salt = salt
        self._given = []
        self.root = root
        self.master = start_master(auto_accept=True, resource_lease=3)
        self.states = root / "master" / "states"

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
        """Put resources into the pillar of a minion."""
        pillar = self.root / "master" / "pillar"
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
        """Repeat a command until it goes well; return its outcome."""
        last = []

        def answered():
            last[:] = [self.salt(*words)]
            return last[0] if last[0].code == 0 else None

        try:
            return until(answered, f"{words} goes well")
        except AssertionError as exc:
            raise AssertionError(f"{exc}: {last}") from exc
