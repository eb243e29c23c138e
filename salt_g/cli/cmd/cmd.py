"""`salt-g cmd TARGET FUNCTION`, and the short form `salt-g TARGET FUNCTION`: run a function on minions.

Stock's `salt`. The steps: arguments, settings, connection to the master, publish, print returns as they
arrive, verdict on each expected minion, exit code. Only required modules are imported, so that a simple
command starts without a noticeable delay.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.cli import client_settings, error_report, exit_codes, saltfile
from salt_g.cli.cmd import return_output
from salt_g.cli.cmd.cmd_options import build_parser, overrides
from salt_g.cli.cmd.job_request import MissingArguments, documentation_words, function_and_arguments
from salt_g.cli.cmd.return_output import ReturnOutput
from salt_g.cli.end_record import CannotRecord, EndRecord
from salt_g.cli.options import explained
from salt_g.cli.stdio import notices
from salt_g.cli.target_options import target_of
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import NO_MINIONS, JobRequest, Published
from salt_g.errors import MasterUnreachable, SaltGError, TargetError

if TYPE_CHECKING:
    from salt_g.shapes import Opts
    from salt_g.shapes.loads import ClientFields

#: Printed on standard error if no minion returned; stock's text.
_NOTHING = "ERROR: No return received"
#: Same for documentation (`-d`).
_NO_DOCS = "No minions found to gather docs from"
_FAILED = "ERROR: Minions returned with non-zero exit code"
#: Outputter of state runs.
_STATES = "highstate"


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
    """Run the command and write its record; print errors."""
    code, error = exit_codes.FAILED, ""
    try:
        code = _run(options, words, parser, record)
    except MissingArguments as exc:
        print(exc, file=sys.stderr)
        code, error = exit_codes.WORDS_MISSING, str(exc).strip()
    except SaltGError as exc:
        error = str(exc)
        code = error_report.fail(parser.prog, exc, crashes=options.hard_crash)
    finally:
        record.write(code, error)
    return code


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
        # `salt-g mastr -d` wants a daemon, `salt-g web1 -d` documentation.
        if len(words) == 1 and _is_mistyped_subcommand(words[0]):
            return exit_codes.USAGE
        words = documentation_words(words)
    if not words or (len(words) == 1 and not options.preview_target):
        if not words or not _is_mistyped_subcommand(words[0]):
            print(parser.format_help(), end="")
            print("\nIncomplete options passed.\n", file=sys.stderr)
        return exit_codes.WORDS_MISSING
    with JobClient(opts) as client:
        command = _Command(options, opts, client, record)
        target = target_of(words[0], options.tgt_type)
        if options.preview_target:
            return command.preview(target)
        return command.run(_job(options, target, words[1:]))


def _is_mistyped_subcommand(word: str) -> bool:
    """Return whether a target without a function resembles a subcommand (`salt-g ky -L`); suggest that."""
    from salt_g.cli import suggestions

    similar = suggestions.subcommands(word)
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
    """One run of the command: the options, settings and client that each step needs."""

    def __init__(self, options: argparse.Namespace, opts: Opts, client: JobClient, record: EndRecord) -> None:
        self._record = record
        self._options = options
        self._opts = opts
        self._client = client
        self._unwritten = exit_codes.OK
        self._notices = notices(opts)

    def preview(self, target: Any) -> int:
        """Print the targeted minions."""
        ids = self._client.preview(target, self._options.tgt_type, self._options.delimiter)
        return self._present(ids) or (exit_codes.OK if ids else self._nothing())

    def run(self, job: JobRequest) -> int:
        """Publish the job and print its returns."""
        extra = self._extra()
        if self._is_batch(job):
            from salt_g.cli.cmd.batch_output import run

            return run(job, self._options, self._opts, self._client, extra, self._record)
        if self._options.subset > 0:
            job = self._client.subset(job, self._options.subset, **extra)
        published = self._client.publish(job, listen=not self._options.is_async, **extra)
        if published is None:
            return self._matched_nobody(job)
        self._record.begin(jid=published.jid, fun=job.fun, target=job.tgt, minions=published.minions)
        if self._options.is_async:
            return self._detach(published.jid)
        return self._follow(job, published)

    def _detach(self, jid: str) -> int:
        if self._notices is sys.stderr:
            return self._present({"jid": jid})
        print(f"Executed command with job ID: {jid}")
        return exit_codes.OK

    def _is_batch(self, job: JobRequest) -> bool:
        if self._options.batch or self._options.batch_safe_limit <= 1:
            return bool(self._options.batch)
        ids = self._client.preview(job.tgt, job.tgt_type, self._options.delimiter)
        if len(ids) < self._options.batch_safe_limit:
            return False
        print("\nNOTICE: Too many minions targeted, switching to batch execution.", file=self._notices)
        self._options.batch = self._options.batch_safe_size
        return True

    def _extra(self) -> ClientFields:
        """Return the job's fields other than function and arguments."""
        options = self._options
        extra: ClientFields = {"delimiter": options.delimiter}
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

    def _follow(self, job: JobRequest, published: Published) -> int:
        """Print the returns of a published job; return the exit code."""
        minions: dict[str, ReturnOutput] = {}
        try:
            if self._options.verbose:
                print(return_output.title(published.jid), file=self._notices, flush=True)
            elif self._opts["show_jid"]:
                print(f"jid: {published.jid}", file=self._notices, flush=True)
            for id, one in self._results(published):
                minions[id] = one
                self._print_one(job, id, one)
        except KeyboardInterrupt:
            print(return_output.interrupted(published.jid, self._client.watch), file=sys.stderr)
            return exit_codes.FAILED
        except MasterUnreachable as exc:
            raise MasterUnreachable(f"{exc} {return_output.later(published.jid)}") from exc
        return self._end(job, minions)

    def _results(self, published: Published) -> Iterator[tuple[str, ReturnOutput]]:
        """Yield each minion once: on its return, or at the end if it did not return."""
        from salt_g.cli import progress

        asked = bool(self._options.progress)
        with progress.minions_line(len(published.minions), asked=asked) as line:
            for returned in self._client.collect(published, pause=line.pause):
                if returned is not None:
                    line.clear()
                    one = return_output.shown(returned)
                    self._record.returned(returned.id, one.value, one.retcode)
                    yield returned.id, one
                line.show(self._client.watch)
        assert self._client.watch is not None
        for id, one in return_output.silent(self._client.watch):
            self._record.silent(id, self._client.watch.verdict(id))
            yield id, one

    def _print_one(self, job: JobRequest, id: str, one: ReturnOutput) -> None:
        if job.fun == "sys.doc" or self._options.static:
            return
        if self._options.progress and self._notices is not sys.stderr:
            return
        if self._options.resources_block and one.outputter == _STATES:
            return
        if one.is_silent and not self._opts["show_timeout"]:
            return
        self._present({id: one.value}, one)

    def _end(self, job: JobRequest, minions: Mapping[str, ReturnOutput]) -> int:
        """Print the summary; return the exit code."""
        if job.fun == "sys.doc":
            return self._documentation(minions)
        if not minions:
            return self._nothing()
        if self._options.resources_block:
            self._blocks(minions)
        elif self._options.static:
            self._present({id: minions[id].value for id in sorted(minions)}, _of_one_outputter(minions))
        wants_summary = self._opts["cli_summary"] and self._opts.get("output") is None
        if self._options.progress or wants_summary:
            text = return_output.summary(minions, self._client.watch, verbose=self._options.verbose)
            print(text, file=self._notices)
        if any(one.retcode for one in minions.values()):
            print(_FAILED, file=sys.stderr)
            self._hint(job, minions)
            for line in return_output.places(minions):
                print(line, file=sys.stderr)
            return exit_codes.FAILED
        return self._unwritten

    def _hint(self, job: JobRequest, minions: Mapping[str, ReturnOutput]) -> None:
        """Suggest similar functions for one that minions do not have."""
        from salt_g.cli import suggestions

        for line in suggestions.hints(job.fun, (one.value for one in minions.values()), self._opts):
            print(line, file=sys.stderr)

    def _blocks(self, minions: Mapping[str, ReturnOutput]) -> None:
        """Print state runs, merging those of resources with those of their minions."""
        runs = {id: one for id, one in minions.items() if one.outputter == _STATES}
        together = return_output.blocks(runs)
        for id, one in runs.items():
            if id not in together and not one.manager:
                self._present({id: one.value}, one)
        for id, block in together.items():
            self._present({id: block}, ReturnOutput(block, _STATES))

    def _documentation(self, minions: Mapping[str, ReturnOutput]) -> int:
        docs = return_output.documentation(one.value for one in minions.values())
        for name, text in docs.items():
            if self._opts.get("output"):
                self._present({name: text})
            else:
                print(f"{name}:\n{text}\n")
        return self._unwritten if docs else self._nothing("sys.doc")

    def _present(self, data: Any, one: ReturnOutput | None = None) -> int:
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

    def _matched_nobody(self, job: JobRequest) -> int:
        """Report a target without minions: malformed, or its keys are not accepted yet."""
        from salt_g.cli import suggestions

        print(NO_MINIONS, file=self._notices)
        why = self._malformed(job) or suggestions.unaccepted(
            job.tgt, job.tgt_type, str(self._opts["pki_dir"])
        )
        if not why:
            return self._nothing(job.fun)
        print(f"salt-g cmd: {why}", file=sys.stderr)
        if self._notices is sys.stderr:
            self._present({})
        return exit_codes.NOBODY

    def _malformed(self, job: JobRequest) -> str:
        """Return why a malformed target cannot match any minion, or '' if it is well-formed."""
        from salt_g.match.explain import terms_of

        try:
            terms_of(
                job.tgt,
                job.tgt_type,
                delimiter=self._options.delimiter,
                nodegroups=self._opts["nodegroups"],
            )
        except TargetError as exc:
            return str(exc) if str(job.tgt) in str(exc) else f"target {job.tgt!r}: {exc}"
        return ""

    def _nothing(self, fun: str | Sequence[str] = "") -> int:
        print(_NO_DOCS if fun == "sys.doc" else _NOTHING, file=sys.stderr)
        if self._notices is sys.stderr:
            self._present({})
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


def _dump(opts: Opts, options: argparse.Namespace) -> int:
    if options.output:
        from salt_g.cli import printing

        return printing.present(opts, None, opts)
    from salt_g.formats import yaml_dump

    print(yaml_dump.dump(dict(opts), default_flow_style=False), end="")
    return exit_codes.OK
