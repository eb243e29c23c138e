"""`salt-g pip ...`: run the pip of salt-g's own Python, to install Salt extensions without stock Salt."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.options import OptionParser
from salt_g.errors import CommandExecutionError
from salt_g.install import stock_distribution
from salt_g.process.command import is_frozen

_PROGRAM = "salt-g pip"
_EPILOG = """\
examples:
  salt-g pip install saltext.vault
  salt-g pip install --upgrade saltext.vault
  salt-g pip uninstall saltext.vault
  salt-g pip install salt
  salt-g pip list

`install` adds a distribution `salt`, which satisfies the requirement `salt>=...` of extensions and lets your
own programs `import salt.client`; its names lead to salt-g. `salt-g pip install salt` installs only that.
With --require-hashes, or hashes in a requirements file, it is added with its hash; the file must not pin
salt. All other words are pip's own; `salt-g pip help install` prints its options. Restart daemons afterwards.
exit codes: those of pip.
"""
#: Commands of pip that resolve requirements.
_RESOLVING = (["install"], ["download"], ["wheel"])
#: Options of pip that take their value from the next word, and may stand before the command.
_WITH_VALUE = frozenset(
    ("--cache-dir", "--cert", "--client-cert", "--exists-action", "--keyring-provider", "--log", "--proxy")
    + ("--python", "--resume-retries", "--retries", "--timeout", "--trusted-host", "--use-deprecated")
    + ("--use-feature",)
)
#: Options followed by the name of a requirements file; values that turn on a setting of pip.
_FILE, _TRUE = ("-r", "--requirement"), ("1", "y", "yes", "t", "true", "on")
#: Maximum part of a requirements file that is read (characters), and maximum depth of nested files.
MAX_FILE, MAX_DEPTH = 1_000_000, 5


def build_parser() -> OptionParser:
    """Return the parser that prints the help; all other arguments are left to pip."""
    return OptionParser(
        prog=_PROGRAM,
        usage="%(prog)s COMMAND [WORD ...]",
        description="Install and list Python packages, such as Salt extensions, for salt-g.",
        epilog=_EPILOG,
    )


def main(words: list[str]) -> int:
    """Run pip with these words; return its exit code."""
    if words[:1] in ([], ["-h"], ["--help"]):
        build_parser().print_help()
        return exit_codes.OK if words else exit_codes.USAGE
    problem = _problem()
    if problem:
        return error_report.fail(_PROGRAM, CommandExecutionError(problem))
    place = command_place(words)
    # An installed stock Salt satisfies requirements itself, and the stand-in must not replace it.
    if words[place : place + 1] not in _RESOLVING or stock_distribution.is_stock_installed():
        return _run(words)
    with tempfile.TemporaryDirectory(prefix="salt-g-pip-") as directory:
        wheel = stock_distribution.write_wheel(directory)
        wanted = [stock_distribution.REQUIREMENT]
        if checks_hashes(words):
            wanted = ["--requirement", stock_distribution.write_hashed(wheel)]
        more = ["--find-links", directory, *wanted]
        return _run([*words[: place + 1], *more, *words[place + 1 :]])


def command_place(words: list[str]) -> int:
    """Return the index of pip's command in `words`, after any global options and their values."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _WITH_VALUE else 1
    return place


def checks_hashes(words: Sequence[str]) -> bool:
    """Return whether pip will require hashes, because of an option or of hashes in a requirements file."""
    if "--require-hashes" in words or os.environ.get("PIP_REQUIRE_HASHES", "0").lower() in _TRUE:
        return True
    files = []
    for place, word in enumerate(words):
        name, found, value = word.partition("=")
        if word in _FILE and place + 1 < len(words):
            files.append(words[place + 1])
        elif name == "--requirement" and found:
            files.append(value)
        elif word.startswith("-r") and len(word) > 2:
            files.append(word[2:])
    return any(_has_hashes(path, depth=0) for path in files)


def _has_hashes(path: str, *, depth: int) -> bool:
    """Return whether a requirements file, or a file included by it, has hashes; ignore unreadable files."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_FILE)
    except (OSError, ValueError):
        return False
    if re.search(r"(?m)^[^#]*\s--hash[=\s]", text):
        return True
    further = re.findall(r"(?m)^\s*(?:-r|--requirement)[=\s]*(\S+)", text) if depth < MAX_DEPTH else []
    return any(_has_hashes(os.path.join(os.path.dirname(path), name), depth=depth + 1) for name in further)


def _problem() -> str:
    """Return why pip cannot be used here, or '' if it can."""
    if is_frozen():
        return "the one-file program cannot hold packages; install salt-g with pip or from a package"
    import importlib.util

    if importlib.util.find_spec("pip") is None:
        return f"{sys.executable} has no pip; run: {sys.executable} -m ensurepip"
    return ""


def _run(words: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pip", *words], check=False).returncode
