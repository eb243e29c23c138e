"""Machine that is the minion of a real master: calls on it go through commands on the master."""

import json
import re
import threading

from tests.support.commands import Machine, Outcome, outcome_of
from tests.support.waiting import until

ID = "m1"
#: Name of the only plan.
NAME = "night"


class ServedMachine:
    """Minion and master below the directory of a house; both begin with the first call.

    The interface is that of `support.commands.Machine`, as far as rounds of plans use it. `kill_at` kills the
    minion by SIGKILL when the next application has recorded so many lines for undo, and starts it again.
    """

    write = Machine.write

    def __init__(self, house):
        self._house = house
        self._master = house.master()
        self._minion = None
        self.root = house.root / ID
        self.states, self.pillar = (self._master.root / name for name in ("states", "pillar"))
        self.root.mkdir()
        self.settings = {}
        self.kill_at = 0

    def __call__(self, *words, as_json=True):
        """Run a call of the machine through the master's commands."""
        if self._minion is None:
            self._minion = self._house.minion(self._master, ID, **self.settings)
        kill_at, self.kill_at = self.kill_at, 0
        if "--save" in words:
            return self._save(words[:-2], words[-1])
        if words[0] == "state.apply_plan":
            return self._applied(kill_at)
        return self._run(ID, *words)

    def _save(self, words, path):
        """Save a plan, and its document in a file as a masterless call does."""
        self._run("plan", "drop", NAME)
        saved = self._run(ID, *words, "--save", NAME, as_json=False)
        assert re.search("^plan ", saved.out, re.M), saved
        shown = json.loads(self._run("plan", "show", NAME).out)
        with open(path, "w") as file:
            json.dump({"document": shown["documents"][ID]}, file)
        return saved

    def _applied(self, kill_at):
        if not kill_at:
            return self._run("plan", "apply", NAME)
        done, killed = threading.Event(), threading.Event()
        killer = threading.Thread(target=self._kill, args=(kill_at, done, killed))
        killer.start()
        applied = self._run("plan", "apply", NAME)
        done.set()
        killer.join()
        return Served(-9, applied.out, applied.err) if killed.is_set() else applied

    def _kill(self, lines, done, killed):
        until(lambda: done.is_set() or self._recorded() >= lines, "so many changes, or the end")
        if not done.is_set():
            killed.set()
            self._minion.kill()
            self._minion.start()

    def _recorded(self):
        """Return the number of lines that the newest run has recorded."""
        journals = sorted((self.root / "cache" / "undo").glob("*/journal"))
        return journals[-1].read_bytes().count(b"\n") if journals else 0

    def _run(self, *words, as_json=True):
        config = ["-c", str(self._master.config_dir), *(["--out=json"] if as_json else [])]
        at = 1 if words[0] == "plan" else 0
        done = outcome_of([Machine.program, *words[:at], *config, *words[at:]])
        return Served(done.code, done.out, done.err)


class Served(Outcome):
    """Outcome of a command for one minion."""

    @property
    def value(self):
        return self.minions[ID]
