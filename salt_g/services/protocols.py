"""Protocols of the services that salt-g provides to plugins in any call; `plugins.py` creates them.

A room must not import `state/`, `files/` or `render/` (floors), yet `state.apply`, `cp.cache_file` and
`file.managed` need them. The builder of a call context (`local_call.py`) passes the real objects in; plugins
access them as `api.services().files` and so on, and know only these protocols. This is a separate file that
only type checkers read, because creating a protocol class takes 0.1 ms.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from salt_g.shapes import (
    LowChunk,
    Pause,
    PillarDict,
    RenderedSls,
    Running,
    RunRequest,
    SlsUsage,
    StateReturn,
    StateRunJob,
    TopMatches,
)
from salt_g.shapes.high_data import HighData
from salt_g.shapes.undo import UndoReply


class FileAccess(Protocol):
    """Files by URL (`salt://`, `file://`, `http(s)://`, absolute path), see `files/client.py`.

    '' means that the file does not exist; a failed download raises FileServerError, an invalid URL
    CommandExecutionError.
    """

    def envs(self) -> list[str]:
        """Return the file environments."""

    def list_files(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all files of an environment, relative, sorted."""

    def list_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the paths of all directories of an environment, relative, sorted."""

    def list_empty_dirs(self, saltenv: str = "base", prefix: str = "") -> list[str]:
        """Return the directories that are empty."""

    def list_symlinks(self, saltenv: str = "base", prefix: str = "") -> dict[str, str]:
        """Return {path: link target} of an environment."""

    def list_states(self, saltenv: str = "base") -> list[str]:
        """Return the dotted names of all SLS files of an environment, sorted."""

    def hash_file(self, url: str, saltenv: str = "base") -> dict[str, str]:
        """Return {'hsum': hex digest, 'hash_type': name}, or {} if the file does not exist."""

    def stat_file(self, url: str, saltenv: str = "base") -> os.stat_result | None:
        """Return the status of a file (for `mode: keep`), or None if it does not exist."""

    def noting_use(
        self, expected: Mapping[str, str] | None = None
    ) -> AbstractContextManager[Mapping[str, str]]:
        """Record the {URL: digest} of `salt://` files used in a block; raise for files not `expected`."""

    def announced(self, urls: Iterable[str], saltenv: str = "base") -> AbstractContextManager[None]:
        """Expect files to be used in this order during the block, so that they can be requested together."""

    def cache_file(
        self,
        url: str,
        saltenv: str = "base",
        *,
        source_hash: str | None = None,
        verify_ssl: bool = True,
        use_etag: bool = False,
    ) -> str:
        """Return the local path of a cached copy, or '' if the file does not exist."""

    def cache_sls(self, sls: str, saltenv: str = "base") -> tuple[str, str]:
        """Return (URL, cached path) of the file of an SLS name, or ('', '') if it does not exist."""

    def cache_local_file(self, path: str) -> str:
        """Copy a file of this machine into the cache and return the copy's path."""

    def cache_dest(self, url: str, saltenv: str = "base") -> str:
        """Return the path of the cached copy of a URL, whether it exists or not."""

    def is_cached(self, url: str, saltenv: str = "base") -> str:
        """Return the path of the cached copy of a URL, or '' if there is none."""

    def cached_files(self, saltenv: str = "base") -> list[str]:
        """Return the paths of all cached files of an environment, sorted."""

    def get_file(
        self,
        url: str,
        dest: str,
        *,
        makedirs: bool = False,
        saltenv: str = "base",
        gzip: int | None = None,
    ) -> str:
        """Copy a `salt://` file to `dest`; return the path of the copy, or '' if there is none.

        There is none if the file does not exist, or without `makedirs` if the directory of `dest` is missing.

        `gzip` is the level (1 to 9) at which a master compresses the transfer.
        """

    def get_url(
        self,
        url: str,
        dest: str,
        *,
        makedirs: bool = False,
        saltenv: str = "base",
        source_hash: str | None = None,
        verify_ssl: bool = True,
    ) -> str:
        """Download `url` to `dest` ('': the cache); return the path, or '' if the file does not exist."""


class Rendering(Protocol):
    """Rendering of SLS files to data, and of templates to text, see `render/`."""

    def render_sls(
        self, path: str, /, *, sls: str, saltenv: str, tmplpath: str, pipe: str = "", **variables: Any
    ) -> Any:
        """Render the SLS file at `path` to data.

        `pipe` replaces the setting `renderer`; `variables` are passed to the templates.
        """

    def locate_sls(self, path: str, *, sls: str, saltenv: str, **variables: Any) -> RenderedSls:
        """Render the SLS file at `path` again, for the line numbers of its ids in error messages."""

    def render_text(
        self, text: str, /, *, pipe: str = "", saltenv: str = "base", sls: str = "", **variables: Any
    ) -> Any:
        """Render `text` through `pipe` (as in `jinja|yaml`)."""

    def render_template(
        self,
        text: str,
        *,
        engine: str,
        saltenv: str = "base",
        context: Mapping[str, Any] | None = None,
        **variables: Any,
    ) -> str:
        """Render a managed file's text with a template engine (`jinja`, `py`); raises RenderError."""

    def render_step(
        self,
        name: str,
        data: Any,
        /,
        *,
        saltenv: str = "base",
        sls: str = "",
        tmplpath: str = "",
        **variables: Any,
    ) -> Any:
        """Run one renderer on text or data; raise LookupError for an unknown one."""

    def names(self) -> list[str]:
        """Return the names of salt-g's own renderers, sorted."""


class RunLocking(Protocol):
    """Lock that admits one state run at a time, see `state/run/lock.py`; jobs are {jid, pid, fun, ...}."""

    def others(self, jid: str) -> list[StateRunJob]:
        """Return the running state runs, except that of `jid`."""

    def conflicts(self, jid: str) -> list[str]:
        """Return an error line for each of `others`."""

    def held(
        self, job: Mapping[str, Any], *, queue: bool | int = False, concurrent: bool = False
    ) -> AbstractContextManager[None]:
        """Return a context manager that holds the lock; raise CompileError if another run holds it.

        With `queue`, wait for the lock instead; with `concurrent`, ignore other runs.
        """


class Pausing(Protocol):
    """Pauses of state runs, see `state/run/pause.py`.

    Without a state ID, `pause` and `kill` apply to the next state, `resume` to all pauses of the run.
    """

    def jids(self) -> list[str]:
        """Return the jids of runs with pauses."""

    def read(self, jid: str) -> dict[str, Pause]:
        """Return the pauses of a run by state ID."""

    def pause(self, jid: str, state_id: str | None = None, *, duration: int | None = None) -> None:
        """Pause a run before a state, for `duration` seconds if given."""

    def resume(self, jid: str, state_id: str | None = None) -> None:
        """Resume a run."""

    def kill(self, jid: str, state_id: str | None = None) -> None:
        """End a run before a state."""

    def forget(self, jid: str) -> None:
        """Remove the pauses of a run that has ended."""


class Requesting(Protocol):
    """State runs waiting for confirmation, see `state/run_requests.py`."""

    def read(self) -> dict[str, RunRequest]:
        """Return {name: {test_run, mods, kwargs}}."""

    def put(self, name: str, request: RunRequest) -> None:
        """Store a request."""

    def clear(self, name: str | None = None) -> bool:
        """Remove one request, or all; return False if the name is unknown."""


class HighCaching(Protocol):
    """Cached high data of earlier runs, see `state/highcache.py`."""

    def clear(self) -> list[str]:
        """Remove the cached high data; return the names of the files."""


class StepRecord(Protocol):
    """Record of live steps of state runs, see `report/step_feed.py`; `n` counts from 1."""

    def begin_run(self, total: int) -> int:
        """Expect `total` more chunks; return the number of chunks expected before."""

    def begin(self, n: int, id: str, fun: str) -> Callable[[bytes], None]:
        """Note that a chunk begins; return a function that receives its programs' output."""

    def end(self, n: int, id: str, fun: str, place: str, ret: StateReturn) -> None:
        """Note that a chunk has ended, or was skipped."""


class RunKeeping(Protocol):
    """Record of what a run on a master has done, see `data/run_record.py`."""

    def recall(self, key: str) -> Any:
        """Return the value kept under a key before the run was resumed, or None if there is none."""

    def keep(self, key: str, value: Any) -> None:
        """Keep a value; raises RunTaken, StoreError, WireError."""


class StateEngine(Protocol):
    """State engine, from SLS trees to results, see `state/engine.py`.

    All methods use the context of the running call (its `test`, `saltenv`, pillar, tables). Compile errors
    are raised as CompileError, all of them at once. Running dicts are {low tag: state return}. Options:
    `mock` (call nothing), `orchestration_jid`.
    """

    #: Record of the steps of the engine's runs, or None.
    steps: StepRecord | None
    #: Record in which the next run keeps its steps, or None.
    record: RunKeeping | None

    def digesting(self) -> AbstractContextManager[Callable[[], bytes]]:
        """Record digests of chunks that run in a block; yield a function that returns those of a run."""

    @property
    def lock(self) -> RunLocking:
        """Lock of state runs on this minion."""

    @property
    def pauses(self) -> Pausing:
        """Pauses of this minion's runs."""

    @property
    def requests(self) -> Requesting:
        """Runs waiting for confirmation."""

    @property
    def cache(self) -> HighCaching:
        """High data of earlier runs."""

    def undo(self, jid: str, *, test: bool, force: bool) -> UndoReply:
        """Revert a recorded run, see `state/undo/undo.py`; raise CommandExecutionError for an unknown run."""

    def planned(self, plan: Any, work: Callable[[StateEngine], Any]) -> Any:
        """Run `work` to make the plan with this id, or to apply the plan that `opened_plan` returned."""

    def opened_plan(self, plan: str, *, accept_opaque: bool) -> tuple[Any, Any]:
        """Return ({fun, args, kwargs}, application) of a stored plan; raises PlanRefused."""

    def apply_sls(self, names: Sequence[str], *, exclude: Sequence[Any] = (), **options: Any) -> Running:
        """Run these SLS files."""

    def apply_highstate(self, *, exclude: Sequence[Any] = (), whitelist: Any = (), **options: Any) -> Running:
        """Run the states that the top file assigns to this minion."""

    def apply_cached(self, cache_name: str = "highstate", **options: Any) -> Running | None:
        """Run the cached high data of an earlier run; return None if there is none."""

    def apply_high(self, data: Any, *, mock: bool = False, orchestration_jid: str | None = None) -> Running:
        """Run the high data that a user gives as a mapping; its bodies are changed."""

    def apply_id(self, state_id: str, names: Sequence[str], *, mock: bool = False) -> Running:
        """Run one ID of these SLS files and its requisites."""

    def open_bundle(self, path: str, digest: str, hash_type: str) -> AbstractContextManager[Any] | None:
        """Unpack a bundle for `apply_bundle`; return None if it does not exist or has another hash."""

    def apply_bundle(self, bundle: Any, *, mock: bool = False) -> Running:
        """Run the chunks of a bundle with its own files, pillar and grains."""

    def apply_low(self, low: LowChunk, *, mock: bool = False) -> Running:
        """Run one low chunk."""

    def apply_chunks(self, chunks: Iterable[LowChunk], *, mock: bool = False) -> Running:
        """Run chunks that were compiled elsewhere."""

    def apply_template(self, path: str, **options: Any) -> Running:
        """Run an SLS file of this machine."""

    def apply_template_text(self, text: str, **options: Any) -> Running:
        """Run SLS text."""

    def high_of_sls(self, names: Sequence[str]) -> HighData:
        """Return the high data of these SLS files."""

    def verified_high_of_sls(self, names: Sequence[str]) -> HighData:
        """Return the high data of these SLS files after validation."""

    def high_of_top(self) -> HighData:
        """Return the high data that the top file assigns to this minion."""

    def low_of_sls(self, names: Sequence[str]) -> list[LowChunk]:
        """Return the chunks of these SLS files in the order in which they are written."""

    def low_of_top(self) -> list[LowChunk]:
        """Return the chunks of the highstate in running order."""

    def top_matches(self) -> TopMatches:
        """Return the SLS names that the top file assigns to this minion, by environment."""

    def usage(self) -> dict[str, SlsUsage]:
        """Return the SLS names of each environment, and whether this minion's top file uses them."""

    def dot(self, high: HighData) -> str:
        """Return the dependency graph of high data in graphviz's DOT language."""

    def svg(self, high: HighData) -> str:
        """Return the dependency graph as an SVG image; raise CommandExecutionError if it is too large."""


class PillarCompiler(Protocol):
    """Pillar for this minion, see `pillar/`."""

    def compile(
        self,
        *,
        saltenv: str | None = None,
        pillarenv: str | None = None,
        override: Mapping[str, Any] | None = None,
        ext: Mapping[str, Any] | None = None,
        roots: Mapping[str, Sequence[str]] | None = None,
        earlier: Mapping[str, Any] | None = None,
    ) -> PillarDict:
        """Return pillar compiled again; errors are listed under `_errors`.

        `override` is merged last (`pillar=` of a call); `ext` is one more external pillar; `roots` are
        compiled alone, without external pillars; `earlier` is passed to templates as `pillar`, by default the
        pillar of the running call.
        """


class Matching(Protocol):
    """Target matching for this minion, see `match/`."""

    def matches(
        self, tgt: Any, tgt_type: str = "glob", *, minion_id: str | None = None, delimiter: str = ":"
    ) -> bool:
        """Return whether this minion (or `minion_id`) matches the target; raises TargetError."""


class Plugins(Protocol):
    """Tables of plugin functions by kind, see `loader/`."""

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a kind (`modules`, `states`, `grains`, `outputters`, ...) by name."""

    def with_providers(self, providers: Mapping[str, str]) -> Plugins:
        """Return tables in which these plugins provide these names (`{"pkg": "aptpkg"}`)."""

    def reload(self, kinds: Sequence[str] = ()) -> None:
        """Drop loaded user plugins of these kinds (all if empty), so that they are reloaded."""


class Watching(Protocol):
    """Event subscription, see `event/bus.py`."""

    def get(self, timeout: float | None = None) -> Any:
        """Return the next event (with `tag` and `data`), or None on timeout."""


class Events(Protocol):
    """Event bus of a daemon on this machine, accessed from inside the daemon or over its sockets."""

    def fire(self, tag: str, data: Mapping[str, Any]) -> Any:
        """Fire an event."""

    def watch(self, tag: str = "", way: str = "startswith") -> AbstractContextManager[Watching]:
        """Return a context manager that yields a subscription to the events that match `tag`, from now on."""
