"""Options that several programs share, declared once: config, output, logging.

Why its own file: stock's programs take the same words for the same things; the completion
scripts are made from the same declarations.
"""

from __future__ import annotations

import argparse
import os
from typing import Any, NoReturn

import salt_g.cli.exit_codes as exit_codes

LOG_LEVELS = ("all", "garbage", "trace", "debug", "profile", "info", "warning", "error", "critical", "quiet")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """argparse's, without `shutil`: it takes 2 ms, and each declaration of an option makes a formatter."""

    def __init__(self, prog: str, indent_increment: int = 2, max_help_position: int = 24) -> None:
        super().__init__(prog, indent_increment, max_help_position, _columns() - 2)


class OptionParser(argparse.ArgumentParser):
    """argparse with stock's way of refusing: usage, then `PROGRAM: error: ...`, exit 64."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with the code for wrong usage."""
        self.exit(exit_codes.USAGE, f"{self.format_usage()}\n{self.prog}: error: {message}\n")

    def split(self, words: list[str]) -> tuple[argparse.Namespace, list[str]]:
        """Return the options and the other words, in whatever order they stand.

        Everything behind `--` is a word. A word like `-1` is a number, not an option.
        """
        end = words.index("--") if "--" in words else len(words)
        options, rest = self.parse_known_args(words[:end])
        for word in rest:
            if word.startswith("-") and len(word) > 1 and not _is_number(word):
                self.error(self._no_such_option(word.partition("=")[0]))
        return options, rest + words[end + 1 :]

    def _no_such_option(self, word: str) -> str:
        import difflib  # only who mistypes waits for it

        nearest = difflib.get_close_matches(word, self.option_strings(), n=1) if len(word) > 2 else []
        return f"no such option: {word}" + "".join(f"; perhaps you meant {name}" for name in nearest)

    def option_strings(self) -> list[str]:
        """Return every option that is understood, short and long."""
        return list(self._option_string_actions)


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the settings are."""
    parser.add_argument("-c", "--config-dir", metavar="DIR", help="directory of the config files")


def add_saltfile(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a file with values for the others."""
    parser.add_argument("--saltfile", metavar="FILE", help="file with values for these options")


def add_reading(group: argparse._ArgumentGroup) -> None:
    """Add the options that say how the words behind a function are read."""
    group.add_argument(
        "--args-stdin", action="store_true", help="read further words from standard input, one a line"
    )
    group.add_argument(
        "--no-parse", dest="no_parse", metavar="NAME,...", default="", help="arguments whose values stay text"
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how results are printed."""
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
        help="colour even into a pipe",
    )
    group.add_argument(
        "--state-output", "--state_output", dest="state_output", metavar="MODE",
        help="how much of each state: full, terse, mixed, changes or filter, each also with _id",
    )  # fmt: skip
    group.add_argument(
        "--state-verbose", "--state_verbose", dest="state_verbose", metavar="BOOL",
        help="show states without changes too (True or False)",
    )  # fmt: skip


def add_logging(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is logged and where."""
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
    """Return those of the named options that were given, as settings that override the config."""
    return {name: value for name in names if (value := getattr(options, name, None)) is not None}


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _columns() -> int:
    """Return how wide the terminal is, as `shutil.get_terminal_size` finds it."""
    width = os.environ.get("COLUMNS", "")
    if width.isdecimal() and int(width):
        return int(width)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80
