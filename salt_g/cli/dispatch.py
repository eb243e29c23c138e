"""Selection of the program from the command line.

If the first word is a subcommand, it is run; if it is the name of an execution function, the function is
called on this host; anything else (a glob, `-G`, `-C`, ...) is a target (`short_form.py`). Called through a
link with the name of a stock program, the executable behaves like that program. Only the selected program is
imported, so that `--version` stays fast. Ctrl-C in any program ends here (`interrupt.py`).
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Sequence

import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.stdio as stdio

#: {subcommand: module of this package that holds its `main(words) -> exit code`}
SUBCOMMANDS = {
    "call": "call.call",
    "cmd": "cmd.cmd",
    "run": "run.run",
    "ssh": "ssh.ssh",
    "key": "key.key",
    "attach": "cmd.attach",
    "plan": "cmd.plan",
    "rollout": "cmd.rollout",
    "cp": "cmd.cp",
    "event": "watch.event",
    "top": "watch.top",
    "match": "cmd.match",
    "master": "daemon.master",
    "minion": "daemon.minion",
    "api": "daemon.api",
    "config": "setup.config",
    "completion": "completion",
    "quickstart": "setup.quickstart",
    "doctor": "setup.doctor",
    "install": "setup.install",
    "pip": "setup.pip",
    "store": "setup.store",
    "cluster": "setup.cluster",
    "token": "setup.token",
    "lint": "lint.lint",
    "lsp": "lint.lsp",
    "mailbox": "fleet.mailbox",
    "lock": "fleet.lock",
    "audit": "fleet.audit",
    "history": "fleet.history",
    "drift": "fleet.drift",
    "impact": "fleet.impact",
}
#: {name of a link: subcommand}
LINK_NAMES = {
    "salt": "cmd",
    "salt-api": "api",
    "salt-call": "call",
    "salt-cp": "cp",
    "salt-key": "key",
    "salt-master": "master",
    "salt-minion": "minion",
    "salt-run": "run",
    "salt-ssh": "ssh",
}
#: Link names of stock programs that salt-g does not have; `suggestions.py` has the replacements.
ABSENT_LINKS = ("salt-cloud", "salt-proxy", "salt-syndic", "spm")
#: Words for these programs given instead of a subcommand; refused only as a lone argument, because a minion
#: may have such an id.
_ABSENT_WORDS = (*ABSENT_LINKS, "cloud", "proxy", "syndic")

#: Prefixes of arguments whose values must be hidden from other users of the host.
_SECRET_WORDS = ("pillar=",)


def main() -> None:
    """Run the program that the command line selects, and exit with its code."""
    stdio.fit()
    try:
        code = run(sys.argv)
    except SystemExit as exc:
        code = _code_of(exc)
    _leave(code)


def run(argv: Sequence[str]) -> int:
    """Run the program that `argv` selects (its first item is the program name); return its exit code."""
    words = list(argv[1:])
    if any(word.startswith(_SECRET_WORDS) for word in words):
        from salt_g.process import title  # Imported lazily: few commands have pillar.

        title.hide_arguments(_SECRET_WORDS)
    try:
        return _program(os.path.basename(argv[0]), words)(words)
    except KeyboardInterrupt as exc:
        import salt_g.cli.interrupt as interrupt  # Imported lazily: few commands are interrupted.

        return interrupt.exit_code(exc)
    except BrokenPipeError:
        # The reader of stdout has closed the pipe: flushing Python's buffer at exit must not raise an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exit_codes.BROKEN_PIPE
    except OSError as exc:
        from salt_g.cli.error_report import fail

        return fail("salt-g", exc)


def _leave(code: int) -> None:
    """Exit without interpreter teardown, which would take a fifth of a state run.

    Exit handlers (of log files and plugins) still run, non-daemon threads are joined, and output is flushed.
    """
    threading = sys.modules.get("threading")
    if threading is not None:
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()
    atexit._run_exitfuncs()
    problem = stdio.flush()
    if problem and code == exit_codes.OK:
        os.write(2, f"salt-g: {problem}\n".encode())
        code = exit_codes.FAILED
    os._exit(code)


def _code_of(exc: SystemExit) -> int:
    """Return the exit code of a SystemExit as Python would; print a text, which stands for a failure."""
    if exc.code is None or isinstance(exc.code, int):
        return exc.code or exit_codes.OK
    print(exc.code, file=sys.stderr)
    return exit_codes.FAILED


def _program(link: str, words: list[str]) -> Callable[[list[str]], int]:
    """Return the function that runs the selected program, and remove the program's name from `words`."""
    name = LINK_NAMES.get(link)
    if name is None:
        name = _subcommand(words)
    if words[:1] == ["--version"]:
        return _version
    if link in ABSENT_LINKS:
        return lambda _: _refuse(link)
    if name is None and words[:1] in ([], ["-h"], ["--help"]):
        return _overview
    if name is None:
        import salt_g.cli.short_form as short_form

        name = "cmd" if short_form.is_target(words) else "call"
        if name == "call" and short_form.lone_target(words) is not None:
            return _report_missing_function
    return _load(SUBCOMMANDS[name])


def _subcommand(words: list[str]) -> str | None:
    """Return the subcommand and remove it from `words`; None if the command line has no subcommand.

    The subcommand can follow options (`-c DIR key -L`). `help SUBCOMMAND` becomes `SUBCOMMAND --help`.
    """
    if words and words[0] in SUBCOMMANDS:
        return words.pop(0)
    if words[:1] == ["help"] and words[1:2] and words[1] in SUBCOMMANDS:
        name, words[:] = words[1], ["--help"]
        return name
    if words[1:] and words[0].startswith("-"):
        import salt_g.cli.short_form as short_form

        place = short_form.subcommand_behind_options(words, SUBCOMMANDS)
        if place is not None:
            return words.pop(place)
    return None


def _report_missing_function(words: list[str]) -> int:
    """Report, without contacting a master, that a command such as `salt-g m1` lacks a function."""
    import salt_g.cli.short_form as short_form
    import salt_g.cli.suggestions as suggestions

    word = short_form.lone_target(words) or ""
    if word in _ABSENT_WORDS:
        return _refuse(word)
    print(
        f"{word!r} is not available.\nsalt-g: {suggestions.for_lone_word(word, SUBCOMMANDS)}", file=sys.stderr
    )
    return exit_codes.UNAVAILABLE


def _refuse(word: str) -> int:
    """Print why salt-g lacks the program `word`; return the exit code."""
    import salt_g.cli.suggestions as suggestions

    print(suggestions.for_absent_program(word), file=sys.stderr)
    return exit_codes.USAGE


def _load(module: str) -> Callable[[list[str]], int]:
    import importlib

    program: Callable[[list[str]], int] = importlib.import_module(f"salt_g.cli.{module}").main
    return program


def _version(words: list[str]) -> int:
    from salt_g.report.source_commit import version

    print(f"salt-g {version()}")
    return exit_codes.OK


def _overview(words: list[str]) -> int:
    import salt_g.cli.overview as overview

    return overview.main(words)
