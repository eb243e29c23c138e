"""`salt-g cmd TARGET FUNCTION`, and the short form `salt-g TARGET FUNCTION`: run a function on minions.

Stock's `salt`. The steps: arguments, settings, connection to the master, publish, print returns as they
arrive, verdict on each expected minion, exit code. Only required modules are imported, so that a simple
command starts without a noticeable delay.
"""

from __future__ import annotations

import argparse
import gc
import sys
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings, error_report, exit_codes, saltfile
from salt_g.cli.cmd.cmd_options import build_parser, overrides
from salt_g.cli.cmd.job_output import JobOutput
from salt_g.cli.cmd.job_request import (
    JobCall,
    MissingArguments,
    documentation_words,
    function_and_arguments,
    why_malformed,
)
from salt_g.cli.end_record import CannotRecord, EndRecord
from salt_g.cli.options import explained
from salt_g.cli.stdio import notices
from salt_g.cli.target_options import target_of
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import NO_MINIONS, JobRequest, KeptOrder
from salt_g.errors import SaltGError

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ClientFields


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    # A command ends long before cyclic garbage matters.
    gc.disable()
    parser = build_parser()
    options, rest = saltfile.split(parser, words, "salt")
    if options.args_stdin:
        rest += sys.stdin.read().splitlines()
    if options.explain:
        rest = [*rest[:1], *explained(parser, rest[1:])]
    try:
        return _run_recorded(options, rest, parser, EndRecord(options.out_record))
    except CannotRecord as exc:
        return error_report.fail(parser.prog, exc)


def _run_recorded(
    options: argparse.Namespace, words: list[str], parser: argparse.ArgumentParser, record: EndRecord
) -> int:
    """Run the command and fill its end record; print errors; return the exit code."""
    with record.writing() as ending:
        try:
            ending.code = _run(options, words, parser, record)
        except MissingArguments as exc:
            print(exc, file=sys.stderr)
            ending.code, ending.error = exit_codes.WORDS_MISSING, str(exc).strip()
        except SaltGError as exc:
            ending.error = str(exc)
            ending.code = error_report.fail(parser.prog, exc, crashes=options.hard_crash)
    return ending.code


def _run(
    options: argparse.Namespace, words: list[str], parser: argparse.ArgumentParser, record: EndRecord
) -> int:
    opts = client_settings.load(options, overrides(options), asks_for_id=False)
    if opts.get("output") == "progress":
        options.progress = True
    if options.config_dump:
        return _dump(opts, options)
    if options.doc:
        if len([word for word in words[1:] if word != "sys.doc"]) > 1:
            parser.error("You can only get documentation for one method at one time.")
        # `salt-g mastr -d` is a mistyped daemon, `salt-g web1 -d` asks for documentation.
        if len(words) == 1 and _is_mistyped_subcommand(words[0]):
            return exit_codes.USAGE
        words = documentation_words(words)
    if not words or (len(words) == 1 and not options.preview_target):
        if not words or not _is_mistyped_subcommand(words[0]):
            print(parser.format_help(), end="")
            print("\nIncomplete options passed.\n", file=sys.stderr)
        return exit_codes.WORDS_MISSING
    if options.when_back and (options.batch or options.subset > 0 or options.despite_lock):
        parser.error("--when-back cannot be combined with --batch, --subset or --despite-lock")
    if options.rollout or options.check or options.soak or options.stop_at or options.undo:
        from salt_g.cli.cmd.rollout_output import check_options

        check_options(options, parser)
    with JobClient(opts) as client:
        command = _Command(options, opts, client, record)
        target = target_of(words[0], options.tgt_type)
        if options.preview_target:
            return command.preview(target)
        return command.run(_job(options, target, words[1:]))


def _is_mistyped_subcommand(word: str) -> bool:
    """Return whether a lone target resembles a subcommand (`salt-g ky -L`); print suggestions."""
    from salt_g.cli import dispatch, suggestions

    similar = suggestions.subcommands(word, dispatch.SUBCOMMANDS)
    for name in similar:
        text = f"there is no subcommand {word!r}: did you mean {name}? (a minion needs a function)"
        print(f"salt-g: {text}", file=sys.stderr)
    return bool(similar)


def _job(options: argparse.Namespace, target: Any, words: list[str]) -> JobRequest:
    fun, arg = function_and_arguments(
        words, separator=options.args_separator, unparsed=options.no_parse.split(",")
    )
    return JobRequest(target, fun, arg, options.tgt_type, options.ret)


class _Command:
    """Invocation of `salt-g cmd`, with the options, settings and client that all steps need."""

    def __init__(self, options: argparse.Namespace, opts: Opts, client: JobClient, record: EndRecord) -> None:
        self._record = record
        self._options = options
        self._opts = opts
        self._client = client
        self._output = JobOutput(options, opts, client, record)
        self._notices = notices(opts)

    def preview(self, target: Any) -> int:
        """Print the targeted minions; return the exit code."""
        ids = self._client.preview(target, self._options.tgt_type, self._options.delimiter)
        return self._output.present(ids) or (exit_codes.OK if ids else self._output.nothing())

    def run(self, job: JobRequest) -> int:
        """Publish the job and print its returns; return the exit code."""
        extra = self._extra()
        call = JobCall(job, self._options, self._opts, self._client, extra, self._record)
        if self._options.save:
            from salt_g.cli.cmd.plan_save import run as run_planned

            return run_planned(call)
        if self._options.rollout:
            from salt_g.cli.cmd.rollout_output import run as run_rollout

            return run_rollout(call)
        if self._is_batch(job):
            from salt_g.cli.cmd.batch_output import run

            return run(call)
        if self._options.subset > 0:
            job = self._client.subset(job, self._options.subset, **extra)
        published = self._client.publish(job, listen=not self._options.is_async, **extra)
        if published is None:
            return self._matched_nobody(job)
        if published.kept is not None:
            print(_kept(published.kept, len(published.minions)), file=self._notices)
            if not published.minions:
                return self._output.present({}) if self._notices is sys.stderr else exit_codes.OK
        self._record.begin(jid=published.jid, fun=job.fun, target=job.tgt, minions=published.minions)
        if self._options.is_async:
            return self._detach(published.jid)
        return self._output.follow(job.fun, published)

    def _detach(self, jid: str) -> int:
        if self._notices is sys.stderr:
            return self._output.present({"jid": jid})
        print(f"Executed command with job ID: {jid}")
        return exit_codes.OK

    def _is_batch(self, job: JobRequest) -> bool:
        limit, size = self._batch_safety()
        if self._options.batch or limit <= 1 or self._options.when_back:
            return bool(self._options.batch)
        ids = self._client.preview(job.tgt, job.tgt_type, self._options.delimiter)
        if len(ids) < limit:
            return False
        print("\nNOTICE: Too many minions targeted, switching to batch execution.", file=self._notices)
        self._options.batch = size
        return True

    def _batch_safety(self) -> tuple[int, str]:
        """Return the number of minions from which a job becomes a batch (0: never), and the batch size."""
        options, opts = self._options, self._opts
        limit = opts.get("batch_safe_limit") if options.batch_safe_limit is None else options.batch_safe_limit
        return int(limit or 0), str(options.batch_safe_size or opts.get("batch_safe_size") or 8)

    def _extra(self) -> ClientFields:
        """Return the job's fields other than function and arguments."""
        options = self._options
        extra: ClientFields = {"delimiter": options.delimiter}
        if options.when_back:
            extra["when_back"] = options.when_back
        if options.all_at_once:
            extra["all_at_once"] = True
        if options.despite_lock:
            extra["despite_lock"] = options.despite_lock
        if options.return_config:
            extra["ret_config"] = options.return_config
        for name in ("return_kwargs", "module_executors", "executor_opts", "metadata"):
            if getattr(options, name):
                from salt_g.loader.arguments import read_value

                extra["ret_kwargs" if name == "return_kwargs" else name] = read_value(getattr(options, name))
        if options.start_event:
            extra["start_event"] = True
        if options.eauth or options.mktoken:
            from salt_g.cli.cmd.login import credentials

            extra.update(credentials(options, self._opts, self._client.link))
        return extra

    def _matched_nobody(self, job: JobRequest) -> int:
        """Report why a target matches no minions, for example because it is malformed or keys are pending."""
        from salt_g.cli import suggestions

        print(NO_MINIONS, file=self._notices)
        why = why_malformed(job, self._options, self._opts) or suggestions.unaccepted(
            job.tgt, job.tgt_type, str(self._opts["pki_dir"])
        )
        if not why:
            return self._output.nothing(job.fun)
        print(f"salt-g cmd: {why}", file=sys.stderr)
        if self._notices is sys.stderr:
            self._output.present({})
        return exit_codes.NOBODY


def _kept(kept: KeptOrder, running: int) -> str:
    """Return the message about minions that are away, for which the mailbox keeps the job."""
    from salt_g.data.moments import shown_time  # Imported lazily: for the mailbox only.

    until = shown_time(kept.until)
    if not kept.minions:
        return f"{running} run now, none is away"
    verb = "is" if len(kept.minions) == 1 else "are"
    return f"{running} run now, {len(kept.minions)} {verb} away: kept until {until} (order {kept.order})"


def _dump(opts: Opts, options: argparse.Namespace) -> int:
    if options.output:
        from salt_g.cli import printing

        return printing.present(opts, None, opts)
    from salt_g.formats import yaml_dump

    print(yaml_dump.dump(dict(opts), default_flow_style=False), end="")
    return exit_codes.OK
