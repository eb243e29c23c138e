"""Types of the field's data: loads, low chunks, state returns.

They name the dicts passed between packages. The only behaviour here is the key of a chunk in `Running`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypedDict

#: Settings mapping as plugins see it: stock's `opts`.
Opts = Mapping[str, Any]
#: Facts of the minion, by name.
Grains = Mapping[str, Any]
#: Compiled pillar.
Pillar = Mapping[str, Any]
#: {state id: {module: [argument mappings..., function name], "__sls__": ..., "__env__": ...}}
HighData = dict[str, Any]
#: One call with all its arguments, flat: state, fun, name, __id__, __sls__, __env__, order, ...
LowChunk = dict[str, Any]
#: {saltenv: [sls, ...]}
TopMatches = dict[str, list[str]]
#: Parts of the comment field of /etc/passwd, in order, as named in users' arguments and in `user.info`.
GECOS = ("fullname", "roomnumber", "workphone", "homephone", "other")
#: {key path: line} of a YAML text; lines count from 1.
KeyLines = dict[tuple[Any, ...], int]
#: Function of a plugin.
PluginFunction = Callable[..., Any]


class RenderedSls(NamedTuple):
    """Rendered SLS file.

    `text` is the input of the last renderer, '' if that one was the first (`py`); `lines` are the lines of
    `text` (from 1) of IDs and their keys: {("web",): 3, ("web", "pkg.installed"): 4}.
    """

    data: Any
    lines: Mapping[tuple[Any, ...], int]
    text: str
    path: str


class StateReturn(TypedDict, total=False):
    """Return of a state function, with the keys that the engine adds.

    `result` is True (as requested), False (failed) or None (would change, test mode). `changes` is {} if
    nothing changed (or would change). `duration` is in ms.
    """

    name: str
    result: bool | None
    comment: str
    changes: dict[str, Any]
    warnings: list[str]
    start_time: str
    duration: float


#: {low tag: state return}, in the order of execution.
Running = dict[str, StateReturn]


def low_tag(low: LowChunk) -> str:
    """Return the key of a chunk in the running dict."""
    return f"{low['state']}_|-{low['__id__']}_|-{low['name']}_|-{low['fun']}"


class Completed(TypedDict):
    """Result of `cmd.run_all`."""

    pid: int
    retcode: int
    stdout: str
    stderr: str
