"""`salt-g install master|minion|api`: set up or remove (`--uninstall`) the program, settings and service."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.daemon.api import has_libraries
from salt_g.cli.options import OUTPUT_SETTINGS, chooses_output, given
from salt_g.cli.setup.install_options import build_parser
from salt_g.errors import CommandExecutionError, SaltGError

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Fingerprint of a hash of 16 (md5) to 64 (sha512) bytes.
_FINGERPRINT = re.compile(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){15,63}")
_ROLES = ("master", "minion", "api")
_SHELLS = ("bash", "zsh", "fish")


def main(words: list[str]) -> int:
    """Install or uninstall; return the exit code."""
    parser = build_parser()
    options, rest = parser.split(words)
    problem = _problem(options, rest)
    if problem:
        parser.error(problem)
    try:
        return _run(options, rest[0])
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc)
    except BrokenPipeError:
        raise
    except OSError as exc:
        print(f"{parser.prog}: {exc}", file=sys.stderr)
        return exit_codes.FAILED


def _problem(options: argparse.Namespace, words: list[str]) -> str:
    """Return the error in the arguments, "" if they are valid."""
    if len(words) != 1 or words[0] not in _ROLES:
        return "give a role: salt-g install master, salt-g install minion or salt-g install api"
    if words[0] != "minion" and (options.master or options.finger or options.id or options.invite):
        return "--master, --finger, --id and --invite are for a minion"
    if options.invite and not options.finger:
        return "--invite needs --finger: without it, any master could claim to have invited this host"
    if options.finger and not _FINGERPRINT.fullmatch(options.finger):
        return (
            f"--finger {options.finger}: a fingerprint looks like 3f:5a:...; print it on the master:"
            " salt-g key -F master"
        )
    if options.purge and not options.uninstall:
        return "--purge needs --uninstall"
    if not os.path.isabs(options.prefix):
        return f"--prefix {options.prefix}: give an absolute path"
    return ""


def _run(options: argparse.Namespace, role: str) -> int:
    from salt_g.install import apply
    from salt_g.install.host import Host
    from salt_g.install.steps import Note

    host = Host(options.root)
    _check(options, host)
    places = _places(role, host)
    if options.uninstall:
        from salt_g.install import removal

        made = removal.uninstall(role, host, places, purges=options.purge)
    else:
        from salt_g.install import plan, program

        running = program.running()
        if host.is_here and program.is_temporary(running):
            where = f"{running.script} is not suitable for a service: its directory is emptied at boot"
            raise CommandExecutionError(f"{where}; move salt-g elsewhere, for example to /opt/salt-g")
        if role == "api" and not has_libraries():
            raise CommandExecutionError("h11 or wsproto is missing: pip install 'salt-g[api]'")
        made = plan.install(_wanted(options, role), host, running, places)
        if role == "minion" and not options.master and _names_no_master(host):
            made.notes.append(Note("its master is `salt`, the default; --master HOST sets another one"))
    lines: Iterable[str] = apply.carry_out(made.steps, host)
    if options.dry_run:
        lines = (apply.details(step, host) for step in made.steps)
    output = given(options, *OUTPUT_SETTINGS)
    code = _report(lines, made.notes, lambda: _connection(options, role, host), output)
    return exit_codes.FAILED if any(note.is_problem for note in made.notes) else code


def _report(
    lines: Iterable[str], notes: Iterable[Any], connection: Callable[[], str], output: OptsDraft
) -> int:
    """Carry out and print the steps (`lines`), then the notes and the connection; or print all as data."""
    if chooses_output(output):
        from salt_g.cli import printing

        data = {"steps": list(lines), "notes": [note.text for note in notes], "connection": connection()}
        return printing.present(data, None, output)
    is_done = True
    for line in lines:
        is_done = False
        print(line, flush=True)
    for note in notes:
        print(f"note    {note.text}", file=sys.stderr if note.is_problem else sys.stdout)
    if is_done:
        print("nothing to do")
    if said := connection():
        print(f"note    {said}")
    return exit_codes.OK


def _connection(options: argparse.Namespace, role: str, host: Any) -> str:
    """Return a summary of an installed minion's connection to its master, "" if no check is needed."""
    if role != "minion" or not host.is_here or options.uninstall or options.no_start or options.dry_run:
        return ""
    opts = _settings(role, host).opts
    if opts["file_client"] == "local":
        return ""
    from salt_g.process import monkey_patch

    monkey_patch.patch()
    from salt_g.doctor.minion import connection_summary

    return connection_summary(opts)


def _check(options: argparse.Namespace, host: Any) -> None:
    if host.is_here and os.geteuid() and not options.dry_run:
        raise CommandExecutionError("only root can install a service; --dry-run works for any user")
    if not os.path.isdir(host.root):
        raise CommandExecutionError(f"--root {host.root} is not a directory")
    if host.is_here and not options.uninstall and not os.path.isdir(options.prefix):
        raise CommandExecutionError(
            f"--prefix {options.prefix} is not a directory: create it, or give another"
        )


def _wanted(options: argparse.Namespace, role: str) -> Any:
    import salt_g.cli.completion as completion
    from salt_g.cli.dispatch import LINK_NAMES
    from salt_g.install.plan import InstallOptions

    asked = {"master": options.master, "master_finger": options.finger, "id": options.id}
    return InstallOptions(
        role=role,
        prefix=os.path.normpath(options.prefix),
        settings={name: value for name, value in asked.items() if value},
        invitation=_invitation(options.invite),
        completions={shell: completion.script(shell) for shell in _SHELLS},
        link_names=sorted(LINK_NAMES),
        with_links=options.links,
        starts=not options.no_start,
    )


def _invitation(word: str) -> str:
    """Return the invitation code; `-` reads it from standard input, which hides it from process lists."""
    from salt_g.wire.invitation import read_code

    if not word:
        return ""
    return str(read_code(sys.stdin.readline() if word == "-" else word))


def _places(role: str, host: Any) -> Any:
    """Return the directories of the role, from the settings on the host."""
    from salt_g.install.steps import InstallPaths

    if role == "api":
        opts = _settings("master", host).opts
        sessions = os.path.join(opts["cachedir"], "api_sessions")
        return InstallPaths(sessions, sessions, str(opts["api_logfile"]), str(opts["api_pidfile"]))
    opts = _settings(role, host).opts
    return InstallPaths(*(str(opts[name]) for name in ("pki_dir", "cachedir", "log_file", "pidfile")))


def _names_no_master(host: Any) -> bool:
    found = _settings("minion", host)
    return bool(found.origins.get("master") == "default" and found.opts["file_client"] != "local")


def _settings(role: str, host: Any) -> Any:
    """Return the settings that a role has on the host."""
    from salt_g import config
    from salt_g.install import settings

    return config.load(role, host.place(settings.directory_of(host)), {}, asks_for_id=False)
