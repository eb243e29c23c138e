"""`salt-g cmd -b`: output of a job that runs in batches.

A salt-g master runs the batch, and continues if this command ends. With a stock master, this command runs
the batch.
Source: texts are stock's; the exit code is the highest return code, as in stock.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from salt_g.cli import exit_codes, printing
from salt_g.cli.cmd import return_output
from salt_g.cli.stdio import notices
from salt_g.client.batch_link import first_step, follow_batch, start_batch
from salt_g.client.batch_window import Batch, BatchStep, run_batch
from salt_g.client.publishing import NO_MINIONS
from salt_g.client.return_collector import NO_ANSWER, NOT_CONNECTED, Return
from salt_g.errors import MasterUnreachable

if TYPE_CHECKING:
    from salt_g.cli.cmd.job_request import JobCall
    from salt_g.cli.end_record import EndRecord
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import Answers


def run(call: JobCall) -> int:
    """Run the job in batches and print its progress; return the exit code."""
    job, options, opts, client, extra, record = call
    rules = Batch(options.batch, options.batch_wait, bool(opts["failhard"]))
    jid = start_batch(client, job, rules, extra)
    record.begin(jid=jid, fun=job.fun, target=job.tgt)
    if options.is_async:
        return _report_detached(jid, opts, first_step(client, jid) if jid else None)
    show = _BatchPrinter(options, opts, record)
    try:
        for one in follow_batch(client, jid) if jid else run_batch(client, job, rules, **extra):
            show.one(one)
    except KeyboardInterrupt:
        print(_interrupted(jid), file=sys.stderr)
        return exit_codes.FAILED
    except MasterUnreachable as exc:
        if not jid:
            raise
        from salt_g.cli.cmd import lost_master

        raise MasterUnreachable(f"{exc} {lost_master.of_batch(jid, opts, extra)}") from exc
    return show.end()


def _report_detached(jid: str, opts: Opts, first: BatchStep | None) -> int:
    """Print the jid of a batch, or why the batch ended at once; return the exit code."""
    if not jid:
        print("--async with --batch needs a salt-g master, which runs batches itself", file=sys.stderr)
        return exit_codes.USAGE
    if first is not None and first.found == ([], []):
        print(NO_MINIONS, file=notices(opts))
        printing.present_nothing(opts)
        return exit_codes.NOBODY
    if first is not None and first.halted:
        print(f"Batch run stopped: {first.halted}", file=sys.stderr)
        return exit_codes.FAILED
    if notices(opts) is sys.stderr:
        return printing.present({"jid": jid}, None, opts)
    print(f"Executed batch command with job ID: {jid}")
    return exit_codes.OK


def _interrupted(jid: str) -> str:
    if jid:
        how = f"To keep further minions from starting:\n\nsalt-g run batch.stop {jid}"
        return f"{return_output.interrupted(jid, None)}\n\n{how}"
    return "\nExiting gracefully on Ctrl-c\nNo further minions get the job."


class _BatchPrinter:
    """Printer of batch steps; collects the results for the final summary and exit code."""

    def __init__(self, options: argparse.Namespace, opts: Opts, record: EndRecord) -> None:
        self._record = record
        self._opts = opts
        self._is_static = options.static
        self._notices = notices(opts)
        self._with_jid = options.verbose or opts["show_jid"]
        self._values: Answers = {}
        self._worst = 0
        self._unwritten = 0
        self._silent: list[str] = []

    def one(self, one: Return | BatchStep) -> None:
        """Print a return or a step."""
        if isinstance(one, Return):
            self._returned(one)
        elif one.found is not None:
            self._found(*one.found)
        elif one.started:
            self._print(f"\nExecuting run on {sorted(one.started)}\n")
        elif one.silent:
            self._add_silent(one.silent, NO_ANSWER)
            print(f"Minion '{one.silent}' failed to respond to job sent", file=self._notices)
        elif one.halted:
            print(f"Batch run stopped: {one.halted}", file=sys.stderr)

    def end(self) -> int:
        """Print the remaining results; return the exit code."""
        if not (self._values or self._silent):
            print("ERROR: No return received", file=sys.stderr)
            printing.present_nothing(self._opts)
            return exit_codes.NOBODY
        if self._is_static:
            self._unwritten = printing.present(self._values, None, self._opts)
        return self._worst or self._unwritten or (exit_codes.FAILED if self._silent else exit_codes.OK)

    def _found(self, there: list[str], down: list[str]) -> None:
        self._record.expect(there)
        if not (there or down):
            print(NO_MINIONS, file=self._notices)
        for id in down:
            self._add_silent(id, NOT_CONNECTED)
            print(f"Minion {id} did not respond. No job will be sent.", file=self._notices)

    def _add_silent(self, id: str, verdict: str) -> None:
        self._silent.append(id)
        self._record.silent(id, verdict)

    def _returned(self, one: Return) -> None:
        value = one.data["return"]
        self._record.returned(one.id, value, one.retcode)
        self._values[one.id] = value
        self._worst = max(self._worst, one.retcode)
        if self._is_static:
            return
        shown = {"jid": one.data.get("jid"), one.id: value, "retcode": one.data.get("retcode", 0)}
        code = printing.present(shown, one.data.get("out"), self._opts, retcode=one.retcode)
        self._unwritten = self._unwritten or code

    def _print(self, text: str) -> None:
        if not self._is_static:
            print(text, file=self._notices, flush=True)
