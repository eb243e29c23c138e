"""`salt-g doctor`: check this host's master or minion, and print advice on problems."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.printing as printing
import salt_g.cli.stdio as stdio
from salt_g.cli.options import OUTPUT_SETTINGS, OptionParser, add_config, add_output, chooses_output, given
from salt_g.doctor.finding import ERROR, GOOD, WARNING, DoctorFinding
from salt_g.errors import ConfigError

_EPILOG = """\
examples:
  salt-g doctor                       the roles that have settings on this host
  salt-g doctor --role master
  salt-g doctor --json | jq '.[] | select(.level != "ok")'

Nothing is changed. A minion authenticates once; a master sends test.ping to its minions.
exit codes: 0 no error was found, 1 an error was found, 64 the settings are invalid.
"""
_ROLES = ("master", "minion")
_COLORS = {GOOD: "32", WARNING: "33", ERROR: "31"}


def build_parser(prog: str = "salt-g doctor") -> OptionParser:
    """Return the parser of `salt-g doctor`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options]",
        description="Check settings, keys, ports, clock, disk, versions and connections of this host.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument("--role", choices=_ROLES, help="role to check")
    parser.add_argument(
        "--json", dest="output", action="store_const", const="json", help="print the findings as JSON"
    )
    add_output(parser, has_states=False)
    return parser


def main(words: list[str]) -> int:
    """Print the findings; return the exit code."""
    parser = build_parser()
    options = parser.options_only(words)
    output = given(options, *OUTPUT_SETTINGS)
    try:
        found = [(role, list(_check(role, options.config_dir))) for role in _roles(options)]
    except ConfigError as exc:
        return error_report.fail(parser.prog, exc)
    code = exit_codes.OK
    if chooses_output(output):
        records = [{"role": role, **finding._asdict()} for role, findings in found for finding in findings]
        code = printing.present(records, None, output)
    else:
        for role, findings in found:
            _print(role, findings)
    worst = {finding.level for _, findings in found for finding in findings}
    return exit_codes.FAILED if ERROR in worst else code


def _roles(options: object) -> list[str]:
    """Return the roles to check: the given one, else those with a settings file, else the minion."""
    from salt_g.config.files import find_directory

    named = getattr(options, "role", None)
    if named:
        return [named]
    directory = find_directory(getattr(options, "config_dir", None))
    configured = [
        role
        for role in _ROLES
        if os.path.exists(os.path.join(directory, role)) or _names(os.path.join(directory, f"{role}.d"))
    ]
    return configured or ["minion"]


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _check(role: str, config_dir: str | None) -> Iterable[DoctorFinding]:
    from salt_g import config
    from salt_g.process import monkey_patch

    # Authentication and pings wait on sockets.
    monkey_patch.patch()
    settings = config.load(role, config_dir)
    if role == "master":
        from salt_g.doctor.master import check
    else:
        from salt_g.doctor.minion import check
    return check(settings)


def _print(role: str, findings: Iterable[DoctorFinding]) -> None:
    is_colored = stdio.is_terminal(sys.stdout)
    print(f"{role}:")
    for finding in findings:
        level = f"{finding.level:8}"
        if is_colored:
            level = f"\033[{_COLORS[finding.level]}m{level}\033[0m"
        print(f"  {level} {finding.about:13} {finding.text}")
        if finding.advice:
            print(f"           {'':13} -> {finding.advice}")
