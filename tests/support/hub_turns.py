"""Duration of single turns of a master's hub, recorded as processor time by an engine in the master.

Processor time, because a busy machine delays every process, which is not the master's fault.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any

from tests.support.waiting import until

#: Shortest recorded turn (s).
NOTED = 0.02
_ENGINE = """
import json, time, traceback
import gevent.event, greenlet

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
    gevent.event.Event().wait()
"""


class HubTurns:
    """Long turns of one master; `settings` are the master's settings for recording them."""

    def __init__(self, root: str | pathlib.Path) -> None:
        root = pathlib.Path(root)
        self._path = root / "turns"
        engines = root / "engines"
        engines.mkdir(parents=True)
        (engines / "hub_turns.py").write_text(_ENGINE)
        self.settings: dict[str, Any] = {
            "engines_dirs": [str(engines)],
            "engines": [{"hub_turns": {"path": str(self._path), "noted": NOTED}}],
        }

    def begin(self) -> None:
        """Wait until turns are recorded."""
        until(pathlib.Path(f"{self._path}.ready").exists, "the engine notes turns")

    def noted(self) -> list[tuple[Any, ...]]:
        """Return (processor time (s), position where the greenlet then waited) of all long turns so far."""
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        return [tuple(json.loads(line)) for line in lines]
