"""`salt-g store`: copy a master's data between the store file and a PostgreSQL server."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.client_settings import check_directory
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.config import load
from salt_g.errors import CommandExecutionError, MasterUnreachable, SaltGError, StoreInUse

if TYPE_CHECKING:
    from salt_g.cache.store import Store
    from salt_g.shapes import Opts

_PROGRAM = "salt-g store"
_EPILOG = """\
examples:
  salt-g store migrate --to postgresql://salt@db1/salt
  salt-g store migrate --to embedded

The data of the stopped master in `-c DIR` is copied: jobs, returns, grains, pillar, mine, resources. Keys,
tokens and invitations stay in its directories; those of a cluster are written there with `--to embedded`.
The source is left unchanged, and an interrupted copy resumes when it is repeated. Then change the setting
`store` and start the master.
exit codes: 0 both sides agree, 1 they do not, or the copy failed, 64 wrong options.
"""
#: Value of `--to` for the file in `cachedir`.
EMBEDDED = "embedded"


def build_parser() -> OptionParser:
    """Return the parser of `salt-g store`."""
    parser = OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s migrate --to URL [options]",
        description="Move a master's data between its own file and a PostgreSQL server.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("action", choices=("migrate",), metavar="migrate", help="copy all data")
    parser.add_argument(
        "--to", required=True, metavar="URL", help="postgresql://USER@HOST/DATABASE, or `embedded`"
    )
    parser.add_argument(
        "--from", dest="source", metavar="URL", help="likewise (default: what the setting `store` says)"
    )
    parser.add_argument("--replace", action="store_true", help="remove the data that the target has")
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Copy the data and compare source and destination; return the exit code."""
    options = build_parser().mixed(words)
    try:
        check_directory(options.config_dir)
        return _migrate(load("master", options.config_dir).opts, options)
    except SaltGError as exc:
        return error_report.fail(_PROGRAM, exc)


def _migrate(opts: Opts, options: argparse.Namespace) -> int:
    from salt_g.cache.store_choice import server_url, was_written

    source_url = options.source or server_url(opts) or EMBEDDED
    _check_stopped(opts)
    if source_url == EMBEDDED and not was_written({**opts, "store": ""}):
        raise CommandExecutionError(f"{opts['cachedir']} has no store: no master has run there")
    source = _store(source_url, opts, "--from" if options.source else "store")
    target = _store(options.to, opts, "--to")
    if source.path == target.path:
        raise CommandExecutionError(f"{source.path} is both source and target; --to names the target")
    for store in (source, target):
        _check_unused(store)
    # The source is opened for writing too, because its tables may have to be migrated to this version.
    with source, target:
        code = _copy(source, target, options)
    if opts.get("cluster") and options.to == EMBEDDED and not code:
        # Imported lazily: a master outside a cluster does not need it.
        from salt_g.cluster.offline import export_keys

        count = export_keys(opts)
        # With an output option, stdout holds data for another program.
        said = sys.stderr if chooses_output(given(options, *OUTPUT_SETTINGS)) else sys.stdout
        print(
            f"{count} keys of the cluster are in {opts['pki_dir']}; remove the setting `cluster`, too",
            file=said,
        )
    return code


def _check_stopped(opts: Opts) -> None:
    """Raise CommandExecutionError if this master is running, or if this cannot be determined."""
    from salt_g.client.unix_link import link_if_served

    try:
        link = link_if_served(opts["sock_dir"])
    except MasterUnreachable as exc:
        raise CommandExecutionError(f"cannot determine whether the master is running: {exc}") from exc
    if link is not None:
        link.close()
        raise CommandExecutionError("the master is running; stop it first, so that nothing is missed")


def _copy(source: Store, target: Store, options: argparse.Namespace) -> int:
    from salt_g.cache import transfer

    output = given(options, *OUTPUT_SETTINGS)
    transfer.prepare(source, target, replace=options.replace)
    differing, copied = [], {}
    for table in transfer.TABLES:
        read = transfer.copy(source, target, table)
        kept = transfer.content(target, table)
        copied[table.name] = {"rows": read.rows, "sha256": kept.digest}
        if not chooses_output(output):
            print(f"{table.name:<12} {read.rows:>9} rows  sha256 {kept.digest[:16]}", flush=True)
        if read != kept:
            differing.append(f"{table.name} has {kept.rows} rows there")
    if differing:
        raise CommandExecutionError(
            f"{target.path} differs from {source.path}: {', '.join(differing)}; repeat with --replace"
        )
    transfer.finish(target)
    if chooses_output(output):
        from salt_g.cli import printing

        return printing.present(copied, None, output)
    print(_next_step(options.to))
    return exit_codes.OK


def _check_unused(store: Store) -> None:
    """Raise StoreError if a store cannot be written or is in use by a master, on this host or another."""
    try:
        store.check_writable()
    except StoreInUse as exc:
        remedy = "stop all masters that use it, so that nothing is missed"
        raise StoreInUse(exc.path, exc.use, remedy) from exc


def _store(url: str, opts: Opts, name: str) -> Store:
    """Return the store at a URL given in the option or setting `name`; raise ConfigError if it is invalid."""
    from salt_g.cache.store_choice import open_store, store_at

    if url == EMBEDDED:
        return open_store({**opts, "store": ""})
    if name == "store":
        return store_at(url)
    return store_at(url, name=name, otherwise=f"`{EMBEDDED}` for the file in cachedir")


def _next_step(to: str) -> str:
    if to == EMBEDDED:
        return "done: remove the setting `store` from the master's config file and start the master"
    return "done: write `store: URL` into the master's config file and start the master"
