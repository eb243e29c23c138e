"""How long a master's hub works on one thing: an engine in the master notes the processor time of turns.

Processor time, because a machine under load lets everybody wait; that is nobody's fault here.
"""

import json
import pathlib

from support.daemons import until

#: Turns from so many seconds on are noted.
NOTED = 0.02
_ENGINE = """
import json, time, traceback
import gevent, greenlet

def start(path, noted):
    began = [time.thread_time()]
    def note(event, switch):
        now = time.thread_time()
        if now - began[0] >= noted:
            stack = traceback.format_list(traceback.extract_stack(switch[0].gr_frame)[-12:])
            with open(path, "a") as file:
                file.write(json.dumps([now - began[0], "".join(stack)]) + "\\n")
        began[0] = time.thread_time()
    greenlet.settrace(note)
    open(path + ".ready", "w").close()
    while True:
        gevent.sleep(3600)
"""


class HubTurns:
    """The long turns of one master; `settings` are what the master needs for it."""

    def __init__(self, root):
        root = pathlib.Path(root)
        self._path = root / "turns"
        engines = root / "engines"
        engines.mkdir(parents=True)
        (engines / "hub_turns.py").write_text(_ENGINE)
        self.settings = {
            "engines_dirs": [str(engines)],
            "engines": [{"hub_turns": {"path": str(self._path), "noted": NOTED}}],
        }

    def begin(self):
        """Wait until turns are noted."""
        until(pathlib.Path(f"{self._path}.ready").exists, "the engine notes turns")

    def noted(self):
        """Return (processor time (s), where the greenlet then waited) of all long turns so far."""
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        return [tuple(json.loads(line)) for line in lines]
