"""Engine that runs a program repeatedly and fires an event for each line of its output.

    engines:
      - script:
          cmd: /some/script.py -a 1 -b 2
          output: json
          interval: 5
          onchange: False

A line such as `{"tag": "lots/of/tacos", "data": {"toppings": "cilantro"}}` is an event; the program may also
keep running and print lines at any time. Malformed lines are logged. A minion's events go to its
master, which refuses the tags of the daemons (`salt/…`).
"""

from __future__ import annotations

import contextlib
import logging
import shlex
import subprocess
import time
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from salt_g.api import opts
from salt_g.engines._event_sink import fire
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.formats.serializers import reader
from salt_g.process.command import kill_group
from salt_g.process.redaction import RedactedOutput
from salt_g.shapes.loads import EventData

log = logging.getLogger(__name__)

#: Maximum length of a line (bytes); a longer line is malformed.
MAX_LINE = 1 << 20
#: Maximum number of characters of a malformed line shown in the log.
_SHOWN = 200


class _Event(NamedTuple):
    tag: str
    data: EventData


def start(cmd: str, output: str = "json", interval: float = 1, onchange: bool = False) -> None:
    """Run the program until the daemon ends.

    cmd
        The program and its arguments, quoted as for a shell, but run without one.
    output
        Format of a line: `json`, or another single-line format (`yaml`).
    interval
        Seconds from the program's end to its next start.
    onchange
        Fire only when the data of a tag has changed.

    Example::

        salt-g master    # with `engines: [{script: {cmd: /usr/local/bin/watch-ups}}]`
    """
    words = shlex.split(str(cmd))
    read = reader(output)
    if not words:
        raise CommandExecutionError("engine script: `cmd` is empty; name the program to run")
    if read is None:
        raise CommandExecutionError(
            f"engine script: output {output!r} is not a known format; use json, yaml, toml or msgpack"
        )
    last: dict[str, dict[str, Any]] = {}
    while True:
        # Close the generator at once, so that the program ends if an event cannot be fired.
        with contextlib.closing(_lines(words)) as lines:
            for line in lines:
                event = _event(line, read)
                if event is None or (onchange and last.get(event.tag) == event.data):
                    continue
                log.debug("engine script fires %s", event.tag)
                fire(event.tag, event.data)
                if onchange:
                    last[event.tag] = event.data
        time.sleep(float(interval))


def _lines(words: list[str]) -> Generator[bytes, None, None]:
    """Yield the lines of a program's output, with stderr; kill the program if the caller stops reading."""
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as exc:
        raise CommandExecutionError(f"engine script: {words[0]!r} cannot be run: {exc}") from exc
    with process:
        assert process.stdout is not None
        try:
            while line := process.stdout.readline(MAX_LINE):
                yield line
        except BaseException:
            kill_group(process.pid)
            raise
    if process.returncode:
        log.error("engine script: %s exited with code %d", words[0], process.returncode)


def _loggable(line: bytes) -> RedactedOutput:
    """Return the start of a line as text in quotes."""
    return RedactedOutput(repr(line[:_SHOWN].decode(errors="replace")))


def _event(line: bytes, read: Callable[..., Any]) -> _Event | None:
    """Return the event of a line; None for an empty line, or for a malformed one, which is logged."""
    if not line.strip():
        return None
    try:
        said = read(line)
    # YamlError is a SaltGError; other formats raise ValueError, and TypeError for unsupported types.
    except (ValueError, TypeError, SaltGError) as exc:
        log.warning("engine script: a line is not an event (%s): %s", RedactedOutput(exc), _loggable(line))
        return None
    tag, data = (said.get("tag"), said.get("data", {})) if isinstance(said, dict) else (None, None)
    if not isinstance(tag, str) or not tag or not isinstance(data, dict):
        log.warning("engine script: a line needs `tag`, a text, and `data`, a mapping: %s", _loggable(line))
        return None
    return _Event(tag, {**data, "id": data.get("id", opts["id"])} if data else {})
