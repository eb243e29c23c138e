"""`salt-g quickstart`: start a master and some minions on this host, and apply states within seconds.

All files are in one directory, which is removed at the end unless `--keep` is given.
"""

from __future__ import annotations

import argparse
import os
import select
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import TYPE_CHECKING, Any

import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
import salt_g.cli.progress as progress
from salt_g.cli.daemon.api import has_libraries
from salt_g.cli.options import OptionParser
from salt_g.client.jobs import JobClient
from salt_g.client.publishing import JobRequest
from salt_g.errors import SaltGError
from salt_g.process.command import is_frozen
from salt_g.process.deferred_signals import TERMINATING
from salt_g.quickstart.fleet import API_USER, Fleet, longest_directory
from salt_g.report.run_verdict import succeeded

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft
    from salt_g.shapes.loads import Answers

_EPILOG = """\
examples:
  salt-g quickstart
  salt-g quickstart --minions 10
  salt-g quickstart --keep /tmp/fleet
  salt-g quickstart --store postgresql://salt@localhost/salt

Nothing outside the fleet's directory is changed, except the database of --store, where the data stays. A
database with data of other minions is refused. At a terminal the fleet runs until Enter is pressed.
exit codes: 0 all minions converged, 1 a minion did not or a daemon failed, 64 wrong options.
"""
#: Maximum number of minions: each is a process of about 30 MiB.
_MOST_MINIONS = 200
_NAME, _STOCK_ID = "salt-g", "stock"
#: Parent directory of a trial fleet if the path of the temporary directory is too long for sockets.
_SHORT_TEMPORARY = "/tmp"
#: Edit before the last run: file below the tree, old text, new text.
_EDIT = ("pillar/web.sls", "port: 8080", "port: 8443")

#: Callback that reports the result of a step.
Done = Callable[[str], None]


def build_parser(prog: str = "salt-g quickstart") -> OptionParser:
    """Return the parser of `salt-g quickstart`."""
    parser = OptionParser(
        prog=prog,
        usage="%(prog)s [options]",
        description="Start a master and minions on this host, apply sample states, show what happened.",
        epilog=_EPILOG,
    )
    parser.add_argument("--minions", type=int, default=3, metavar="N", help="how many minions (3)")
    parser.add_argument(
        "--keep",
        metavar="DIR",
        help="use this new or empty directory, and keep it and the daemons running",
    )
    parser.add_argument(
        "--stock",
        nargs="?",
        const="salt-minion",
        metavar="PROGRAM",
        help="add a minion of stock Salt: path of its salt-minion (default: from PATH)",
    )
    parser.add_argument(
        "--store",
        metavar="URL",
        help="keep the master's data on a PostgreSQL server (postgresql://USER@HOST/DATABASE)",
    )
    return parser


def main(words: list[str]) -> int:
    """Start a fleet and apply states to it; return the exit code."""
    parser = build_parser()
    options = parser.options_only(words)
    if not 1 <= options.minions <= _MOST_MINIONS:
        parser.error(f"--minions must be 1 to {_MOST_MINIONS}")
    stock = shutil.which(options.stock) if options.stock else None
    if options.stock and not stock:
        parser.error(f"no program {options.stock!r} for --stock: give the path of a stock salt-minion")
    ids = _ids(options.minions)
    longest = longest_directory([*ids, _STOCK_ID] if stock else ids)
    if options.keep and (problem := _problem_of(os.path.abspath(options.keep), longest)):
        parser.error(f"--keep {options.keep}: {problem}")
    # Daemons must not keep running after a signal ended this program.
    for number in TERMINATING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup`, or a shell's background job
            signal.signal(number, _leave)
    try:
        if options.store:
            _try_store(options.store)
        return _show(options, ids, stock, longest)
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc)
    except BrokenPipeError:
        raise
    except OSError as exc:
        print(f"{parser.prog}: {exc}", file=sys.stderr)
        return exit_codes.FAILED


def _leave(number: int, frame: FrameType | None) -> None:
    """Begin an orderly exit; further signals are ignored until `_end` handles them."""
    for each in TERMINATING:
        signal.signal(each, lambda number, frame: None)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _ids(number: int) -> list[str]:
    return [f"m{one}" for one in range(1, number + 1)]


def _try_store(url: str) -> None:
    """Create the tables on the database server; raise StoreError or ConfigError if a fleet cannot use it."""
    from salt_g.cache.store_choice import store_at
    from salt_g.quickstart.fleet import check_trial

    with store_at(url, name="--store", otherwise="leave it out to keep the data in a file") as store:
        store.check()
        # All possible ids, because an earlier fleet in this database may have been larger.
        check_trial(store, [*_ids(_MOST_MINIONS), _STOCK_ID])


def _problem_of(directory: str, longest: int) -> str:
    """Return why a fleet cannot use a directory that the user gave, "" if it can."""
    if os.path.isdir(directory) and os.listdir(directory):
        # The whole directory is removed at the end, so it must hold nothing else; another fleet may be using
        # it.
        return "it is not empty; give an empty or new directory"
    if len(os.fsencode(directory)) > longest:
        return f"its path may have at most {longest} characters, because sockets are created below it"
    return ""


def _temporary(longest: int) -> str:
    directory = tempfile.mkdtemp(prefix="salt-g-")
    if len(os.fsencode(directory)) <= longest:
        return directory
    os.rmdir(directory)
    return tempfile.mkdtemp(prefix="salt-g-", dir=_SHORT_TEMPORARY)


def _show(options: argparse.Namespace, ids: list[str], stock: str | None, longest: int) -> int:
    directory = os.path.abspath(options.keep) if options.keep else _temporary(longest)
    stays = bool(options.keep) or (sys.stdin.isatty() and sys.stdout.isatty())
    fleet = Fleet(directory, ids, _program(), store=options.store, with_api=stays and has_libraries())
    if stock:
        fleet.add_stock(_STOCK_ID, stock)
    is_left = False
    try:
        with JobClient(_settings_of(fleet)) as client:
            code = _converge(fleet, client)
        is_left = bool(options.keep)
        if is_left:
            quoted = shlex.quote(directory)
            print(_next(fleet, "The fleet keeps running. Try"))
            print(
                # Daemons write until they exit; a stock minion takes the longest.
                f"and end it with\n  kill $(cat {quoted}/*/var/run/*.pid); sleep 5; rm -r {quoted}"
            )
        elif stays:
            print(_next(fleet, "Try in another terminal"))
            _wait_for_enter()
        else:
            print("\nThe fleet is stopped and removed; `--keep DIR` keeps it running.")
        if options.store:
            print("Its data stays in the database; DROP SCHEMA salt_g CASCADE removes it.")
        return code
    finally:
        if not is_left:
            _end(fleet, is_kept=bool(options.keep))


def _wait_for_enter() -> None:
    """Wait until the user presses Enter, Ctrl-D or Ctrl-C.

    `input` alone misses a Ctrl-C between printing the prompt and reading: the interpreter records the signal
    while the read keeps waiting. Here signals write to a pipe, so that `select` notices them at any time.
    From here on Ctrl-C raises no KeyboardInterrupt; `_end` handles it.
    """
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    print("\nThe fleet runs until you press Enter. ", end="", flush=True)
    readable, _, _ = select.select([sys.stdin, woken], [], [])
    if woken in readable or not sys.stdin.readline():
        print()


def _end(fleet: Fleet, *, is_kept: bool) -> None:
    """Stop all daemons and remove their files unless kept; a further signal kills the daemons."""
    for number in TERMINATING:
        signal.signal(number, lambda number, frame: fleet.kill())
    fleet.stop()
    if not is_kept:
        shutil.rmtree(fleet.directory, ignore_errors=True)


def _settings_of(fleet: Fleet) -> OptsDraft:
    """Start the master and return its settings."""
    from salt_g import config

    with _Step("master") as done:
        fleet.start_master()
        done(f"listens on 127.0.0.1, everything is below {fleet.directory}")
    return config.load("master", fleet.master_dir, {}, asks_for_id=False).opts


def _converge(fleet: Fleet, client: JobClient) -> int:
    with _Step("minions") as done:
        fleet.start_minions(client.opts)
        done(f"{', '.join(fleet.ids) if len(fleet.ids) < 8 else len(fleet.ids)} signed in")
    first = _highstate(client, "highstate")
    _highstate(client, "again")
    fleet.edit(*_EDIT)
    second = _highstate(client, "edited")
    print(f"\nChanges of the first run on {fleet.ids[0]}:")
    _print_changes(fleet, first, is_short=True)
    _, before, after = _EDIT
    print(f"\nChanges of the last run, after replacing `{before}` with `{after}` in {fleet.tree}/{_EDIT[0]}:")
    _print_changes(fleet, second)
    runs = (first, second)
    return exit_codes.OK if all(_is_converged(fleet, found) for found in runs) else exit_codes.FAILED


def _is_converged(fleet: Fleet, found: Mapping[str, Any]) -> bool:
    return len(found) == len(fleet.ids) and all(map(succeeded, found.values()))


class _Step:
    """Output of one step, with name, result and duration."""

    def __init__(self, step: str) -> None:
        self._step = step

    def __enter__(self) -> Done:
        self._started = time.monotonic()
        return self._done

    def __exit__(self, *_: object) -> None:
        pass

    def _done(self, text: str) -> None:
        print(f"{self._step:10} {text} ({time.monotonic() - self._started:.2f} s)", flush=True)


def _highstate(client: JobClient, step: str) -> Answers:
    """Run `state.apply` on all minions; return {id: result}."""
    found: Answers = {}
    with _Step(step) as done:
        published = client.publish(JobRequest("*", "state.apply"))
        if published is None:
            raise SaltGError("the master has no minion")
        with progress.minions_line(len(published.minions)) as line:
            for returned in client.collect(published, pause=line.pause):
                if returned is not None:
                    found[returned.id] = returned.data["return"]
                line.show(client.watch)
        done(_counted(found))
    for id in sorted(set(published.minions) - set(found)):
        print(f"           {id}: {client.watch.verdict(id) if client.watch else 'no answer'}")
    return found


def _counted(found: Mapping[str, Any]) -> str:
    """Return the counts of a run, as `3 minions, 14 states: 14 succeeded (14 changed), 0 failed`."""
    states = list(_states(found))
    changed = sum(bool(state.get("changes")) for _, state in states)
    failed = sum(state.get("result") is False for _, state in states)
    minions = "1 minion" if len(found) == 1 else f"{len(found)} minions"
    return (
        f"{minions}, {len(states)} states: {len(states) - failed} succeeded ({changed} changed), "
        f"{failed} failed"
    )


def _states(found: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for id, returned in sorted(found.items()):
        if isinstance(returned, dict):
            yield from ((id, state) for state in returned.values() if isinstance(state, dict))


def _print_changes(fleet: Fleet, found: Mapping[str, Any], *, is_short: bool = False) -> None:
    """Print the changes of a run on the first minion, and failures on any minion."""
    for id, returned in sorted(found.items()):
        if not isinstance(returned, dict):
            print(f"  {id}: {_last_line(returned)}")
    shown = fleet.ids[0]
    for id, state in _states(found):
        if state.get("result") is False:
            print(f"  {id}: {state.get('name')}: {state.get('comment')}")
        elif id == shown and state.get("changes"):
            print("  " + str(state["name"]).replace(fleet.machine(id), "…"))
            if not is_short and "diff" in state["changes"]:
                print(_indented(state["changes"]["diff"]))


def _last_line(returned: Any) -> str:
    """Return the last line of an error, which names its cause in tracebacks and SLS errors."""
    text = "\n".join(map(str, returned)) if isinstance(returned, list) else str(returned)
    return text.strip().rpartition("\n")[2]


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _next(fleet: Fleet, when: str) -> str:
    """Return the text about commands for the user to try, and start the HTTP API if it is available."""
    conf, salt_g = shlex.quote(fleet.master_dir), shlex.quote(_called())
    return "\n".join(
        [
            f"\n{when}",
            f"  {salt_g} -c {conf} '*' test.ping",
            f"  {salt_g} -c {conf} '*' state.apply test=True",
            f"  {salt_g} -c {conf} -C 'G@kernel:Linux and I@role:web' pillar.items",
            f"  {salt_g} run -c {conf} jobs.list_jobs",
            f"  {salt_g} event -c {conf}",
            f"  $EDITOR {shlex.quote(fleet.tree)}/pillar/common.sls    # then state.apply again",
            *_api_lines(fleet),
        ]
    )


def _api_lines(fleet: Fleet) -> list[str]:
    """Start the HTTP API and return lines with its address and an example; without the API return advice."""
    if not fleet.password:
        return ["The page and the HTTP API need `pip install 'salt-g[api]'`."]
    url = fleet.start_api()
    login = f"-d eauth=sharedsecret -d username={API_USER} -d password={fleet.password}"
    order = "-d client=local -d tgt='*' -d fun=test.ping"
    return [
        f"Open {url}/ in a browser: user {API_USER}, password {fleet.password}",
        "or use the HTTP API",
        f"  curl -s {url}/run {login} {order}",
    ]


def _program() -> list[str]:
    """Return the command that runs this installation."""
    if is_frozen():
        return [sys.executable]
    return [_own_path()]


def _called() -> str:
    """Return the command that calls this program: its name if found in PATH, else its path."""
    found = shutil.which(_NAME)
    if found and os.path.realpath(found) == _own_path():
        return _NAME
    return os.path.abspath(shutil.which(sys.argv[0]) or sys.argv[0])


def _own_path() -> str:
    return os.path.realpath(shutil.which(sys.argv[0]) or sys.argv[0])
