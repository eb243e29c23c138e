"""Protocols of the services that daemons provide to plugins, beyond those of a local call.

A beacon fires events, `mine.get` sends a request to the master, a runner publishes a job and reads the job
cache; none of them may import the daemons (floors). The builder of a daemon's call context passes the real
objects to `plugin_services.Services` under the names given here.

On a minion (and in `salt-g call` with a master): `services().master` is an Asking, `services().events`
Events, `services().jobs` RunningJobs.
On a master (runners, wheel functions, reactor, engines): `services().client` publishes jobs (a
`client.LocalClient` inside the daemon), `services().job_cache` is `cache.jobs.Jobs`, `services().banks` is
`cache.banks.Banks`, `services().keys` is `keys.store.KeyStore`, `services().batches` is RunningBatches,
`services().fileserver` is FileServing, `services().minion_data` MinionKnowledge, `services().minion_pillars`
MinionPillars, `services().git_pillars` GitPillars, `services().mine` MineReading, `services().targets`
Targets, `services().resources` Resources, `services().events` Events, `services().presence` Presence,
`services().logins` `auth.logins.Logins`, `services().calls` Calls, `services().progress` the Progress of the
running call, `services().explaining` Explaining.
Units: seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


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

        Sign in first if there is no session, and again if the master refuses the present one. `binary` names
        fields of the reply that stay bytes. `timeout` and `tries` default to the settings
        `request_channel_timeout` and `request_channel_tries`.
        Raise NoReply, SignInRefused, WireError.
        """

    def ask_pillar(self, load: Mapping[str, Any]) -> Any:
        """Send a `_pillar` load and return the pillar, which is encrypted with a key of its own."""

    def close(self) -> None:
        """Close the connections."""


class Watching(Protocol):
    """Event subscription, see `event/bus.py`."""

    def get(self, timeout: float | None = None) -> Any:
        """Return the next event (with `tag` and `data`), None on timeout."""


class Events(Protocol):
    """Event bus of a daemon on this machine, from inside of it or over its sockets."""

    def fire(self, tag: str, data: Mapping[str, Any]) -> Any:
        """Fire an event."""

    def watch(self, tag: str = "", way: str = "startswith") -> AbstractContextManager[Watching]:
        """Subscribe to the events that match `tag`, from now on."""


class RunningJobs(Protocol):
    """Jobs of this minion, see `minion/jobs/running_jobs.py`; from another process through their files."""

    def running(self) -> list[dict[str, Any]]:
        """Return {jid, fun, arg, tgt, tgt_type, ret, user, pid} of each running job."""

    def signal(self, jid: str, number: int) -> str:
        """Send a signal to a job's processes (SIGTERM and SIGKILL end the job); return the outcome."""


class ManagedResources(Protocol):
    """Managed resources of this minion, see `minion/resources/resource_manager.py`.

    `services().resources` of a daemon's jobs.
    """

    def errors(self) -> dict[str, str]:
        """Return {SRN or path in pillar: last error}."""


class RunningBatches(Protocol):
    """Batches run by the master, see `master/publishing/batches.py`."""

    def running(self) -> dict[str, dict[str, Any]]:
        """Return the running batches: {jid: {fun, tgt, tgt_type, user, batch}}."""

    def status(self, jid: str) -> dict[str, Any] | None:
        """Return the progress of a batch, None if unknown."""

    def end(self, jid: str, timeout: float) -> list[str] | None:
        """Stop a batch, wait for its end and return the minions still running; None if unknown."""


class Presence(Protocol):
    """Presence of minions, see `master/background/presence.py`."""

    def connected(self) -> set[str]:
        """Return the ids of accepted minions that have a connection."""

    def addresses(self) -> Mapping[str, str]:
        """Return the last known address of each connected minion."""

    def gone(self, ids: Collection[str], answered: Collection[str]) -> set[str]:
        """Return those of `ids` that certainly have no connection; `answered` certainly have one."""


class Metrics(Protocol):
    """Metrics of a daemon, see `salt_g/telemetry/metrics.py`."""

    def map(self) -> dict[str, Any]:
        """Return {name: number}; the value is a map for metrics with labels and for histograms."""


class FileServing(Protocol):
    """File server of a master, see `files/server.py`; lines are text for display."""

    def chosen(self, names: Iterable[str] = ()) -> FileServing:
        """Return the file server with only these backends; a name with a minus excludes one."""

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


class MinionKnowledge(Protocol):
    """Grains and pillar of minions as cached by the master, see `master/serving/minion_data.py`."""

    def get(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """Return (grains, pillar) of a minion, None if it never sent any."""

    def ids(self) -> list[str]:
        """Return the ids of minions with cached data."""

    def forget_part(self, id: str, bank: str) -> bool:
        """Remove the `grains`, `pillar` or `mine` of a minion; return whether there was any."""

    def reread(self) -> None:
        """Reload everything from the banks after another program wrote to them."""


class MinionPillars(Protocol):
    """Pillar of any minion, compiled on the master, see `master/serving/pillar_service.py`."""

    def compile_for(self, id: str, grains: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Return pillar compiled now; options are `saltenv`, `pillarenv`, `override`."""

    def top_for(
        self, id: str, grains: Mapping[str, Any], saltenv: str
    ) -> tuple[Mapping[str, Any], list[str]]:
        """Return (the merged top file {saltenv: {target: [sls, ...]}}, its errors)."""

    def kept(self, id: str, pillarenv: str | None) -> Mapping[str, Any] | None:
        """Return the cached pillar of a minion (`pillar_cache`), None if there is none."""

    def forget(self, id: str) -> None:
        """Drop the cached pillar of a minion."""


class GitPillars(Protocol):
    """Git repositories of pillar, see `pillar/git_clones.py`."""

    def update(self, ref: str | None = None, repository: str | None = None) -> dict[str, bool | None]:
        """Fetch the repositories, or the given ones; return {repository: whether it changed, False on
        failure}.
        """

    def clear_lock(self, repository: str | None = None) -> list[str]:
        """Remove the update locks; return lines of actions."""


class MineReading(Protocol):
    """Mine as stored by the master, see `master/serving/mine.py`."""

    def ask(self, tgt: Any, fun: Any, tgt_type: str, *, reader: str) -> dict[str, Any]:
        """Return the values that `reader` may see: {minion: value}, for several functions {function: {minion:
        value}}.
        """


class Targets(Protocol):
    """Target resolution, see `master/publishing/target_resolution.py`."""

    def resolve(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":", greedy: bool = True) -> Any:
        """Return (minions, missing); raise TargetError. Not `greedy`: only minions with known data match."""


class Resources(Protocol):
    """Resources of all minions, see `master/resources/facade.py`."""

    def list(self, kind: str = "", minion: str = "") -> dict[str, dict[str, Any]]:
        """Return {srn: {minion, type, lease, standby}}; `lease` in seconds, None for one without end."""

    def show(self, name: str) -> dict[str, Any]:
        """Return {srn, minion, type, lease, grains, error} of an SRN or bare id; raises TargetError."""

    def grains(self) -> dict[str, Mapping[str, Any]]:
        """Return {srn: grains} of the resources with grains."""

    def times_registered(self, minion: str) -> int:
        """Return how often a minion has registered since this master started."""

    def owners(self) -> dict[str, dict[str, Any]]:
        """Return {minion: {type: [id], standby: [srn], refused: {srn: reason}}}."""


class Calls(Protocol):
    """Runner and wheel functions on the master, see `master/calls/runner_calls.py`."""

    def run(self, kind: str, fun: str, args: Sequence[Any], kwargs: Mapping[str, Any], *, user: str) -> Any:
        """Run a function of `kind` (`runner`, `wheel`), fire its events, return its value."""

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
        """Start a function and return {tag, jid} to follow it by; `timeout` is for its minions.

        `uid` is the local user who may read its events, besides those who read all.
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
        """Return {fun, jid, user, fun_args, pid} of each running function."""


class Progress(Protocol):
    """Progress messages of a running runner to its caller, see `master/calls/runner_calls.py`."""

    def fire(self, data: Mapping[str, Any], suffix: str = "progress") -> None:
        """Fire an event below the tag of the run; the command line prints it."""

    def write(self, text: str) -> None:
        """Print text on the command line that waits for the run."""


class Explaining(Protocol):
    """Explanation of target matches, see `master/publishing/target_explain.py`.

    Both methods raise TargetError.
    """

    def explain(self, tgt: Any, tgt_type: str = "glob", *, delimiter: str = ":") -> dict[str, dict[str, Any]]:
        """Return {id: {matched, terms: [{term, matched, compared, value, age, note}]}}; `age` in seconds."""

    def is_meant(self, tgt: Any, id: str) -> bool:
        """Return whether a compound target certainly matches a minion."""
