"""`salt-g impact`: list the minions that read a file, pillar or grain in their last state run."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli import client_settings, durations
from salt_g.cli.fleet.id_ranges import shortened
from salt_g.cli.options import (
    OUTPUT_SETTINGS,
    OptionParser,
    add_authentication,
    add_config,
    add_hard_crash,
    add_logging,
    add_output,
    chooses_output,
    given,
)
from salt_g.errors import CommandExecutionError, InvocationError, MasterUnreachable, SaltGError

if TYPE_CHECKING:
    from salt_g.shapes import Opts

log = logging.getLogger(__name__)

_PROGRAM = "salt-g impact"
#: Name in `file_roots` that stands for every environment, and maximum number of environments named in an
#: error.
_ANY, _NAMED = "__env__", 5
_EPILOG = """\
examples:
  salt-g impact salt://nginx/site.conf.jinja
  salt-g impact pillar:nginx:port grain:os
  salt-g impact function:cmd.run --sls
  salt-g impact --git main..HEAD --repo /srv/salt --root states
  salt-g impact --git main..feature --verify
  salt-g impact --local pillar:nginx

Names: salt://PATH (a file or directory), pillar:KEY:KEY, grain:NAME, function:MODULE.NAME (called in a
template), mine:NAME. --verify runs state.test on the minions that are found, which changes nothing.
Needs `impact: True` in the master's settings; with --local in the minion's.
exit codes: 0 the question is answered, 1 a test run failed or gave no answer, 2 it cannot be answered,
64 wrong usage or settings
"""


def build_parser() -> OptionParser:
    """Return the parser of `salt-g impact`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s NAME ... [options]\n       %(prog)s --git A..B [options]",
        description="Show which minions read a file, pillar or grain in their last state run.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help="what changes, as salt://PATH or pillar:KEY")
    parser.add_argument("--git", metavar="A..B", help="the files that differ between two commits")
    parser.add_argument("--repo", default=".", metavar="DIR", help="the repository (the current directory)")
    parser.add_argument(
        "--root",
        default="",
        metavar="DIR",
        help="its folder that is the root of the file server (gitfs_root)",
    )
    parser.add_argument(
        "--verify", action="store_true", help="run state.test on those minions and count equal outcomes"
    )
    parser.add_argument(
        "--saltenv", default="", metavar="ENV", help="environment of --verify (the branch of --git)"
    )
    parser.add_argument("--sls", action="store_true", help="show in which SLS it is read")
    parser.add_argument(
        "--older",
        type=durations.duration,
        default=7 * 86400.0,
        metavar="TIME",
        help="age of old runs (7d)",
    )
    parser.add_argument(
        "--local", action="store_true", help="this machine's runs without a master (settings of the minion)"
    )
    add_hard_crash(parser)
    add_authentication(parser)
    add_output(parser, has_states=False)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Run the command; return the exit code."""
    parser = build_parser()
    options = parser.mixed(words)
    if not options.names and not options.git:
        parser.error("name what changes: salt://PATH, pillar:KEY, grain:NAME, function:NAME or mine:NAME")
    if options.local and (options.verify or options.git):
        parser.error("--local can only be combined with names")
    try:
        if options.local:
            from salt_g.cli.fleet import impact_local

            return impact_local.run(options)
        from salt_g.report.recording.read_sets import question

        for name in options.names:
            # Check the names here, because the runner's error would add its own usage.
            question(name)
        opts = client_settings.load(options, given(options, *OUTPUT_SETTINGS), asks_for_id=False)
        return _run(opts, options)
    except InvocationError as exc:
        return error_report.fail(_PROGRAM, exc, crashes=options.hard_crash, other=exit_codes.USAGE)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc, crashes=options.hard_crash, other=exit_codes.NOBODY)


def _run(opts: Opts, options: argparse.Namespace) -> int:
    names, saltenv = list(options.names), options.saltenv
    if options.git:
        from salt_g.cli.fleet import impact_git

        found = impact_git.differing(options.repo, options.git)
        impact_git.check_root(options.repo, found, options.root)
        changed = impact_git.names(found, options.root)
        names += changed
        if options.verify and not saltenv:
            saltenv = _environment(opts, found.branch, options.git)
        if not names:
            return _show_nothing(opts, options, others=len(found.paths))
    if options.verify and saltenv:
        _check_served(opts, options, saltenv)
    known = answer(opts, options, names)
    if options.git and not options.root:
        top = str(opts["state_top"])
        if doubt := impact_git.without_root(options.repo, found, known["names"], top):
            print(f"{_PROGRAM}: {doubt}", file=sys.stderr)
    if not options.verify:
        return _show(opts, options, known)
    from salt_g.cli.fleet import impact_verify

    verified = impact_verify.verify(opts, options, known["calls"], saltenv)
    further = impact_verify.lines(verified, saltenv)
    code = _show(opts, options, {**known, "verified": verified.as_map(saltenv)}, further)
    return code or (exit_codes.FAILED if verified.failures or verified.silent else exit_codes.OK)


def _show_nothing(opts: Opts, options: argparse.Namespace, *, others: int) -> int:
    """Report that no file below the root differs, only `others` elsewhere, without asking the master."""
    empty: dict[str, Any] = {
        "minions": None,
        "readers": [],
        "older": [],
        "broad": [],
        "unknown": [],
        "calls": {},
        "names": {},
        **({"sls": {}} if options.sls else {}),
    }
    if _prints_data(opts):
        from salt_g.cli import printing

        return printing.present(empty, None, opts)
    more = f", {others:,} elsewhere in the repository" if others else ""
    print(f"no file of the tree differs in {options.git}{more}")
    return exit_codes.OK


def _environment(opts: Opts, branch: str, span: str) -> str:
    """Return the environment that serves a branch or tag; raise CommandExecutionError if there is none."""
    if not branch:
        raise CommandExecutionError(
            f"--git {span} ends at a commit that no branch or tag names, so that no environment is known:"
            " name the environment to test with --saltenv"
        )
    backends = " ".join(map(str, opts["fileserver_backend"] or ()))
    if "git" not in backends and not {branch, _ANY}.intersection(opts["file_roots"] or {}):
        raise CommandExecutionError(
            f"this master serves no environment {branch!r}: it has no gitfs, and file_roots does not name it;"
            " name another one with --saltenv, or leave out --verify"
        )
    return "base" if branch == opts["gitfs_base"] else branch


def _check_served(opts: Opts, options: argparse.Namespace, saltenv: str) -> None:
    """Raise CommandExecutionError if the master does not serve the environment, as nothing would be tested.

    The check is skipped if the environments cannot be listed, for example because the user may not do that.
    """
    try:
        served = _called(opts, options, "fileserver.envs", [], {})
    except SaltGError as exc:
        log.debug("the environments of the master are not known: %s", exc)
        return
    if isinstance(served, list) and saltenv not in served and _ANY not in (opts["file_roots"] or {}):
        named = ", ".join(map(str, served[:_NAMED])) + (", …" if len(served) > _NAMED else "")
        raise CommandExecutionError(
            f"this master does not serve {saltenv!r} now, only {named or 'none'}: push the branch and"
            " run `salt-g run fileserver.update`, or name another environment with --saltenv"
        )


def answer(opts: Opts, options: argparse.Namespace, names: list[str]) -> dict[str, Any]:
    """Return the result of the runner `impact.readers`; raise SaltGError if it fails."""
    found = _called(opts, options, "impact.readers", names, {"older": options.older, "by_sls": options.sls})
    if not isinstance(found, dict):
        raise CommandExecutionError(str(found))
    return found


def _called(
    opts: Opts, options: argparse.Namespace, fun: str, args: Sequence[str], kwargs: Mapping[str, Any]
) -> Any:
    """Call a runner on the master or, if that is stopped, in this process; raise SaltGError if it fails."""
    from salt_g.cli.run import run_local
    from salt_g.cli.run.run_client import begin, follow, runner_load
    from salt_g.client.connect import open_link

    try:
        link = open_link(opts)
    except MasterUnreachable as exc:
        return _read(run_local.call(opts, _ignore, fun, list(args), dict(kwargs), why=exc))
    try:
        load = runner_load(fun, list(args), dict(kwargs))
        if options.eauth or options.mktoken:
            from salt_g.cli.cmd.login import credentials

            load.update(credentials(options, opts, link))
        return _read(follow(link, begin(link, load)["tag"], _ignore))
    finally:
        link.close()


def _read(outcome: Any) -> Any:
    found = outcome.get("return")
    if not outcome.get("success"):
        raise CommandExecutionError(str(found))
    return found


def _ignore(suffix: str, data: Any) -> None:
    """Ignore the progress of a runner."""


def _show(opts: Opts, options: argparse.Namespace, found: dict[str, Any], further: Sequence[str] = ()) -> int:
    if _prints_data(opts):
        from salt_g.cli import printing

        return printing.present(found, None, opts)
    for line in (*lines(found, older=options.older), *further):
        print(line)
    return exit_codes.OK


def _prints_data(opts: Opts) -> bool:
    return chooses_output({"output": opts.get("output"), "output_file": opts.get("output_file")})


def lines(found: dict[str, Any], *, older: float) -> list[str]:
    """Return the lines of text that show a result of `impact.readers`."""
    from salt_g.report import state_calls

    ids = found["readers"]
    notes = []
    if found["older"]:
        notes.append(f"{len(found['older']):,} older than {durations.shown(older)}")
    if found["broad"]:
        notes.append(f"{len(found['broad']):,} broad: they read all of it")
    about = f" ({', '.join(notes)})" if notes else ""
    shown = [f"{len(ids):,} of {found['minions']:,} read it in their last run{about}"]
    for call, readers in found["calls"].items():
        shown.append(f"  {state_calls.shown(call)}: {shortened(readers)}")
    for sls, number in found.get("sls", {}).items():
        shown.append(f"  in {sls}: {number:,}")
    if found["unknown"]:
        known = shortened(found["unknown"])
        shown.append(f"{len(found['unknown']):,} unknown, with no record of their reads yet: {known}")
    return shown
