"""Protocols of the services that daemons provide to plugins, beyond those of a local call.

A beacon fires events, `mine.get` sends a request to the master, a runner publishes a job and reads the job
cache; none of them may import the daemons (floors). The builder of a daemon's call context passes the real
objects under the names given at the end.

`MinionServices` has the services of a minion's jobs (and of `salt-g call` with a master), `MasterServices`
those of runners, wheel functions, reactor and engines on a master.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from salt_g.services.plugins import LazyService, Services
from salt_g.services.stores import Banks, Keys, Settled
from salt_g.shapes import Grains, MasterCall, PillarDict

if TYPE_CHECKING:
    from salt_g.shapes.loads import (
        Answers,
        BatchAbout,
        BatchState,
        CallEvent,
        ExplainedMatch,
        JobLoad,
        JobSummary,
        LoadFields,
        MetricValues,
        MineValues,
        PublishReply,
        ReturnLoad,
        RunningJobLoad,
        ShownResource,
        TokenContent,
    )
    from salt_g.shapes.replies import Absence
    from salt_g.shapes.rollouts import RolloutState


class Asking(Protocol):
    """Encrypted request channel to the master, see `minion/connection/channel.py`."""

    def ask(
        self,
        load: Mapping[str, Any],
        *,
        timeout: float | None = None,
        tries: int | None = None,
        binary: Sequence[str] = (),
    ) -> Any:
        """Send a load (`cmd` and its fields) and return the master's reply.

        Sign in first if there is no session, and again if the master refuses the current one. `binary`
        names fields of the reply that stay bytes. `timeout` and `tries` default to the settings
        `request_channel_timeout` and `request_channel_tries`.
        Raise NoReply, SignInRefused, WireError.
        """

    def ask_ahead(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Callable[[], Any]:
        """Send a load and return a function that waits for the reply, and returns and raises as `ask` does.

        The master can then work on the next request while the caller handles a reply. Only a few such
        requests are in progress at once; further callers wait.
        """

    def ask_own(self, load: LoadFields, *, binary: Sequence[str] = ()) -> Any:
        """Send a command of salt-g's own protocol and return the reply; None if the master lacks the command.

        A master that lacks the command (stock's) is asked only once per session. Raise as `ask` does.
        """

    def ask_pillar(self, load: Mapping[str, Any]) -> Any:
        """Send a `_pillar` load and return the pillar, which is encrypted with a one-time key."""

    def close(self) -> None:
        """Close the connections."""


class RunningJobs(Protocol):
    """Running jobs of this minion, see `minion/jobs/running_jobs.py`; other processes read their files."""

    def running(self) -> list[RunningJobLoad]:
        """Return {jid, fun, arg, tgt, tgt_type, ret, user, pid} of each running job.

        A daemon includes its waiting jobs.
        """

    def signal(self, jid: str, number: int) -> str:
        """Send a signal to a job's processes (SIGTERM, SIGINT and SIGKILL end the job); return a message."""


class ManagedResources(Protocol):
    """Managed resources of this minion, see `minion/resources/resource_manager.py`.

    A daemon's jobs find it as `services().resources`.
    """

    def errors(self) -> dict[str, str]:
        """Return {SRN or path in pillar: last error}."""


class RunningBatches(Protocol):
    """Batches run by the master, see `master/publishing/batches.py`."""

    def running(self) -> dict[str, BatchAbout]:
        """Return the running batches: {jid: {fun, tgt, tgt_type, user, batch}}."""

    def status(self, jid: str) -> BatchState | None:
        """Return the progress of a batch, or None if unknown."""

    def end(self, jid: str, timeout: float) -> list[str] | None:
        """Stop a batch, wait for its end and return the minions still running; None if unknown."""


class KnownRollouts(Protocol):
    """Rollouts of the master, see `master/rollouts/rollouts.py`."""

    def all(self) -> list[RolloutState]:
        """Return the status of each rollout, the newest first, without the names of their minions."""

    def status(self, jid: str) -> RolloutState | None:
        """Return the status of a rollout, or None for an unknown one."""

    def order(self, jid: str, action: str, user: str) -> bool:
        """Pause, resume or stop a rollout; return False if none with this jid is running."""


class Presence(Protocol):
    """Presence of minions, see `master/background/presence.py`."""

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection."""

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return the `ids` known to have no connection; those in `answered` are known to have one."""

    def moving(self, ids: Collection[str]) -> set[str]:
        """Return the `ids` that are moving from a master that has ended to another one."""


class Absences(Protocol):
    """Information about minions that have not returned, see `master/returns/absences.py`."""

    def of(self, jid: str, ids: Iterable[str]) -> dict[str, Absence]:
        """Return the known facts about minions, by id."""


class Metrics(Protocol):
    """Metrics of a daemon, see `salt_g/telemetry/metric_registry.py`."""

    def map(self) -> MetricValues:
        """Return {name: number}; the value is a dict for metrics with labels and for histograms."""


class FileServing(Protocol):
    """File server of a master, see `files/server.py`; lines are text for display."""

    def chosen(self, names: Iterable[str] = ()) -> FileServing:
        """Return the file server with only these backends; a name with a leading minus excludes a backend."""

    def names(self) -> list[str]:
        """Return the names of the backends."""

    def envs(self) -> list[str]:
        """Return the file environments."""

    def files(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment."""

    def directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all directories."""

    def empty_directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the directories that are empty."""

    def links(self, saltenv: str, prefix: str = "") -> dict[str, str]:
        """Return {path: link target}."""

    def update(self, remotes: Sequence[str] = ()) -> bool:
        """Update the backends, for some remotes or all; return whether anything changed."""

    def forget_listings(self, saltenv: str | None = None) -> dict[str, list[str]]:
        """Drop cached file lists; return {backend: environments whose lists were dropped}."""

    def clear_cache(self) -> tuple[list[str], list[str]]:
        """Remove fetched files; return (lines of actions, problems)."""

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Lock the backends against updates; return (lines of actions, problems)."""

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Remove the update locks; return (lines of actions, problems)."""

    def refused(self) -> Sequence[Any]:
        """Return the branches and tags that signed trees do not allow to advance, see `git.verified_refs`."""

    def release(self, remote: str, name: str) -> bool:
        """Forget the served commit of `branch/<name>` or `tag/<name>`; return False if there is none."""


class MinionKnowledge(Protocol):
    """Cached grains and pillar of minions, see `master/serving/minion_data.py`."""

    def get(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """Return (grains, pillar) of a minion, or None if no data of it is cached."""

    def ids(self) -> list[str]:
        """Return the ids of minions with cached data."""

    def forget_part(self, id: str, bank: str) -> bool:
        """Remove the `grains`, `pillar` or `mine` of a minion; return whether there was any."""

    def reread(self) -> None:
        """Discard all cached data because another program wrote to the banks; the next use reads them."""


class MinionPillars(Protocol):
    """Pillar of any minion, compiled on the master, see `master/serving/pillar_service.py`."""

    def compile_for(self, id: str, grains: Grains, **options: Any) -> PillarDict:
        """Return pillar compiled now; options are `saltenv`, `pillarenv`, `override`."""

    def top_for(
        self, id: str, grains: Mapping[str, Any], saltenv: str
    ) -> tuple[Mapping[str, Any], list[str]]:
        """Return (the merged top file {saltenv: {target: [sls, ...]}}, its errors)."""

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar of a minion (`pillar_cache`), or None if there is none."""

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""


class GitPillars(Protocol):
    """Git repositories of pillar, see `pillar/git_clones.py`."""

    def update(self, ref: str | None = None, repository: str | None = None) -> dict[str, bool | None]:
        """Fetch the repositories, or those with this URL or name, or with a branch `ref`.

        Return {repository: True if updated, None if unchanged, False on failure}.
        """

    def clear_lock(self, repository: str | None = None) -> list[str]:
        """Remove the update locks; return lines of actions."""

    def refused(self) -> Sequence[Any]:
        """Return the branches and tags that signed trees do not allow to advance, see `git.verified_refs`."""

    def release(self, repository: str, name: str) -> bool:
        """Forget the served commit of `branch/<name>` or `tag/<name>`; return False if there is none."""


class MineReading(Protocol):
    """Mine as stored by the master, see `master/serving/mine.py`."""

    def ask(self, tgt: Any, fun: Any, tgt_type: str, *, reader: str) -> MineValues:
        """Return the values that `reader` may see: {minion: value}, or {function: {minion: value}}."""


class Targets(Protocol):
    """Target resolution, see `master/publishing/target_resolution.py`."""

    def resolve(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":", greedy: bool = True) -> Any:
        """Return (minions, missing); raises TargetError. Unless `greedy`, only minions with data match."""


class Resources(Protocol):
    """Resources of all minions, see `master/resources/facade.py`."""

    def list(self, kind: str = "", minion: str = "") -> dict[str, ShownResource]:
        """Return {srn: {minion, type, lease, standby}}; `lease` is in seconds, None if it never expires."""

    def show(self, name: str) -> ShownResource:
        """Return {srn, minion, type, lease, grains, error} of an SRN or bare id; raises TargetError."""

    def grains(self) -> dict[str, Mapping[str, Any]]:
        """Return {srn: grains} of the resources with grains."""

    def times_registered(self, minion: str) -> int:
        """Return how many times a minion has registered since this master started."""

    def owners(self) -> dict[str, dict[str, Any]]:
        """Return {minion: {type: [id], standby: [srn], refused: {srn: reason}}}."""


class Calls(Protocol):
    """Runner and wheel functions on the master, see `master/calls/runner_calls.py`."""

    def run(self, call: MasterCall) -> Any:
        """Run a function, fire its events and return its value."""

    def start(self, call: MasterCall, *, timeout: float | None = None) -> dict[str, str]:
        """Start a function and return its {tag, jid} for following it; `timeout` applies to its minions.

        Raise WireError if the jid of the call is invalid or already in use.
        """

    def outcome(self, call: MasterCall) -> CallEvent:
        """Run a function; return {fun, jid, user, fun_args, return, success}, the data of its `ret` event."""

    def running(self) -> list[CallEvent]:
        """Return {fun, jid, user, fun_args, pid, _stamp} of each running function."""


class Progress(Protocol):
    """Progress messages of a running runner to its caller, see `master/calls/runner_calls.py`."""

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        """Fire an event below the tag of the run; the command line prints it."""

    def write(self, text: str) -> None:
        """Print text on the command line that waits for the run."""


class TargetExplain(Protocol):
    """Explanation of target matches, see `master/publishing/target_explain.py`.

    Both methods raise TargetError for an invalid target.
    """

    def explain(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":") -> dict[str, ExplainedMatch]:
        """Return {id: {matched, terms: [{term, matched, compared, value, age, note}]}}, `age` in seconds."""

    def matches(self, tgt: Any, id: str) -> bool:
        """Return whether a compound target certainly matches a minion."""


class JobCache(Protocol):
    """Jobs and their returns, see `cache/jobs.py`."""

    def new_jid(self) -> str:
        """Return a new jid."""

    def save_minions(self, jid: str, minions: Iterable[str], source: str = "") -> Settled:
        """Add to the expected minions of a job; `source` names the syndic that reported them."""

    def save_load(self, jid: str, load: JobLoad, minions: Iterable[str] | None = None) -> Settled:
        """Store a job and its expected minions."""

    def save_return(self, load: ReturnLoad) -> Settled:
        """Store a return."""

    def get_load(self, jid: str) -> JobLoad:
        """Return a job, or {} if unknown."""

    def get_jid(self, jid: str) -> Mapping[str, ReturnLoad]:
        """Return {id: {return, retcode, success, out}}."""

    def get_jids(self) -> Mapping[str, JobSummary]:
        """Return {jid: summary} of all jobs, oldest first."""

    def get_jids_filter(self, count: int, filter_find_job: bool = True) -> list[JobSummary]:
        """Return the summaries of the newest `count` jobs, oldest first."""

    def newest(
        self, *, first: str = "", last: str = "", with_end: bool = False
    ) -> Iterable[tuple[str, JobSummary]]:
        """Yield (jid, summary) of the jobs from jid `first` to `last`, both included, newest first."""


class PublishingClient(Protocol):
    """Client that publishes jobs, see `client/local.py`, whose functions accept the `options`."""

    def cmd(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Answers:
        """Run a job and return {minion: return}."""

    def cmd_async(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> str | int:
        """Publish a job and return its jid, or 0 if its target matches no minion."""

    def cmd_iter(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Iterator[Any]:
        """Yield each return as it arrives."""

    def cmd_batch(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Iterator[Any]:
        """Run a job in batches and yield each return."""

    def cmd_subset(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> Any:
        """Run a job on a random choice of its minions."""

    def run_job(self, tgt: Any, fun: Any, arg: Iterable[Any] = (), **options: Any) -> PublishReply:
        """Publish a job; return {jid, minions}, or {} if its target matches no minion."""

    def get_iter_returns(self, jid: str, minions: Iterable[str], **options: Any) -> Iterator[Any]:
        """Yield the returns of a job as they arrive."""


class ReadSetIndex(Protocol):
    """Read-sets of state runs, see `cache/read_sets.py`.

    Questions are those of `report/recording/read_sets.py`.
    """

    def readers(self, question: Any) -> list[Any]:
        """Return {minion, call, at, name, digest} for each run and name that match the question."""

    def runs_of(self, minion: str) -> list[Any]:
        """Return {minion, call, at, jid, digest} of a minion's last runs, newest first."""

    def minions(self) -> int:
        """Return the number of minions with a recorded run."""

    def unknown(self) -> list[str]:
        """Return the minions with a recorded run whose read-set is not stored."""

    def names(self, digest: bytes) -> dict[str, dict[str, str]]:
        """Return {SLS: {name: digest of the content}} of a read-set, or {} if it is not stored."""


class TokenMaking(Protocol):
    """Logins of users, see `auth/logins.py`."""

    def make_token(self, load: Mapping[str, Any], source: str) -> TokenContent:
        """Return a new token and its content, or {} when the login fails."""

    def end_token(self, token: object) -> bool:
        """Revoke a token; return whether it existed."""


class MinionServices(Services):
    """Services of calls on a minion."""

    master = LazyService[Asking]()
    calls = LazyService[Calls]()
    client = LazyService[PublishingClient]()
    jobs = LazyService[RunningJobs]()
    resources = LazyService[ManagedResources]()


class MasterServices(Services):
    """Services of calls on a master."""

    absences = LazyService[Absences]()
    banks = LazyService[Banks]()
    batches = LazyService[RunningBatches]()
    calls = LazyService[Calls]()
    client = LazyService[PublishingClient]()
    fileserver = LazyService[FileServing]()
    git_pillars = LazyService[GitPillars]()
    job_cache = LazyService[JobCache]()
    keys = LazyService[Keys]()
    logins = LazyService[TokenMaking]()
    metrics = LazyService[Metrics]()
    mine = LazyService[MineReading]()
    minion_data = LazyService[MinionKnowledge]()
    minion_pillars = LazyService[MinionPillars]()
    presence = LazyService[Presence]()
    progress = LazyService[Progress]()
    read_sets = LazyService[ReadSetIndex]()
    resources = LazyService[Resources]()
    rollouts = LazyService[KnownRollouts]()
    target_explain = LazyService[TargetExplain]()
    targets = LazyService[Targets]()
