"""Types of the data that daemons exchange: loads of requests and jobs, returns, data of events.

Separate from `shapes/__init__.py`, because a local call needs none of them. A field may be missing unless the
class says otherwise, because peers of other versions send fewer. Loads of minions have passed the check of
their command (`master/commands.py`), which also sets `cmd`, `id` and `ts`. Annotations are evaluated at
import, because a typed dict would compile each text: 80 µs instead of 3 µs.
Source: wire specification, sections 6 to 13.
"""

from collections.abc import Mapping
from typing import Any, TypedDict, TypeGuard, final

from salt_g.shapes import Arguments, GrainsDict, PillarDict

#: Load of a request, by field, before its command has validated it, or of a local user's command.
Load = dict[str, Any]
#: Data of an event, by field; the data of the master's events is typed in `event/payloads.py`.
EventData = dict[str, Any]
#: Load of any request while it is read or sent.
LoadFields = Mapping[str, Any]
#: Data of an event while it is read or fired.
EventFields = Mapping[str, Any]
#: Master's answer to a sign-in, before it is verified.
SignInAnswer = Mapping[str, Any]
#: Call of a runner or wheel client, stock's `low`: `fun`, `arg`, `kwarg`, credentials.
CallLow = Mapping[str, Any]
#: Event of a beacon: data, and `tag`, which is the part of the event's tag after the beacon's name.
BeaconEvent = dict[str, Any]
#: User of the master's own jobs that make minions sign in again for a new publish key.
RENEWAL_USER = "renewal of the publish key"
#: Returns of a job by id, in the form that its caller chose.
Answers = dict[str, Any]
#: Values of the mine: {minion: value}, or for several functions {function: {minion: value}}.
MineValues = dict[str, Any]
#: Fields that a client adds to its requests: proof of the user, `metadata`, `delimiter`, ....
ClientFields = dict[str, Any]
#: {metric: number}, or a dict instead of the number for metrics with labels or buckets.
MetricValues = dict[str, Any]
#: One function of a job, or a list of several.
Functions = str | list[str]


class JobLoad(TypedDict, total=False):
    """Job as published, stored and run; `jid`, `fun`, `arg` and `tgt` are in each publication.

    For several functions, `arg` has one list for each. `return_jid` and `return_job` say how a job that a
    minion starts itself is returned, `schedule` names the scheduled job. `pillar_secrets` are the paths of
    secrets in the `pillar` of `arg`. `Minions` are the expected minions, in answers of the job cache.
    """

    cmd: str
    jid: str
    fun: Functions
    arg: list[Any]
    tgt: Any
    tgt_type: str
    delimiter: str
    user: str
    id: str
    to: Any
    serial: int
    master_id: str
    auth_list: list[Any]
    kwargs: Arguments
    metadata: Any
    ret: str
    ret_config: Any
    ret_kwargs: Any
    module_executors: Any
    executor_opts: Any
    start_event: Any
    schedule: str
    pillar_secrets: Any
    return_jid: str
    return_job: bool
    pid: int
    Minions: list[str]


#: Written as a call because `return` is a Python keyword.
_Returned = TypedDict("_Returned", {"return": Any}, total=False)


#: Maximum number of listed processes that were ended together with a job.
MAX_ENDED = 1000
#: Maximum size of the digests of a state run's chunks (bytes).
MAX_DIGESTS = 160_000


@final
class ReturnLoad(_Returned, total=False):
    """Return of a minion or a resource: `return`, `retcode`, `success`, and fields of its job.

    With several functions `return`, `retcode` and `success` are dicts or lists. `places` are files and lines
    of compile errors; `minion` and `srn` are of a resource's return; `ended` are the processes {pid, command}
    that were ended with a job, `low_digests` the digests of a state run's chunks
    (`state/run/low_digests.py`); `read_set` is what a state run read (`report/recording/read_sets.py`);
    `plan` {id, document} is the plan that a test run made.
    """

    cmd: str
    id: str
    jid: str
    fun: Functions
    fun_args: list[Any]
    arg: list[Any]
    tgt: Any
    tgt_type: str
    retcode: Any
    success: Any
    out: str
    places: list[str]
    ended: list[dict[str, Any]]
    low_digests: bytes
    read_set: bytes
    plan: dict[str, str]
    user: str
    master_id: str
    metadata: Any
    schedule: str
    pid: Any
    resource_id: str
    minion: str
    srn: str
    ret: str
    ret_config: Any
    ret_kwargs: Any
    state_ids: Any
    sig: bytes
    _stamp: str


def is_job(value: object) -> TypeGuard[JobLoad]:
    """Return whether a value read from a peer or the store can be a job, which is a dict."""
    return isinstance(value, dict)


def is_return(value: object) -> TypeGuard[ReturnLoad]:
    """Return whether a value read from a peer or the store can be a return, which is a dict."""
    return isinstance(value, dict)


@final
class ReturnBatch(TypedDict):
    """Returns of one job, sent together; `jid` is the job's id."""

    jid: str
    returns: list[ReturnLoad]


#: Returns as kept on disk and sent.
SpooledLoad = ReturnLoad | ReturnBatch


class PublishReply(TypedDict, total=False):
    """Answer to a client that publishes a job: `error`, or the job's minions.

    `kept` are the minions for which the mailbox keeps the job as `order`, until `until` (seconds since the
    epoch). `locked` is set if locks caused the error, `malformed` if the job is malformed.
    """

    jid: str | None
    minions: list[str]
    missing: list[str]
    error: Any
    kept: list[str]
    until: float
    order: str
    locked: bool
    malformed: bool


class CallEvent(_Returned, total=False):
    """Runner or wheel call: data of its `new` event and, with `return` and `success`, of its `ret` event."""

    fun: str
    jid: str
    user: str
    fun_args: list[Any]
    success: bool
    retcode: int
    out: str
    pid: int
    _stamp: str


def is_outcome(data: object) -> TypeGuard[CallEvent]:
    """Return whether data is that of the `ret` event of a call."""
    return isinstance(data, dict)


class RunningJobLoad(TypedDict, total=False):
    """Running job, as described to users and in the minion's `proc` files."""

    jid: str
    fun: Functions
    arg: list[Any]
    tgt: Any
    tgt_type: str
    ret: str
    user: str
    pid: int | None


#: Job in lists of jobs, with stock's keys.
JobSummary = TypedDict(
    "JobSummary",
    {
        "Function": Functions,
        "Arguments": list[Any],
        "Target": Any,
        "Target-type": str,
        "User": str,
        "Metadata": Any,
        "StartTime": str,
        "EndTime": float,
        "JID": str,
        "Minions": list[str],
        "Result": Any,
        "Error": str,
    },
    total=False,
)


class SignInLoad(TypedDict, total=False):
    """Sign-in of a minion (`_auth`); `token` is sent to a known master only."""

    cmd: str
    id: str
    nonce: str
    pub: str
    enc_algo: str
    sig_algo: str
    token: bytes
    autosign_grains: GrainsDict


class FileLoad(TypedDict, total=False):
    """Request for a file, a part of it or a listing: `loc` is the offset, `gzip` a level.

    `most` is the longest piece (bytes) that the sender accepts.
    """

    cmd: str
    id: str
    path: str | None
    saltenv: str | None
    prefix: str | None
    loc: int | None
    gzip: int | None
    most: int | None


class ManyFilesLoad(TypedDict):
    """Request for the hashes or contents of many files (`_file_hashes`, `_serve_files`)."""

    paths: list[Any]
    saltenv: str


class UploadLoad(TypedDict, total=False):
    """Part of a pushed file (`_file_recv`); `path` has its components, `size` is that of the whole file."""

    id: str
    path: list[str]
    loc: int
    size: int | None
    data: bytes | str


class PillarLoad(TypedDict, total=False):
    """Request for pillar (`_pillar`); `ext` is one more external pillar."""

    cmd: str
    id: str
    grains: GrainsDict
    saltenv: str | None
    pillarenv: str | None
    pillar_override: PillarDict | None
    extra_minion_data: PillarDict | None
    ext: PillarDict | None
    clean_cache: bool | None
    secrets: bool | None
    ver: Any


class MineLoad(TypedDict, total=False):
    """Values for the mine (`_mine`), or a function to delete from it (`_mine_delete`)."""

    id: str
    data: dict[str, Any]
    clear: bool | None
    fun: str


class MineQueryLoad(TypedDict, total=False):
    """Query of the mine (`_mine_get`); `expr_form` is an old name of `tgt_type`."""

    id: str
    tgt: Any
    tgt_type: str | None
    expr_form: str | None
    fun: Functions


class MinionEventLoad(TypedDict, total=False):
    """Events of a minion (`_minion_event`): one by `tag` and `data`, or several in `events`."""

    id: str
    tag: str
    data: Any
    events: list[Any] | None
    pretag: str | None
    grains: GrainsDict


class ResourcesLoad(TypedDict, total=False):
    """Resources of a minion (`_register_resources`, `_renew_resources`, `_resource_pillars`).

    `resources` are {type: [id, ...]}, or SRNs in a request for pillar; `trouble` is {SRN or path in
    pillar: error}.
    """

    id: str
    resources: Any
    resource_grains: dict[str, GrainsDict] | None
    leases: bool | None
    trouble: dict[str, Any] | None
    saltenv: str | None
    pillarenv: str | None
    secrets: bool | None


class PeerLoad(TypedDict, total=False):
    """Job or runner call of a minion (`minion_pub`, `minion_publish`, `minion_runner`), or its `pub_ret`."""

    id: str
    jid: str
    fun: str
    arg: list[Any]
    tgt: Any
    tgt_type: str | None
    ret: str | None
    tmo: Any
    form: str | None
    no_parse: Any


class MasterOptsLoad(TypedDict, total=False):
    """Request for the master's settings or tops (`_master_opts`, `_master_tops`)."""

    id: str
    env_only: bool | None
    opts: dict[str, Any] | None


class RevokeLoad(TypedDict, total=False):
    """Request from a minion to remove its own key (`revoke_auth`)."""

    id: str
    preserve_minion_cache: bool | None


class BatchAbout(TypedDict):
    """Running batch as listed; `batch` is its size as given by the user."""

    fun: Any
    tgt: Any
    tgt_type: str
    user: str
    batch: Any


class BatchState(TypedDict):
    """Progress of a batch; `failed` counts the minions that did not return."""

    jid: str
    fun: Any
    tgt: Any
    tgt_type: str
    total: int
    completed: int
    active: int
    pending: int
    failed: int
    batch_size: int
    halted: bool
    halted_reason: str | None
    driver: str
    user: str
    created: Any
    last_progress: Any
    age_seconds: float


class ExplainedTerm(TypedDict, total=False):
    """Term of a target, with the value that it compares; `age` is in seconds."""

    term: str
    matched: bool
    compared: Any
    value: Any
    age: float | None
    note: str


class ExplainedMatch(TypedDict, total=False):
    """Result of a target for one id."""

    matched: bool
    terms: list[ExplainedTerm]
    note: str


class ShownResource(TypedDict, total=False):
    """Resource as registered; `lease` is in seconds, or None if it never expires."""

    srn: str
    minion: str
    type: str
    lease: float | None
    standby: list[str]
    grains: GrainsDict
    error: str


class ShownJob(TypedDict, total=False):
    """Recent job in `salt-g top`: how many expected minions have returned, and how many are away."""

    jid: str
    fun: str
    tgt: str
    user: str
    done: int
    expected: int
    away: int


class MasterSnapshot(TypedDict):
    """Current state of a master, as `salt-g top` shows it; `time` is in seconds since the epoch.

    `silent` are accepted minions without a connection, `unheard` is the number of connections from which no
    minion has been heard yet.
    """

    id: str
    time: float
    metrics: MetricValues
    jobs: list[ShownJob]
    silent: list[str]
    unheard: int


class TokenContent(TypedDict, total=False):
    """Content of a login token; `start` and `expire` are in seconds since the epoch.

    Each token in use has `token`, `name` (the user), `eauth`, `start` and `expire`; an invalid one is {}.
    `label`, `limits` and `cidr` are of scoped tokens: name, permissions, networks.
    """

    token: str
    name: str
    eauth: str
    start: float
    expire: float
    auth_list: list[Any]
    groups: list[str]
    label: str
    limits: list[Any]
    cidr: list[str]


class SetResult(TypedDict):
    """Result of a change of a setting at run time, as the runner `reactor` returns it."""

    status: bool
    comment: str
