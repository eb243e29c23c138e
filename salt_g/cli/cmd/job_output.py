"""Output of a job on minions, while the job runs and when it ends.

Shared by `cmd` and `attach`: returns as they arrive, live steps, a verdict on each expected minion, exit
code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.cli import exit_codes
from salt_g.cli.cmd import return_output
from salt_g.cli.cmd.return_output import ReturnOutput
from salt_g.cli.end_record import EndRecord
from salt_g.cli.stdio import notices
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import Published
from salt_g.errors import MasterUnreachable

if TYPE_CHECKING:
    from salt_g.client.jobs import EarlierReturns
    from salt_g.shapes import Opts
    from salt_g.shapes.steps import StepEvent

#: Printed on standard error if no minion returned; stock's text.
_NOTHING = "ERROR: No return received"
#: Printed on standard error if no minion returned documentation (`-d`); stock's text.
_NO_DOCS = "No minions found to gather docs from"
_FAILED = "ERROR: Minions returned with non-zero exit code"
#: Outputter of state runs.
_STATES = "highstate"


class JobOutput:
    """Output of one job. `options` include those of `cmd_options.add_following` and `add_output`."""

    def __init__(
        self, options: argparse.Namespace, opts: Opts, client: JobClient, record: EndRecord | None = None
    ) -> None:
        self._record = record or EndRecord(None)
        self._options = options
        self._opts = opts
        self._client = client
        self._unwritten = exit_codes.OK
        self._notices = notices(opts)

    def follow(
        self, fun: str | Sequence[str], published: Published, earlier: EarlierReturns | None = None
    ) -> int:
        """Print the returns of a published job, including the `earlier` ones; return the exit code."""
        minions: dict[str, ReturnOutput] = {}
        try:
            if self._options.verbose:
                print(return_output.title(published.jid), file=self._notices, flush=True)
            elif self._opts["show_jid"]:
                print(f"jid: {published.jid}", file=self._notices, flush=True)
            for id, one in self._results(fun, published, earlier):
                minions[id] = one
                self._print_one(fun, id, one)
        except KeyboardInterrupt:
            print(return_output.interrupted(published.jid, self._client.watch), file=sys.stderr)
            return exit_codes.FAILED
        except MasterUnreachable as exc:
            from salt_g.cli.cmd import lost_master

            raise MasterUnreachable(f"{exc} {lost_master.of_job(published.jid, self._opts)}") from exc
        return self._end(fun, minions)

    def _results(
        self, fun: str | Sequence[str], published: Published, earlier: EarlierReturns | None
    ) -> Iterator[tuple[str, ReturnOutput]]:
        """Yield (id, result) of each minion once, on its return, or at the end if it did not return."""
        from salt_g.cli import progress, step_output

        way = step_output.way_of(self._options.steps, fun, self._opts)
        asked = bool(self._options.progress)
        with progress.job_line(len(published.minions), asked=asked, way=way) as line:
            on_steps = _printing(published.jid) if way == step_output.JSON else None
            for returned in self._client.collect(
                published, pause=line.pause, earlier=earlier, on_steps=on_steps
            ):
                if returned is not None:
                    line.clear()
                    one = return_output.shown(returned)
                    self._record.returned(returned.id, one.value, one.retcode)
                    yield returned.id, one
                line.show(self._client.watch)
        assert self._client.watch is not None
        watch = self._client.watch
        known = self._client.absences(published.jid, list(watch.absent()))
        for id, one in return_output.silent(watch, known):
            self._record.silent(id, watch.verdict(id), known.get(id))
            yield id, one

    def _print_one(self, fun: str | Sequence[str], id: str, one: ReturnOutput) -> None:
        if fun == "sys.doc" or self._options.static:
            return
        if self._options.progress and self._notices is not sys.stderr:
            return
        if self._options.resources_block and one.outputter == _STATES:
            return
        if one.is_silent and not self._opts["show_timeout"]:
            return
        self.present({id: one.value}, one)

    def _end(self, fun: str | Sequence[str], minions: Mapping[str, ReturnOutput]) -> int:
        """Print the summary; return the exit code."""
        if fun == "sys.doc":
            return self._documentation(minions)
        if not minions:
            return self.nothing()
        if self._options.resources_block:
            self._blocks(minions)
        elif self._options.static:
            self.present({id: minions[id].value for id in sorted(minions)}, _of_one_outputter(minions))
        wants_summary = self._opts["cli_summary"] and self._opts.get("output") is None
        if self._options.progress or wants_summary:
            text = return_output.summary(minions, self._client.watch, verbose=self._options.verbose)
            print(text, file=self._notices)
        has_failed = any(one.retcode for one in minions.values())
        if has_failed:
            print(_FAILED, file=sys.stderr)
            self._hint(fun, minions)
        for line in return_output.places(minions):
            print(line, file=sys.stderr)
        return exit_codes.FAILED if has_failed else self._unwritten

    def _hint(self, fun: str | Sequence[str], minions: Mapping[str, ReturnOutput]) -> None:
        """Suggest similar functions if minions report the function as missing."""
        from salt_g.cli import suggestions

        for line in suggestions.hints(fun, (one.value for one in minions.values()), self._opts):
            print(line, file=sys.stderr)

    def _blocks(self, minions: Mapping[str, ReturnOutput]) -> None:
        """Print state runs, merging the runs of resources with those of their minions."""
        runs = {id: one for id, one in minions.items() if one.outputter == _STATES}
        together = return_output.blocks(runs)
        for id, one in runs.items():
            if id not in together and not one.manager:
                self.present({id: one.value}, one)
        for id, block in together.items():
            self.present({id: block}, ReturnOutput(block, _STATES))

    def _documentation(self, minions: Mapping[str, ReturnOutput]) -> int:
        docs = return_output.documentation(one.value for one in minions.values())
        for name, text in docs.items():
            if self._opts.get("output"):
                self.present({name: text})
            else:
                print(f"{name}:\n{text}\n")
        return self._unwritten if docs else self.nothing("sys.doc")

    def present(self, data: Any, one: ReturnOutput | None = None) -> int:
        """Print data, with the outputter and retcode of the minion's result `one`; return the exit code."""
        from salt_g.cli import printing

        code = printing.present(
            data,
            one.outputter if one else None,
            self._opts,
            retcode=one.retcode if one else 0,
            plugins=_users_outputters(self._opts),
        )
        self._unwritten = self._unwritten or code
        return code

    def nothing(self, fun: str | Sequence[str] = "") -> int:
        """Report that no minion returned; return the exit code."""
        print(_NO_DOCS if fun == "sys.doc" else _NOTHING, file=sys.stderr)
        if self._notices is sys.stderr:
            self.present({})
        return exit_codes.NOBODY


def _of_one_outputter(minions: Mapping[str, ReturnOutput]) -> ReturnOutput | None:
    """Return the first result if all results have the same outputter."""
    kinds = {one.outputter for one in minions.values()}
    return next(iter(minions.values())) if len(kinds) == 1 else None


def _users_outputters(opts: Opts) -> Mapping[str, Any] | None:
    """Return the user's outputters if one of them was requested."""
    from salt_g.output import registry

    if not opts.get("output") or opts["output"] in registry.names():
        return None
    from salt_g.loader import Loader

    return Loader(dict(opts)).table("outputters")


def _printing(jid: str) -> Callable[[str, StepEvent], None]:
    from salt_g.cli import step_output

    return lambda id, event: step_output.print_event(event, jid=jid, id=id)
