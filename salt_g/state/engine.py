"""Entry points of the state engine: SLS names, high data or chunks in, results out.

Files, rendering, function tables, matching, clock and cache directory are taken from the running call here;
the layers below receive only what they need. Modules that not every call needs are imported where used.

Errors: CompileError with every message of one compile; InvocationError for unknown arguments. Read next:
`compile/compiler.py`, then `run/state_run.py`.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import CompileError, RenderError, StoreError, WireError
from salt_g.services.plugins import UNFINISHED, Services
from salt_g.shapes import LowChunk, Running, SlsUsage, TopMatches, low_tag
from salt_g.shapes.high_data import HighData
from salt_g.state.compile.compiler import Compiled, StateCompiler, stop_for
from salt_g.state.compile.diagnostics import Problems
from salt_g.state.compile.node import Node
from salt_g.state.compile.single_template import declare_single
from salt_g.state.compile.sls import SlsReader
from salt_g.state.compile.source_locations import SourceLocations
from salt_g.state.compile.top import (
    StateTopReader,
    joined_tops,
    only_listed,
    top_matches,
    usage_of,
    verify_top,
)
from salt_g.state.compile.verify import verify_high
from salt_g.state.highcache import HighCache
from salt_g.state.run.lock import RunLock
from salt_g.state.run.pause import Pauses

if TYPE_CHECKING:
    from salt_g.services.protocols import RunKeeping, StepRecord
    from salt_g.shapes.plans import PlanCall
    from salt_g.shapes.undo import UndoReply
    from salt_g.state.bundle import Access, StateBundle
    from salt_g.state.plan.runs import Applying, Recording
    from salt_g.state.run.low_digests import LowDigests
    from salt_g.state.run.state_call import StateCaller
    from salt_g.state.run.state_run import Clock, Run
    from salt_g.state.run_requests import RunRequests
    from salt_g.state.undo.history import UndoHistory

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class StateEngine:
    """Compiler and runner of states for the running call; implements `services.protocols.StateEngine`.

    `gather_grains` returns newly gathered grains (for `reload_grains`), `access` returns files and rendering
    for other settings (for bundles), `tops` returns the SLS that the master's `master_tops` assigns to this
    minion. If set, `steps` receives each chunk, `record` keeps the finished chunks of the next run, and
    `digests` receives the digest of each chunk.
    """

    def __init__(
        self,
        services: Services,
        *,
        gather_grains: Callable[[], Mapping[str, Any]] | None = None,
        access: Access | None = None,
        clock: Clock | None = None,
        tops: Callable[[], TopMatches] | None = None,
    ) -> None:
        self.steps: StepRecord | None = None
        self.record: RunKeeping | None = None
        self.digests: LowDigests | None = None
        #: Plan made or applied by the next run.
        self.plan: Recording | Applying | None = None
        self._services = services
        self._gather_grains = gather_grains
        self._access = access
        self._tops = tops
        self._clock = clock
        self._sleep = clock.sleep if clock else time.sleep
        self._places = SourceLocations(lambda: services.render)

    @property
    def lock(self) -> RunLock:
        """Lock of this minion's state runs."""
        return RunLock(_cachedir(), sleep=self._sleep)

    @property
    def pauses(self) -> Pauses:
        """Pauses of this minion's runs."""
        return Pauses(_cachedir())

    @property
    def requests(self) -> RunRequests:
        """Runs that await confirmation."""
        from salt_g.state.run_requests import RunRequests

        return RunRequests(_cachedir())

    @property
    def cache(self) -> HighCache:
        """High data of earlier runs."""
        return HighCache(_cachedir())

    @contextlib.contextmanager
    def digesting(self) -> Iterator[Callable[[], bytes]]:
        """Record the digests of the chunks run in a `with` block; yield the function that returns them.

        See `run/low_digests.py`.
        """
        from salt_g.state.run.low_digests import LowDigests  # Imported lazily: for a master's history.

        self.digests = LowDigests(self._services.files.is_cached, lambda: api.current().pillar)
        try:
            yield self.digests.take
        finally:
            self.digests = None

    def undo(self, jid: str, *, test: bool, force: bool) -> UndoReply:
        """Revert a recorded run of this machine; with `test` only report what would be done."""
        from salt_g.state.undo.undo import undo

        context = api.current().with_opts(test=test)
        with api.use(context):
            return undo(context, self._history(context), jid, force=force)

    def planned(self, plan: Any, work: Callable[[StateEngine], Any]) -> Any:
        """Call `work` to make or apply a plan, see `state/plan/plan_calls.py`."""
        from salt_g.state.plan.plan_calls import planned

        return planned(self, self._services.files, plan, work)

    def opened_plan(self, plan: str, *, accept_opaque: bool) -> tuple[PlanCall, Applying]:
        """Return a plan's call and the run that applies it; raise PlanRefused for an invalid plan."""
        from salt_g.state.plan.plan_calls import opened

        return opened(api.current(), plan, accept_opaque=accept_opaque)

    # Entry points that run states

    def apply_sls(self, names: Sequence[str], *, exclude: Sequence[Any] = (), **options: Any) -> Running:
        """Run SLS of the call's saltenv."""
        high = self._kept_high(names)
        if exclude:
            high = high.with_exclusions(exclude)
        return self._apply(high, keep_as=options.pop("cache_name", "highstate"), **options)

    def apply_highstate(
        self,
        *,
        exclude: Sequence[Any] = (),
        whitelist: Any = (),
        cache_name: str = "highstate",
        **options: Any,
    ) -> Running:
        """Run the SLS of the top file; if it assigns none, return a failure with the reason."""
        from salt_g.state.run import no_states

        try:
            matches = self.top_matches()
        except RenderError as exc:
            return no_states.running(f"Unable to render top file: {exc}")
        if not matches:
            return no_states.no_match()
        matches = only_listed(matches, whitelist)
        self._sync_plugins(matches)
        high = self._read(lambda reader: reader.read(matches))
        if exclude:
            high = high.with_exclusions(exclude)
        if high.is_empty:
            return no_states.running(no_states.NOTHING_DECLARED)
        return self._apply(high, keep_as=cache_name, **options)

    def apply_high(self, data: Any, **options: Any) -> Running:
        """Run the high data that a user gives as a mapping; its bodies are changed."""
        return self._apply(self._compiler().read(data), **options)

    def apply_cached(self, cache_name: str = "highstate", **options: Any) -> Running | None:
        """Run the cached high data of an earlier run; return None if there is none."""
        high = self.cache.read(cache_name)
        return None if high is None else self._apply(high, **options)

    def apply_id(self, state_id: str, names: Sequence[str], *, mock: bool = False) -> Running:
        """Run one ID of these SLS and its dependencies; return {} if no SLS declares it."""
        compiled = self._compiler().compile_plain(self.high_of_sls(names), with_mirrored=True)
        wanted = compiled.closure(lambda low: low["__id__"] == state_id)
        return self._run(Compiled(wanted, compiled.groups, wanted), mock=mock, with_listeners=False)

    def apply_chunks(self, chunks: Iterable[LowChunk], *, mock: bool = False) -> Running:
        """Run precompiled chunks."""
        return self._run(self._compiler().order(chunks), mock=mock)

    def open_bundle(self, path: str, digest: str, hash_type: str) -> StateBundle | None:
        """Unpack a bundle; return None if it is missing or invalid, or if its digest differs."""
        from salt_g.state.bundle import open_bundle

        return open_bundle(path, digest, hash_type)

    def apply_bundle(self, bundle: StateBundle, *, mock: bool = False) -> Running:
        """Run the chunks of a bundle with its own files, pillar and grains."""
        with api.use(bundle.context(self._access)):
            return self.apply_chunks(bundle.chunks(), mock=mock)

    def apply_low(self, low: LowChunk, *, mock: bool = False) -> Running:
        """Run one chunk without regard to requisites; raise CompileError when it cannot be called.

        The result has one entry, as in stock; states that the chunk itself ran stay in its `sub_state_run`.
        """
        caller = self._caller(self._run_context(), mock)
        problems = caller.problems_of(low)
        if problems:
            raise CompileError(problems)
        low.setdefault("__id__", low["name"])
        with self._recorded(caller):
            return self._new_run(caller, splits_returns=False).execute([Node(low, tag=low_tag(low))])

    def apply_template(self, path: str, **options: Any) -> Running:
        """Run a local SLS file."""
        return self._apply(self._read(lambda reader: reader.read_file(path)), **options)

    def apply_template_text(self, text: str, **options: Any) -> Running:
        """Run SLS text."""
        pipe = str(api.current().opts.get("renderer") or "jinja|yaml")
        data = self._services.render.render_text(text, pipe=pipe)
        problems = Problems()
        high = declare_single(data, "<template-str>", problems)
        stop_for(problems, report=self._places.report)
        return self._apply(high, **options)

    # Entry points that only compile

    def high_of_sls(self, names: Sequence[str]) -> HighData:
        """Return the high data of these SLS, without applying extensions."""
        return self._read(lambda reader: reader.read({_saltenv(): names}))

    def high_of_top(self) -> HighData:
        """Return the high data of the top file's SLS, without applying extensions."""
        matches = self.top_matches()
        return self._read(lambda reader: reader.read(matches))

    def verified_high_of_sls(self, names: Sequence[str]) -> HighData:
        """Return the high data of these SLS after verification."""
        high = self.high_of_sls(names)
        stop_for(verify_high(high), report=self._places.report)
        return high

    def low_of_sls(self, names: Sequence[str]) -> list[LowChunk]:
        """Return the chunks of these SLS without applying extend, exclude and `*_in`."""
        return self._compiler().compile_plain(self.high_of_sls(names)).low()

    def low_of_top(self) -> list[LowChunk]:
        """Return the chunks of the highstate in running order."""
        return self._compiler().compile(self.high_of_top()).low()

    def top_matches(self) -> TopMatches:
        """Return the SLS that the top file assigns to this minion, by environment."""
        opts, files = api.current().opts, self._services.files
        top = StateTopReader(files, self._services.render, opts, self._places).read()
        stop_for(verify_top(top), report=self._places.report)
        with api.use(api.current().observed()):
            matches = top_matches(
                top, matching=self._services.match, envs=files.envs(), saltenv=opts.get("saltenv")
            )
        if self._tops is None:
            return matches
        return joined_tops(matches, self._tops(), masters_first=bool(opts.get("master_tops_first")))

    def usage(self) -> dict[str, SlsUsage]:
        """Return which SLS of each environment the top file uses for this minion, and which it does not."""
        matches = self.top_matches()
        files = self._services.files
        return {env: usage_of(files.list_states(env), matches.get(env, [])) for env in files.envs()}

    def dot(self, high: HighData) -> str:
        """Return the dependency graph of high data in graphviz's DOT language."""
        from salt_g.state.dot_graph import to_dot

        return to_dot(self._compiler().compile(high).nodes)

    def svg(self, high: HighData) -> str:
        """Return the dependency graph as SVG; raise CommandExecutionError if it is too large."""
        from salt_g.state.svg import to_svg

        return to_svg(self._compiler().compile(high).nodes)

    # Internals

    def _apply(
        self,
        high: HighData,
        *,
        keep_as: str | None = None,
        mock: bool = False,
        orchestration_jid: str | None = None,
    ) -> Running:
        """Run high data; `keep_as` is the name to save it under for `cache=True`."""
        if keep_as is not None:
            self.cache.write(keep_as, high)
        return self._run(self._compiler().compile(high, orchestration_jid=orchestration_jid), mock=mock)

    def _read(self, read: Callable[[SlsReader], _T]) -> _T:
        problems = Problems()
        self._places = self._places.tops()
        reader = SlsReader(
            self._services.files,
            self._services.render,
            problems=problems,
            places=self._places,
            auto_order=bool(api.current().opts.get("state_auto_order", True)),
        )
        high = read(reader)
        stop_for(problems, report=self._places.report)
        return high

    def _kept_high(self, names: Sequence[str]) -> HighData:
        """Return the high data of these SLS; for a resumed run, as it was when the run began."""
        kept = self.record.recall("high") if self.record else None
        high = HighData.of(kept) if kept else self.high_of_sls(names)
        if self.record and not kept:
            try:
                self.record.keep("high", high.as_mapping())
            except (StoreError, TimeoutError, WireError) as exc:
                log.warning("cannot keep the rendered states of %s: %s", ", ".join(names), exc)
        return high

    def _compiler(self) -> StateCompiler:
        context = api.current()
        # Settings first: reading the grains for this one value would gather all of them.
        disabled = context.opts.get("state_runs_disabled")
        if disabled is None:
            disabled = context.grains.get("state_runs_disabled")
        return StateCompiler(
            context.opts,
            has_function=context.table("states").__contains__,
            disabled=disabled if isinstance(disabled, list) else (),
            # Bound late, because the places of an SLS are known once it is read.
            report=lambda problems: self._places.report(problems),
        )

    def _run(self, compiled: Compiled, *, mock: bool, with_listeners: bool = True) -> Running:
        if self.plan is None:
            return self.run_pass(compiled, mock=mock, with_listeners=with_listeners)
        # Runs started by states belong to those states.
        plan, self.plan = self.plan, None
        return plan.run(compiled, partial(self.run_pass, mock=mock, with_listeners=with_listeners))

    def run_pass(
        self,
        compiled: Compiled,
        *,
        mock: bool = False,
        with_listeners: bool = True,
        make_caller: Callable[..., StateCaller] | None = None,
        **ways: Any,
    ) -> Running:
        """Run compiled states once; only plans pass `make_caller` and `ways` (options of `_new_run`)."""
        from salt_g.state.run.kept_steps import KeptSteps
        from salt_g.state.run.last_chunks import beacon_nodes, collect_listeners, number_errors
        from salt_g.state.run.read_sources import note_sources

        lowstate = [node.low for node in compiled.nodes if not node.is_preview]
        context = self._run_context().replace(lowstate=lowstate)
        if context.reads is not None:
            note_sources(context.reads, lowstate)
        caller = self._caller(context, mock, make_caller)
        numbers = itertools.count()
        outer = context.scratch.get(UNFINISHED)
        # A run started within this run belongs to one of its states.
        kept, self.record = KeptSteps(self.record), None
        new_run = partial(self._new_run, caller, numbers=numbers, **ways)
        run = new_run(groups=compiled.groups, kept=kept)
        with self._recorded(caller):
            running = run.execute(compiled.nodes)
            if with_listeners:
                listening = collect_listeners(compiled.ordered, running, previewed=run.previewed)
                listeners = list(listening.listeners.values())
                running.update(new_run(kept=kept).execute(listeners))
                running.update(number_errors(listening, numbers))
                running.update(new_run().execute(beacon_nodes(compiled.nodes)))
        if outer:
            context.scratch[UNFINISHED] = outer
        else:
            context.scratch.pop(UNFINISHED, None)
        if jid := context.job.get("jid"):
            self.pauses.forget(jid)
        return running

    @contextlib.contextmanager
    def _recorded(self, caller: StateCaller) -> Iterator[None]:
        """Record a job's changes for `undo` if `state_undo` is set, except in test mode."""
        context = caller.context
        jid = context.job.get("jid")
        if not jid or context.opts.get("test") or not context.opts.get("state_undo"):
            yield
            return
        history = self._history(context)
        caller.journal = journal = history.journal(str(jid), str(context.job.get("fun", "")))
        try:
            yield
        finally:
            journal.close()
            if journal.is_used:
                history.prune()

    @staticmethod
    def _history(context: CallContext) -> UndoHistory:
        from salt_g.state.undo.history import UndoHistory
        from salt_g.state.undo.scope import scope_of

        cachedir, max_bytes = str(context.opts["cachedir"]), int(context.opts.get("undo_bytes") or 0)
        return UndoHistory(cachedir, max_bytes, resource=context.resource, scope=scope_of(context))

    def _caller(
        self, context: CallContext, is_mocked: bool, make_caller: Callable[..., StateCaller] | None = None
    ) -> StateCaller:
        from salt_g.state.run.state_call import StateCaller

        return (make_caller or StateCaller)(context, is_mocked=is_mocked, places=self._places)

    def _new_run(
        self,
        caller: StateCaller,
        *,
        may_run: Callable[[str], bool] | None = None,
        is_trial: bool = False,
        **parts: Any,
    ) -> Run:
        """Return a run; `may_run` can end it before any state; a trial run reports no progress."""
        from salt_g.state.run.progress_events import event_hook
        from salt_g.state.run.refresh import Refresh
        from salt_g.state.run.run_steps import RunSteps
        from salt_g.state.run.state_run import Hooks, Run

        jid = caller.context.job.get("jid")
        hooks = Hooks(
            on_event=event_hook(caller.context, jid) if jid and not is_trial else None,
            may_run=self._pause_check(jid, may_run) if jid else may_run,
        )
        refresh = Refresh(pillar=_fresh_pillar, grains=self._gather_grains)
        records = (None, None) if is_trial else (self.steps, self.digests)
        steps = RunSteps(records[0], self._places.place_of, records[1])
        run = Run(
            caller,
            refresh=refresh,
            hooks=hooks,
            clock=self._clock,
            explains=bool(caller.context.opts.get("state_explain")),
            steps=steps,
            **parts,
        )
        caller.context.scratch[UNFINISHED] = [*caller.context.scratch.get(UNFINISHED, ()), run.unfinished]
        return run

    def _pause_check(self, jid: str, may_run: Callable[[str], bool] | None = None) -> Callable[[str], bool]:
        pauses, sleep = self.pauses, self._sleep
        if may_run is None:
            return lambda state_id: pauses.may_run(jid, state_id, sleep=sleep)
        return lambda state_id: may_run(state_id) and pauses.may_run(jid, state_id, sleep=sleep)

    def _run_context(self) -> CallContext:
        # The settings are copied, so that changes made by a run end with the run.
        return api.current().with_opts()

    def _sync_plugins(self, matches: TopMatches) -> None:
        """Sync users' plugins of the matched environments before running states that need them."""
        context = api.current()
        functions = context.table("modules")
        if not context.opts.get("autoload_dynamic_modules", True) or "saltutil.sync_all" not in functions:
            return
        synced = functions["saltutil.sync_all"](list(matches), refresh=False)
        if any(synced.values()):
            context.services.plugins.reload()


def _saltenv() -> str:
    return str(api.current().opts.get("saltenv") or "base")


def _cachedir() -> str:
    """Return the folder of locks, pauses and caches, which is a separate one for runs on a resource."""
    opts = api.current().opts
    return str(opts.get("state_cachedir") or opts["cachedir"])


def _fresh_pillar(context: CallContext) -> Mapping[str, Any]:
    opts = context.opts
    with api.use(context):
        return context.services.pillars.compile(
            saltenv=opts.get("saltenv"), pillarenv=opts.get("pillarenv"), override=opts.get("pillar_override")
        )
