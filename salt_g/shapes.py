"""The field's data, by name: what is in a load, a low chunk, a state return.

Why its own file: dicts cross many borders here, and `dict[str, Any]` says nothing. These
types say what crosses; of behaviour there is only the key that a chunk has in `Running`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypedDict

#: A settings mapping as plugins see it: stock's `opts`.
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
#: Parts of the comment field of /etc/passwd, in order, as users' arguments and `user.info` call them.
GECOS = ("fullname", "roomnumber", "workphone", "homephone", "other")
#: {key path: line} of a YAML text; lines count from 1.
KeyLines = dict[tuple[Any, ...], int]
#: A function of a plugin.
PluginFunction = Callable[..., Any]


class RenderedSls(NamedTuple):
    """An SLS file and what became of it.

    `text` is what the last renderer read, '' when that was the first one's own doing (`py`);
    `lines` says in which line of `text` (from 1) an id, or a key below it, stands:
    {("web",): 3, ("web", "pkg.installed"): 4}.
    """

    data: Any
    lines: Mapping[tuple[Any, ...], int]
    text: str
    path: str


class StateReturn(TypedDict, total=False):
    """What a state function returns, and what the engine adds to it.

    `result` is True (as wanted), False (failed) or None (would change, test mode).
    `changes` is {} when nothing was (or would be) different. `duration` is in ms.
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
    """What `cmd.run_all` returns."""

    pid: int
    retcode: int
    stdout: str
    stderr: str
