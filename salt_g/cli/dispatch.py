"""Decide which program the words of the command line mean.

The rule: a first word that is a subcommand is that; one that names an execution function is
a local call. Called through a link named like one of stock's programs, the executable
behaves as that program. Only the chosen program is imported, so that `--version` stays quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from salt_g.cli import exits

#: {subcommand: module of this package that holds its `main(words) -> exit code`}
SUBCOMMANDS = {
    "call": "call",
    "config": "config",
    "completion": "completion",
}
#: {name of a link: subcommand}
LINK_NAMES = {"salt-call": "call"}


def main() -> None:
    """Run the program that the command line names, and exit with its code."""
    sys.exit(run(sys.argv))


def run(argv: Sequence[str]) -> int:
    """Run the program that `argv` (with the program's own name first) means; return its exit code."""
    words = list(argv[1:])
    try:
        return _program(os.path.basename(argv[0]), words)(words)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:
        # Nobody reads us any more; what Python still holds for stdout must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.BROKEN_PIPE


def _program(link: str, words: list[str]) -> Callable[[list[str]], int]:
    """Return the program, and take its name off the words."""
    name = LINK_NAMES.get(link)
    if name is None and words and words[0] in SUBCOMMANDS:
        name = SUBCOMMANDS[words.pop(0)]
    if words[:1] == ["--version"]:
        return _version
    if name is None and words[:1] in ([], ["-h"], ["--help"]):
        return _overview
    return _load(name or "call")


def _load(name: str) -> Callable[[list[str]], int]:
    import importlib

    program: Callable[[list[str]], int] = importlib.import_module(f"salt_g.cli.{name}").main
    return program


def _version(words: list[str]) -> int:
    from salt_g import __version__

    print(f"salt-g {__version__}")
    return exits.OK


def _overview(words: list[str]) -> int:
    from salt_g.cli import overview

    return overview.main(words)
