"""What the daemons offer to plugins beyond a local call, as protocols.

Why its own file: a beacon fires events, `mine.get` asks the master, a runner publishes a job and
reads the job cache; none of them may import the daemons (floors). Whoever puts a daemon's call
together hands the real objects to `services.Services` under the names given here.

On a minion (and in `salt-g call` with a master): `services().master` is an Asking,
`services().events` Events, `services().jobs` RunningJobs.
On a master (runners, wheel functions, reactor, engines): `services().client` publishes jobs
(a `client.LocalClient` inside of the daemon), `services().job_cache` is `cache.jobs.Jobs`,
`services().banks` is `cache.banks.Banks`, `services().keys` is `keys.store.KeyStore`,
`services().batches` is RunningBatches,
`services().fileserver` is FileServing, `services().minion_data` MinionKnowledge,
`services().minion_pillars` MinionPillars, `services().git_pillars` GitPillars,
`services().mine` MineReading, `services().targets` Targets,
`services().resources` Resources,
`services().events` are Events,
`services().presence` is Presence, `services().logins` is `auth.logins.Logins`,
`services().calls` runs runner and wheel functions, `services().progress` is Progress of the one that
is running, `services().explaining` is Explaining.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Asking(Protocol):
    """The sealed way to the master, see `minion/connection/channel.py`."""

    def ask(
        self,
        load: Mapping[str, Any],
        *,
        timeout: float | None = None,
        tries: int | None = None,
        binary: Sequence[str] = (),
    ) -> Any:
        """Send a load (`cmd` and its fields) and return the master's reply.

        Signs in first when there is no session, and again when the master refuses the one there is.
        `binary` names fields of the reply that stay bytes. `timeout` and `tries` default to the
        settings `request_channel_timeout` and `request_channel_tries`.
        Raises NoReply, SignInRefused, WireError.
        """

    def ask_pillar(self, load: Mapping[str, Any]) -> Any:
        """Send a `_pillar` load and return the pillar, which travels under a key of its own."""

    def close(self) -> None:
        """Let go of the connections."""


class Watching(Protocol):
    """Events as they come, see `event/bus.py`."""

    def get(self, timeout: float | None = None) -> Any:
        """Return the next event (with `tag` and `data`), None when none came in time."""


class Events(Protocol):
    """The event bus of a daemon on this machine, from inside of it or over its sockets."""

    def fire(self, tag: str, data: Mapping[str, Any]) -> Any:
        """Fire an event."""

    def watch(self, tag: str = "", way: str = "startswith") -> AbstractContextManager[Watching]:
        """Gather the events whose tags `tag` means, from now on."""


class RunningJobs(Protocol):
    """The jobs of this minion, see `minion/jobs/running_jobs.py`; from another process through their
    files."""

    def running(self) -> list[dict[str, Any]]:
        """Return {jid, fun, arg, tgt, tgt_type, ret, user, pid} of each running job."""

    def signal(self, jid: str, number: int) -> str:
        """Send a signal to a job's processes (SIGTERM and SIGKILL end the job); return what happened."""


class ManagedResources(Protocol):
    """What this minion manages, see `minion/resources/resource_manager.py`; `services().resources` of a
    daemon's jobs."""

    def errors(self) -> dict[str, str]:
        """Return {SRN or place in pillar: what went wrong last with it}."""


class RunningBatches(Protocol):
    """Batches that the master runs, see `master/publishing/batches.py`."""

    def running(self) -> dict[str, dict[str, Any]]:
        """Return what runs now: {jid: {fun, tgt, tgt_type, user, batch}}."""

    def status(self, jid: str) -> dict[str, Any] | None:
        """Return how far a batch is or was, None when it is not known."""

    def end(self, jid: str, timeout: float) -> list[str] | None:
        """Stop a batch, wait until it has ended and return who is still at work; None when there is none."""


class Presence(Protocol):
    """Which minions are there, see `master/background/presence.py`."""

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that hold a connection."""

    def addresses(self) -> Mapping[str, str]:
        """Return the address that each connected minion was last seen at."""

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return those of `ids` that hold no connection for sure; `answered` hold one for sure."""


class Metrics(Protocol):
    """What a daemon counts and measures, see `salt_g/telemetry/metrics.py`."""

    def map(self) -> dict[str, Any]:
        """Return {name: number}, or of those with labels and of histograms a map."""


class FileServing(Protocol):
    """The file server of a master, see `files/server.py`; lines are text for people."""

    def chosen(self, names: Iterable[str] = ()) -> FileServing:
        """Return it with the backends of these names only; a name with a minus takes one out."""

    def names(self) -> list[str]:
        """Return the names of the backends."""

    def envs(self) -> list[str]:
        """Return the file environments."""

    def files(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment."""

    def directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the paths of all directories."""

    def empty_directories(self, saltenv: str, prefix: str = "") -> list[str]:
        """Return the directories that hold nothing."""

    def links(self, saltenv: str, prefix: str = "") -> dict[str, str]:
        """Return {path: link target}."""

    def update(self, remotes: Sequence[str] = ()) -> bool:
        """Bring the backends up to date, of some remotes or all; return whether anything changed."""

    def forget_listings(self, saltenv: str | None = None) -> dict[str, list[str]]:
        """List anew at the next question; return {backend: environments whose listings are forgotten}."""

    def clear_cache(self) -> tuple[list[str], list[str]]:
        """Remove what was fetched; return (lines of what was done, problems)."""

    def lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Keep updates away; return (lines of what was done, problems)."""

    def clear_lock(self, remotes: Sequence[str] = ()) -> tuple[list[str], list[str]]:
        """Let updates be done again; return (lines of what was done, problems)."""


class MinionKnowledge(Protocol):
    """Grains and pillar of minions as the master keeps them, see `master/serving/minion_data.py`."""

    def get(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """Return (grains, pillar) of a minion, None when it never sent any."""

    def ids(self) -> list[str]:
        """Return the minions that something is known of."""

    def forget_part(self, id: str, bank: str) -> bool:
        """Remove the `grains`, `pillar` or `mine` of a minion; say whether there was any."""

    def reread(self) -> None:
        """Read everything from the banks again, because somebody wrote there."""


class MinionPillars(Protocol):
    """Pillar of any minion, compiled on the master, see `master/serving/pillar_service.py`."""

    def compile_for(self, id: str, grains: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Return pillar compiled now; options are `saltenv`, `pillarenv`, `override`."""

    def top_for(
        self, id: str, grains: Mapping[str, Any], saltenv: str
    ) -> tuple[Mapping[str, Any], list[str]]:
        """Return (the merged top file {saltenv: {target: [sls, ...]}}, what is wrong with it)."""

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the pillar that is kept of a minion (`pillar_cache`), None when there is none."""

    def forget(self, id: str) -> None:
        """Compile the pillar of a minion anew next time."""


class GitPillars(Protocol):
    """The repositories that hold pillar, see `pillar/git_clones.py`."""

    def update(self, ref: str | None = None, repository: str | None = None) -> dict[str, bool | None]:
        """Fetch them, or those that are meant; return {repository: is anything new, False: it failed}."""

    def clear_lock(self, repository: str | None = None) -> list[str]:
        """Let updates be done again; return lines of what was done."""


class MineReading(Protocol):
    """The mine as the master keeps it, see `master/serving/mine.py`."""

    def ask(self, tgt: Any, fun: Any, tgt_type: str, *, reader: str) -> dict[str, Any]:
        """Return what `reader` may see: {minion: value}, of several functions {function: {minion: value}}."""


class Targets(Protocol):
    """Whom a target means, see `master/publishing/target_resolution.py`."""

    def resolve(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":", greedy: bool = True) -> Any:
        """Return (minions, missing); raises TargetError. Not `greedy`: only those that data is known of."""


class Resources(Protocol):
    """What minions manage, see `master/resources/facade.py`."""

    def list(self, kind: str = "", minion: str = "") -> dict[str, dict[str, Any]]:
        """Return {srn: {minion, type, lease, standby}}; `lease` in seconds, None for one without end."""

    def show(self, name: str) -> dict[str, Any]:
        """Return {srn, minion, type, lease, grains, error} of an SRN or bare id; raises TargetError."""

    def grains(self) -> dict[str, Mapping[str, Any]]:
        """Return {srn: grains} of all that have any."""

    def times_registered(self, minion: str) -> int:
        """Return how often a minion has registered since this master began."""

    def owners(self) -> dict[str, dict[str, Any]]:
        """Return {minion: {type: [id], standby: [srn], refused: {srn: reason}}}."""


class Calls(Protocol):
    """Runner and wheel functions on the master, see `master/calls/runner_calls.py`."""

    def run(self, kind: str, fun: str, args: Sequence[Any], kwargs: Mapping[str, Any], *, user: str) -> Any:
        """Run a function of `kind` (`runner`, `wheel`), tell the bus, return what it returned."""

    def start(
        self,
        kind: str,
        fun: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        user: str,
        timeout: float | None = None,
        uid: int | None = None,
    ) -> dict[str, str]:
        """Begin to run a function and return {tag, jid} to follow it by; `timeout` is for its minions.

        `uid` is the user of this machine who reads its events, besides those who read all.
        """

    def outcome(
        self,
        kind: str,
        fun: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        user: str,
        jid: str = "",
        uid: int | None = None,
    ) -> dict[str, Any]:
        """Run a function; return {fun, jid, user, fun_args, return, success}, the data of its `ret` event."""

    def running(self) -> list[dict[str, Any]]:
        """Return {fun, jid, user, fun_args, pid} of each function that is running."""


class Progress(Protocol):
    """What a running runner tells those who wait for it, see `master/calls/runner_calls.py`."""

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        """Fire an event below the tag of the run; the command line prints it."""

    def write(self, text: str) -> None:
        """Print text at the command line that waits for the run."""


class Explaining(Protocol):
    """Why targets mean minions, see `master/publishing/target_explain.py`; both raise TargetError."""

    def explain(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":") -> dict[str, dict[str, Any]]:
        """Return {id: {matched, terms: [{term, matched, compared, value, age, note}]}}; `age` in seconds."""

    def is_meant(self, tgt: Any, id: str) -> bool:
        """Return whether a compound target certainly means a minion."""
