"""Runs that make or apply a plan.

The engine passes its compiled chunks to `run`, with a function that runs them; everything else (lock, pillar,
compilation) is as in any run. Both kinds of run compile in test mode, so that templates which check for it
render the same. To apply a plan, chunks and pillar are compared first, then all chunks run in test mode, then
files and outcomes are compared; any difference ends the run before it changes anything. The real pass runs
the same compiled chunks, within the limits of `guard.py`.
Errors: PlanRefused.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from salt_g import api
from salt_g.errors import PlanRefused
from salt_g.formats import salturl
from salt_g.services.protocols import FileAccess
from salt_g.shapes import LowChunk, Running, low_tag
from salt_g.shapes.plans import PlanDocument
from salt_g.state.compile.compiler import Compiled
from salt_g.state.plan.differences import name_of, of_lows, of_maps, of_outcomes, refusal
from salt_g.state.plan.digests import Digests, leaves_of
from salt_g.state.plan.document import check, chunk_of, make_document, pillar_digests
from salt_g.state.plan.guard import Guard, GuardedCaller, NotingCaller


class RunPass(Protocol):
    """Function that runs compiled chunks once, see `StateEngine.run_pass`."""

    def __call__(self, compiled: Compiled, **options: Any) -> Running:
        """Run the chunks and return their results."""


class Recording:
    """Test run from which a plan is made; `document` returns the plan afterwards."""

    def __init__(self, digests: Digests, *, plan: str, id: str) -> None:
        self._digests = digests
        self._plan = plan
        self._id = id
        self._seen: _Seen | None = None

    def run(self, compiled: Compiled, run_pass: RunPass) -> Running:
        """Return the results of the test run."""
        lows = copy.deepcopy(_lows(compiled))
        _use_sources(lows)
        pillar = api.current().pillar
        running, caller = _noted_pass(compiled, run_pass)
        _use_directories(lows, caller.after)
        self._seen = _Seen(lows, running, caller, pillar)
        return running

    def document(self, files: Mapping[str, str]) -> PlanDocument | None:
        """Return the plan, or None if nothing ran; `files` are the files that the run used."""
        seen = self._seen
        if seen is None:
            return None
        return make_document(
            self._digests,
            plan=self._plan,
            id=self._id,
            lows=seen.lows,
            running=seen.running,
            hidden=seen.caller.hidden,
            after=seen.caller.after,
            pillar=seen.pillar,
            files=files,
        )


class Applying:
    """Run that applies a plan; the constructor checks its document."""

    def __init__(
        self, digests: Digests, document: PlanDocument, *, id: str, accept_opaque: bool = False
    ) -> None:
        check(document, digests, id=id)
        commands = [chunk["opaque"] for chunk in document["chunks"] if chunk["opaque"]]
        if commands and not accept_opaque:
            raise PlanRefused(
                f"{id}: not applied, {len(commands)} of {len(document['chunks'])} cannot report what"
                f" they change ({'; '.join(commands[:5])}{'; …' if len(commands) > 5 else ''}):"
                " accept that with --accept-opaque (accept_opaque=True)"
            )
        self._digests = digests
        self._document = document
        self.used: Mapping[str, str] = {}
        self._files: FileAccess | None = None

    def use(self, files: FileAccess, used: Mapping[str, str]) -> None:
        """Set the file access of the run, and the record of the files that it uses."""
        self._files, self.used = files, used

    def run(self, compiled: Compiled, run_pass: RunPass) -> Running:
        """Return the results of the real pass; raise PlanRefused, before any change, if anything differs."""
        self._compare_chunks(_lows(compiled))
        _use_sources(_lows(compiled))
        with _restored(compiled):
            running, caller = _noted_pass(compiled, run_pass, is_trial=True)
        _use_directories(_lows(compiled), caller.after)
        self._compare_outcomes(_lows(compiled), running, caller)
        guard = Guard(self._document, self._digests)
        real = api.current().with_opts(test=False)
        assert self._files is not None
        with api.use(real), self._files.noting_use(dict(self.used)):
            return run_pass(compiled, make_caller=partial(GuardedCaller, guard=guard), may_run=guard.may_run)

    def _compare_chunks(self, lows: Mapping[str, LowChunk]) -> None:
        """Compare pillar and the compiled chunks with the plan; raise PlanRefused if they differ."""
        pillar = pillar_digests(self._digests, api.current().pillar)
        differing = list(of_lows(self._document, dict(self._digests_of(lows))))
        differences = [*of_maps(self._document["pillar"], pillar, "pillar "), *differing]
        if differences:
            raise refusal(self._document, [*self._changed_files(), *differences], len(differing))

    def _compare_outcomes(self, lows: Mapping[str, LowChunk], running: Running, caller: NotingCaller) -> None:
        """Compare the results and files of the test run with the plan; raise PlanRefused if they differ."""
        present = [
            chunk_of(
                self._digests,
                tag,
                lows.get(tag),
                caller.hidden.get(tag, ret),
                after=caller.after.get(tag, ()),
            )
            for tag, ret in running.items()
        ]
        differing = list(of_outcomes(self._document, present))
        missing = set(self._document["files"]) - set(self._present_files())
        unused = [f"{name} is no longer used" for name in sorted(missing)]
        differences = [*self._changed_files(), *unused, *differing]
        if differences:
            raise refusal(self._document, differences, len(differing))

    def _digests_of(self, lows: Mapping[str, LowChunk]) -> Iterator[tuple[str, tuple[str, str]]]:
        for tag, low in lows.items():
            digest = self._digests.of(low)
            yield self._digests.of(tag), (digest, name_of(f"{low['state']}.{low['fun']}", str(low["name"])))

    def _present_files(self) -> dict[str, str]:
        return {url: self._digests.of(url, found) for url, found in self.used.items()}

    def _changed_files(self) -> list[str]:
        """Return a line for each file used so far that differs from the plan."""
        present, planned = self._present_files(), self._document["files"]
        return list(of_maps({url: planned[url] for url in present if url in planned}, present, ""))


class _Seen(NamedTuple):
    """Inputs and results of the test run of a recording."""

    lows: Mapping[str, LowChunk]
    running: Running
    caller: NotingCaller
    pillar: Mapping[str, Any]


def _noted_pass(compiled: Compiled, run_pass: RunPass, **options: Any) -> tuple[Running, NotingCaller]:
    """Run chunks in test mode; return the results and the caller, which has the unmasked returns."""
    callers: list[NotingCaller] = []
    needs = {
        node.tag: {other.tag: kinds for other, kinds in node.needs.items()}
        for node in compiled.nodes
        if not node.is_preview
    }

    def make_caller(*args: Any, **parts: Any) -> NotingCaller:
        callers.append(NotingCaller(*args, needs=needs, **parts))
        return callers[-1]

    return run_pass(compiled, make_caller=make_caller, **options), callers[-1]


def _lows(compiled: Compiled) -> dict[str, LowChunk]:
    return {low_tag(node.low): node.low for node in compiled.nodes if not node.is_preview}


def _use_sources(lows: Mapping[str, LowChunk]) -> None:
    """Record the use of the `salt://` files that chunks name, because test mode does not fetch them all."""
    files = api.services().files
    for low in lows.values():
        for url, saltenv in _sources_of(low):
            files.hash_file(url, saltenv)


def _use_directories(lows: Mapping[str, LowChunk], after: Mapping[str, Sequence[str]]) -> None:
    """Record all files of `file.recurse` chunks that depend on others as used; test mode may use none."""
    files = api.services().files
    for tag in after:
        low = lows.get(tag)
        if low is None or (low["state"], low["fun"]) != ("file", "recurse"):
            continue
        for url, saltenv in _sources_of(low):
            parts = salturl.parse(url)
            saltenv = parts.saltenv or saltenv
            for path in files.list_files(saltenv, f"{parts.path.rstrip('/')}/"):
                files.hash_file(salturl.create(path), saltenv)


def _sources_of(low: LowChunk) -> Iterator[tuple[str, str]]:
    """Yield the `salt://` URLs in the arguments of a chunk, each with its environment."""
    saltenv = str(low.get("saltenv") or low.get("__env__") or "base")
    return ((value, saltenv) for _, value in leaves_of(low) if salturl.is_salt_url(value))


@contextlib.contextmanager
def _restored(compiled: Compiled) -> Iterator[None]:
    """Restore the chunks after the block, because a run marks those whose work another chunk has done."""
    kept = [(node.low, copy.deepcopy(node.low)) for node in compiled.nodes]
    yield
    for low, before in kept:
        low.clear()  # type: ignore[attr-defined]
        low.update(before)
