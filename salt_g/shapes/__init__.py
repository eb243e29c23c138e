"""Types of Salt's data: low chunks, state returns, pillar, arguments.

They name the dicts passed between packages; loads and events of daemons are in `loads.py`, high data is in
`high_data.py`. The only behaviour here is the low tag.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

#: Settings mapping as plugins see it: stock's `opts`.
Opts = Mapping[str, Any]
#: Settings while they are read and completed.
OptsDraft = dict[str, Any]
#: Grains of the minion, by name.
Grains = Mapping[str, Any]
#: Grains while they are gathered, or a copy of grains.
GrainsDict = dict[str, Any]
#: Compiled pillar.
Pillar = Mapping[str, Any]
#: Pillar while it is compiled, or a copy of pillar.
PillarDict = dict[str, Any]
#: Keyword arguments of a user's function, by name.
Arguments = dict[str, Any]
#: Positional and keyword arguments of a user's function.
CallArguments = tuple[list[Any], Arguments]
#: Names that a template sees, with their values.
TemplateVariables = dict[str, Any]
#: Changes of a function, by name: often {"old": ..., "new": ...}.
Changes = dict[str, Any]
#: Merged top file: {saltenv: {target: [sls, ...]}}
TopFile = dict[str, Any]
#: Entry of a schedule, with stock's keys; a schedule is {name: entry}.
ScheduleEntry = dict[str, Any]
ScheduleEntries = dict[str, Any]
#: Entry or whole schedule while it is read.
ScheduleSettings = Mapping[str, Any]
#: Values that plugins keep between calls: stock's `__context__`.
Scratch = dict[str, Any]
#: Description of a user, a file, an interface, ... as execution functions return it.
Facts = dict[str, Any]
#: {saltenv: [sls, ...]}
TopMatches = dict[str, list[str]]
#: Parts of the comment field of /etc/passwd, in order, as named in users' arguments and in `user.info`.
GECOS = ("fullname", "roomnumber", "workphone", "homephone", "other")
#: {key path: line} of a YAML text; lines count from 1.
KeyLines = dict[tuple[Any, ...], int]
#: Function of a plugin.
PluginFunction = Callable[..., Any]


class SourceLine(NamedTuple):
    """Source of a line of rendered text: a line (from 1) of a template.

    `name` is the name of an imported or included template, '' for the SLS itself; `used_at` is the line of
    the SLS that uses the template.
    """

    name: str
    line: int
    used_at: int = 0


class RenderedSls(NamedTuple):
    """Rendered SLS file.

    `text` is the input of the last renderer, '' if that one was the first (`py`); `lines` are the lines of
    `text` (from 1) of IDs and their keys: {("web",): 3, ("web", "pkg.installed"): 4}. `sources` has the
    source of each line of `text`; a line without one has the same number in the SLS.
    """

    data: Any
    lines: Mapping[tuple[Any, ...], int]
    text: str
    path: str
    sources: Sequence[SourceLine] = ()

    def source_of(self, line: int) -> SourceLine:
        """Return the source of a line (from 1) of the rendered text."""
        return self.sources[line - 1] if 0 < line <= len(self.sources) else SourceLine("", line)


class SlsUsage(TypedDict):
    """SLS of an environment that a top file uses, and those that it does not use."""

    used: list[str]
    unused: list[str]
    count_all: int
    count_used: int
    count_unused: int


class Pause(TypedDict, total=False):
    """Pause of a state run; it ends on its own after `duration` seconds, `kill` ends the run there."""

    duration: float
    kill: bool


class _IdentifiedRun(TypedDict):
    """Fields that each file in `proc` has."""

    jid: str
    pid: int
    fun: str | list[str]


class StateRunJob(_IdentifiedRun, total=False):
    """Job of a state run or of a daemon, as stored in its file in `proc`.

    `started` is the start tick of its process, `holds` whether it is a state run that holds the lock,
    `master` the master that awaits its return, '' if none does.
    """

    arg: list[Any]
    tgt: Any
    tgt_type: str
    ret: str
    user: str
    started: int | None
    holds: bool
    master: str


class LowChunk(TypedDict, total=False):
    """One state call as a flat dict: the engine's keys and the arguments of the state function.

    `sfun` is the declared function of a chunk that runs as `mod_watch`, `__reqs__` its watched chunks by
    kind. The marker of aggregated chunks is in `aggregation.py`.
    """

    state: str
    fun: str
    name: str
    order: Any
    name_order: int
    sfun: str
    __id__: str
    __sls__: str
    __env__: str
    __reqs__: dict[str, list[Any]]
    __orchestration_jid__: str
    __prereq__: bool
    __prerequiring__: bool
    __sls_included_from__: list[str]
    aggregate: Any
    check_cmd: Any
    cmd_opts_exclude: Any
    creates: Any
    failhard: Any
    fire_event: Any
    listen: list[Any]
    listen_in: list[Any]
    no_log: Any
    onlyif: Any
    parallel: Any
    password: Any
    provider: Any
    reload_grains: Any
    reload_modules: Any
    reload_pillar: Any
    require: list[Any]
    require_any: list[Any]
    require_in: list[Any]
    retry: Any
    runas: Any
    runas_password: Any
    saltenv: Any
    shell: Any
    umask: Any
    unless: Any
    watch: list[Any]
    watch_any: list[Any]
    watch_in: list[Any]


#: Low chunk as its own module reads it: with the arguments of its function, whatever they are.
AnyChunk = dict[str, Any]


class RunAs(NamedTuple):
    """User as whom a state's commands run; None for the user of this process."""

    user: Any = None
    password: Any = None


THIS_USER = RunAs()


class Explanation(TypedDict):
    """Explanation of a state's verdict: what decided it, and all requisites that it depended on."""

    verdict: str
    because: list[str]
    requisites: list[str]


class StateReturn(TypedDict, total=False):
    """Return of a state function, with the keys that the engine adds.

    `result` is True (as requested), False (failed) or None (would change, test mode). `changes` is {} if
    nothing changed (in test mode: would change). `duration` is in ms. A function may add `sub_state_run`,
    returns of the states it ran, and `skip_watch`, which keeps its `mod_watch` from running. `evidence` is
    what a module found out about a failure (`mod_evidence`), `explanation` is present if the run requested
    it.
    """

    name: str
    result: bool | None
    comment: str
    changes: Changes
    warnings: list[str]
    start_time: str
    duration: float
    sub_state_run: list[Any]
    skip_watch: bool
    evidence: str
    explanation: Explanation
    __id__: str | None
    __sls__: str | None
    __run_num__: int
    __state_ran__: bool
    __parallel__: bool


#: {low tag: state return}, in the order of execution.
Running = dict[str, StateReturn]


class RunRequest(TypedDict):
    """State run that awaits confirmation: the results of its test run, the requested SLS, its options."""

    test_run: Running
    mods: Any
    kwargs: Arguments


#: Separator of the parts of a low tag.
TAG_SEPARATOR = "_|-"


class LowTag(NamedTuple):
    """Key of a chunk in `Running`; its text is `state_|-id_|-name_|-fun`."""

    state: str
    id: str
    name: str
    fun: str

    @classmethod
    def parse(cls, text: str) -> "LowTag":
        """Return the parts of a tag; raise ValueError for other text.

        Additional separators belong to the name.
        """
        parts = text.split(TAG_SEPARATOR)
        if len(parts) < 4:
            raise ValueError(f"not a low tag: {text!r}")
        return cls(parts[0], parts[1], TAG_SEPARATOR.join(parts[2:-1]), parts[-1])

    def __str__(self) -> str:
        return TAG_SEPARATOR.join(self)


def low_tag(low: Mapping[str, Any]) -> str:
    """Return the key of a chunk in the running dict."""
    # Without a LowTag for speed, because this is called several times per chunk.
    return f"{low['state']}_|-{low['__id__']}_|-{low['name']}_|-{low['fun']}"


def is_low_tag(text: object) -> bool:
    """Return whether a value has the form of a low tag, the key of a running dict."""
    return isinstance(text, str) and text.count(TAG_SEPARATOR) >= 3


class Completed(TypedDict):
    """Result of `cmd.run_all`."""

    pid: int
    retcode: int
    stdout: str
    stderr: str


class MasterCall(NamedTuple):
    """Call of a function on the master; `kind` is runner or wheel.

    `jid` is chosen by the caller, or '' for a new one. `uid` is the local user who may read its events, in
    addition to users who may read all events.
    """

    kind: str
    fun: str
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    user: str
    jid: str = ""
    uid: int | None = None
