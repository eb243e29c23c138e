"""Options shared by several programs: config, output, logging.

Stock's programs use the same options. Completion scripts are generated from these declarations too.
"""

from __future__ import annotations

import argparse
import os
from typing import Any, NoReturn

import salt_g.cli.exit_codes as exit_codes

LOG_LEVELS = ("all", "garbage", "trace", "debug", "profile", "info", "warning", "error", "critical", "quiet")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Formatter without `shutil`, whose import takes 2 ms; each declared option creates a formatter."""

    def __init__(self, prog: str, indent_increment: int = 2, max_help_position: int = 24) -> None:
        super().__init__(prog, indent_increment, max_help_position, _columns() - 2)


class OptionParser(argparse.ArgumentParser):
    """Parser with stock's form of errors: usage, then `PROGRAM: error: ...`, exit code 64."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with the code for wrong usage."""
        self.exit(exit_codes.USAGE, f"{self.format_usage()}\n{self.prog}: error: {message}\n")

    def split(self, words: list[str]) -> tuple[argparse.Namespace, list[str]]:
        """Return the options and the positional arguments, in any order.

        Everything after `--` is positional. An argument like `-1` is a number, not an option.
        """
        end = words.index("--") if "--" in words else len(words)
        options, rest = self.parse_known_args(words[:end])
        for word in rest:
            if word.startswith("-") and len(word) > 1 and not _is_number(word):
                self.error(self._no_such_option(word.partition("=")[0]))
        return options, rest + words[end + 1 :]

    def _no_such_option(self, word: str) -> str:
        import difflib  # Imported lazily: needed only after a typing error.

        nearest = difflib.get_close_matches(word, self.option_strings(), n=1) if len(word) > 2 else []
        return f"no such option: {word}" + "".join(f"; perhaps you meant {name}" for name in nearest)

    def option_strings(self) -> list[str]:
        """Return all accepted options, short and long."""
        return list(self._option_string_actions)


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the option for the configuration directory."""
    parser.add_argument("-c", "--config-dir", metavar="DIR", help="directory of the config files")


def add_saltfile(parser: argparse.ArgumentParser) -> None:
    """Add the option for a Saltfile, a file with values of other options."""
    parser.add_argument("--saltfile", metavar="FILE", help="Saltfile with values for these options")


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


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options that control how results are printed."""
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
        help="colour the output even if it is not a terminal",
    )
    group.add_argument(
        "--state-output", "--state_output", dest="state_output", metavar="MODE",
        help="detail of each state: full, terse, mixed, changes or filter, each also with _id",
    )  # fmt: skip
    group.add_argument(
        "--state-verbose", "--state_verbose", dest="state_verbose", metavar="BOOL",
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


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the named options that were given, as settings that override the config."""
    return {name: value for name in names if (value := getattr(options, name, None)) is not None}


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
