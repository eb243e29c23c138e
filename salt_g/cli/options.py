"""Options shared by several programs: config, output, logging.

Stock's programs have the same options. Completion scripts are also generated from these declarations.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import salt_g.cli.exit_codes as exit_codes

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Settings that the options of `add_logging` override.
LOG_SETTINGS = ("log_file", "log_level", "log_level_logfile")
#: Settings that the options of `add_output` override.
OUTPUT_SETTINGS = (
    *("color", "force_color", "output", "output_file", "output_file_append", "output_indent"),
    *("state_output", "state_verbose"),
)
LOG_LEVELS = ("all", "garbage", "trace", "debug", "profile", "info", "warning", "error", "critical", "quiet")

#: Beginning of every program's usage text.
USAGE = "Usage: "


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help formatter that avoids importing `shutil` (2 ms), as every declared option creates a formatter."""

    def __init__(self, prog: str, indent_increment: int = 2, max_help_position: int = 24) -> None:
        super().__init__(prog, indent_increment, max_help_position, _columns() - 2)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """Add the usage with stock's prefix `Usage: `, which scripts look for."""
        super().add_usage(usage, actions, groups, USAGE if prefix is None else prefix)


class OptionParser(argparse.ArgumentParser):
    """Parser that reports errors as stock does: the usage, then `PROGRAM: error: ...`, exit code 64."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=HelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with the code for wrong usage."""
        self.exit(exit_codes.USAGE, f"{self.format_usage()}\n{self.prog}: error: {message}\n")

    def split(self, words: list[str]) -> tuple[argparse.Namespace, list[str]]:
        """Return the options and the positional arguments, in any order.

        Everything after `--` is positional. An argument like `-1` is a number, not an option.
        """
        end = words.index("--") if "--" in words else len(words)
        options, rest = self.parse_known_args(words[:end])
        self._refuse_options(rest)
        return options, rest + words[end + 1 :]

    def mixed(self, words: list[str]) -> argparse.Namespace:
        """Return the options and the declared positional arguments, in any order.

        Argparse itself would assign all positional arguments at the position of the first one.
        """
        options, rest = self.parse_known_intermixed_args(words)
        self._refuse_options(rest)
        if rest:
            self.error(f"unexpected argument: {rest[0]}")
        return options

    def options_only(self, words: list[str]) -> argparse.Namespace:
        """Return the options of a program without positional arguments."""
        options, rest = self.split(words)
        if rest:
            self.error(f"unexpected argument: {rest[0]}")
        return options

    def _refuse_options(self, words: list[str]) -> None:
        for word in words:
            if word.startswith("-") and len(word) > 1 and not _is_number(word):
                self.error(self._no_such_option(word.partition("=")[0]))

    def _no_such_option(self, word: str) -> str:
        import difflib  # Imported lazily: needed only after a typing error.

        nearest = difflib.get_close_matches(word, self.option_strings(), n=1) if len(word) > 2 else []
        return f"no such option: {word}" + "".join(f"; perhaps you meant {name}" for name in nearest)

    def option_strings(self) -> list[str]:
        """Return all accepted options, short and long."""
        return list(self._option_string_actions)


class _Version(argparse.Action):
    """Option that prints the version with its commit and exits; the commit is looked up only when needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from salt_g.report.source_commit import version

        print(f"salt-g {version()}")
        parser.exit(exit_codes.OK)


class _VersionsReport(argparse.Action):
    """Option that prints versions and exits, as `--help` does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from salt_g.report.versions_report import report

        print(report())
        parser.exit(exit_codes.OK)


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the options that every program has: `--version` and the configuration directory."""
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.add_argument("-c", "--config-dir", metavar="DIR", help="directory of the config files")


def add_saltfile(parser: argparse.ArgumentParser) -> None:
    """Add the option for a Saltfile, a file with values of other options."""
    parser.add_argument("--saltfile", metavar="FILE", help="Saltfile with values for these options")


def add_versions_report(group: argparse._ActionsContainer) -> None:
    """Add the option that prints the versions of salt-g and its libraries."""
    group.add_argument(
        "-V", "--versions-report", action=_VersionsReport, nargs=0, help="print versions and exit"
    )


def add_documentation(group: argparse._ActionsContainer, subject: str) -> None:
    """Add the option that prints the documentation of a subject."""
    group.add_argument(
        "-d", "--doc", "--documentation", dest="doc", action="store_true",
        help=f"print the documentation of {subject}",
    )  # fmt: skip


def add_hard_crash(group: argparse._ActionsContainer) -> None:
    """Add the option that shows errors as tracebacks."""
    group.add_argument(
        "--hard-crash", action="store_true", default=None, help="print the traceback of errors"
    )


def add_job_timeout(group: argparse._ActionsContainer) -> None:
    """Add the option for the timeout of jobs."""
    group.add_argument(
        "-t", "--timeout", type=int, metavar="S",
        help="seconds before minions are asked whether they still run the job",
    )  # fmt: skip


def add_executors(group: argparse._ActionsContainer) -> None:
    """Add the options that choose executors."""
    group.add_argument("--module-executors", metavar="LIST", help="executors to run the function with")
    group.add_argument("--executor-opts", metavar="OPTS", help="options of the executors (YAML)")


def add_output_diff(group: argparse._ActionsContainer) -> None:
    """Add the option that hides states without changes."""
    group.add_argument(
        "--output-diff", dest="state_output_diff", action="store_true", default=None,
        help="print only states that changed something",
    )  # fmt: skip


def add_authentication(parser: argparse.ArgumentParser, *, taken: Collection[str] = ()) -> None:
    """Add the options of external authentication, except those in `taken`, which have another meaning."""
    group = parser.add_argument_group("external authentication")
    names = [name for name in ("-a", "--auth", "--eauth", "--external-auth") if name not in taken]
    group.add_argument(
        *names, dest="eauth", metavar="WAY", default="",
        help="external authentication backend: pam, ldap, ...",
    )  # fmt: skip
    group.add_argument(
        "-T", "--make-token", dest="mktoken", action="store_true", help="store a token for later commands"
    )
    group.add_argument("--username", metavar="NAME", help="user name to log in with")
    group.add_argument("--password", metavar="TEXT", help="password to log in with")


def add_reading(group: argparse._ArgumentGroup) -> None:
    """Add the options that control how arguments of functions are parsed."""
    group.add_argument(
        "--args-stdin", action="store_true", help="read further arguments from standard input, one per line"
    )
    group.add_argument(
        "--no-parse",
        dest="no_parse",
        metavar="NAME,...",
        default="",
        help="arguments whose values are not parsed as YAML",
    )


def filled(word: str) -> str:
    """Return the value of an option; raise ArgumentTypeError for '', which would turn the option off.

    An unset variable in a script must not silently turn off a safeguard of a job.
    """
    if not word:
        raise argparse.ArgumentTypeError("the value is empty: give a value, or leave out the option")
    return word


def add_explain(group: argparse._ActionsContainer) -> None:
    """Add `--explain` for state runs; `explained` turns the option into a keyword argument."""
    group.add_argument(
        "--explain", action="store_true", help="state runs: show what decided whether each state ran"
    )


def add_record(group: argparse._ActionsContainer) -> None:
    """Add `--out-record`, the path of the end record that `end_record.py` writes."""
    group.add_argument(
        "--out-record",
        type=filled,
        metavar="FILE",
        help="at the end write the verdict on each minion to this file (JSON)",
    )


def add_save(group: argparse._ActionsContainer, metavar: str, where: str) -> None:
    """Add `--save` for test runs that are kept as a plan."""
    group.add_argument(
        "--save",
        type=filled,
        metavar=metavar,
        help=f"keep the test run (test=True) as a plan {where}, to apply exactly that",
    )


def explained(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Return a function and its arguments with `explain=True` added; exit if the function runs no states."""
    function = words[0] if words else ""
    if not function.startswith("state.") or "," in function:
        parser.error(
            f"--explain needs a function of `state`, such as state.apply, not {function or 'nothing'}"
        )
    return [*words, "explain=True"]


def add_output(parser: argparse.ArgumentParser, *, has_states: bool = True) -> None:
    """Add the options that control how results are printed; `has_states` also adds those for state runs."""
    group = parser.add_argument_group("output options")
    group.add_argument(
        "--out", "--output", dest="output", metavar="OUTPUTTER", help="outputter for the result"
    )
    group.add_argument(
        "--out-indent", "--output-indent", dest="output_indent", type=int, metavar="N",
        help="indent by N spaces; negative: no indentation",
    )  # fmt: skip
    group.add_argument(
        "--out-file", "--output-file", dest="output_file", metavar="FILE", help="write to this file"
    )
    group.add_argument(
        "--out-file-append", "--output-file-append",
        dest="output_file_append", action="store_true", default=None, help="append to the file",
    )  # fmt: skip
    colour = group.add_mutually_exclusive_group()
    colour.add_argument(
        "--no-color", "--no-colour", dest="color", action="store_false", default=None, help="never colour"
    )
    colour.add_argument(
        "--force-color",
        "--force-colour",
        dest="force_color",
        action="store_true",
        default=None,
        help="colour the output even if it is not a terminal",
    )
    if not has_states:
        return
    group.add_argument(
        "--state-output", "--state_output", dest="state_output", metavar="MODE",
        help="detail of each state: full, terse, mixed, changes or filter, each also with _id",
    )  # fmt: skip
    group.add_argument(
        "--state-verbose", "--state_verbose", dest="state_verbose", type=_is_yes, metavar="BOOL",
        help="also show states without changes (True or False)",
    )  # fmt: skip


def add_logging(parser: argparse.ArgumentParser) -> None:
    """Add the options that control logging."""
    group = parser.add_argument_group("logging options")
    group.add_argument(
        "-l", "--log-level", dest="log_level", choices=LOG_LEVELS, metavar="LEVEL",
        help=f"level of the console log: {', '.join(LOG_LEVELS)}",
    )  # fmt: skip
    group.add_argument("--log-file", metavar="FILE", help="file to log to")
    group.add_argument(
        "--log-file-level",
        dest="log_level_logfile",
        choices=LOG_LEVELS,
        metavar="LEVEL",
        help="level of the log file",
    )


def job_overrides(options: argparse.Namespace, *names: str) -> OptsDraft:
    """Return the named options that were given; ignore a timeout of 0 or less."""
    settings = given(options, *names)
    if settings.get("timeout", 1) <= 0:
        del settings["timeout"]
    return settings


def given(options: argparse.Namespace, *names: str) -> OptsDraft:
    """Return the named options that were given, as settings that override the config."""
    return {name: value for name in names if (value := getattr(options, name, None)) is not None}


def chooses_output(settings: Mapping[str, Any]) -> bool:
    """Return whether the user chose an outputter or output file, in place of the command's own format."""
    return bool(settings.get("output") or settings.get("output_file"))


def _is_yes(word: Any) -> bool:
    return str(word).lower() in ("true", "yes", "1", "on")


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _columns() -> int:
    """Return the width of the terminal, found like `shutil.get_terminal_size` does."""
    width = os.environ.get("COLUMNS", "")
    if width.isdecimal() and int(width):
        return int(width)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
