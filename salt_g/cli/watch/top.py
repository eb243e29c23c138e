"""`salt-g top`: show a live view of the master on this machine, with jobs, minions, queues and delays.

Writes escape sequences to the terminal directly; `top_frame.py` formats the lines.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import salt_g.cli.client_settings as client_settings
import salt_g.cli.error_report as error_report
import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.options import (
    LOG_SETTINGS,
    OUTPUT_SETTINGS,
    OptionParser,
    add_config,
    add_logging,
    add_output,
    chooses_output,
    given,
)
from salt_g.cli.watch.top_frame import SORTS, Sample, cut, frame
from salt_g.client.publishing import error_of
from salt_g.client.unix_link import UnixLink
from salt_g.errors import (
    AuthorizationError,
    ClientError,
    CommandExecutionError,
    SaltGError,
    StoreError,
)

if TYPE_CHECKING:
    from salt_g.cluster.offline import StatusMonitor
    from salt_g.shapes import Opts

#: Timeout of an answer (s).
_PATIENCE = 10.0
#: Time between the two samples of `--once`, from which rates are computed (s).
_APART = 0.5
#: Minimum and maximum refresh interval (s).
_LEAST, _MOST = 0.1, 86400.0
_EPILOG = """\
keys: q quits, p pauses, s changes the order of the jobs.

examples:
  salt-g top
  salt-g top --interval 5
  salt-g top --once | head -8
  salt-g top --all                      with all masters of a cluster
  salt-g top --out=json                 one sample as data

exit codes: 0 quit with q, or one frame was printed; 2 no master is running (with --once), or it refuses.
"""
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _TO_LINE_END, _TO_SCREEN_END = "\x1b[H", "\x1b[K", "\x1b[J"


def build_parser() -> OptionParser:
    """Return the parser of `salt-g top`; completion scripts are generated from it too."""
    parser = OptionParser(
        prog="salt-g top",
        usage="%(prog)s [options]",
        description="Watch the master on this machine: jobs, minions, queues, delays.",
        epilog=_EPILOG,
    )
    add_config(parser)
    parser.add_argument(
        "--once", "--plain", action="store_true", help="print one frame and exit, as into a pipe"
    )
    parser.add_argument("--interval", type=float, default=1.0, metavar="S", help="time between two frames")
    parser.add_argument("--all", action="store_true", help="show all masters of the cluster, too")
    parser.add_argument("--sort", choices=SORTS, default=SORTS[0], help="order of the jobs")
    add_output(parser, has_states=False)
    add_logging(parser)
    return parser


def main(words: list[str]) -> int:
    """Show the live view, print one frame of it, or print one sample as data; return the exit code."""
    parser = build_parser()
    options = parser.options_only(words)
    try:
        overrides = given(options, *LOG_SETTINGS, *OUTPUT_SETTINGS)
        opts = client_settings.load(options, overrides, asks_for_id=False)
        source = _Source(str(opts["sock_dir"]), _watch(opts) if options.all else None)
        if chooses_output(overrides):
            return _present(source, opts)
        if options.once or not _has_screen():
            return _print_once(source, options.sort)
        return _Screen(source, min(max(_LEAST, options.interval), _MOST), options.sort).run()
    except SaltGError as exc:
        return error_report.fail(parser.prog, exc)


def _has_screen() -> bool:
    """Return whether input and output are terminals that support screen control."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _watch(opts: Opts) -> StatusMonitor:
    """Return the view of all masters of the cluster; raise CommandExecutionError outside of a cluster."""
    from salt_g.cache.store_choice import server_url, store_at

    if not opts.get("cluster") or not server_url(opts):
        raise CommandExecutionError("--all: this master is not in a cluster; see docs/cluster.md")
    # Imported lazily: a master outside a cluster does not need it.
    from salt_g.cluster.offline import StatusMonitor

    return StatusMonitor(store_at(server_url(opts)))


class _Source:
    """Source of the master's samples, which reconnects after the master was unreachable.

    With `watch`, samples also have `masters`, the data of all masters of the cluster.
    """

    def __init__(self, sock_dir: str, watch: StatusMonitor | None = None) -> None:
        self._sock_dir = sock_dir
        self._watch = watch
        self._link: UnixLink | None = None

    def sample(self) -> Sample:
        """Return a sample of the master; raise ClientError if the master cannot be asked or refuses."""
        if self._link is None:
            self._link = UnixLink(self._sock_dir)
        try:
            reply = self._link.ask({"cmd": "top"}, timeout=_PATIENCE)
        except ClientError:
            self._link.close()
            self._link = None
            raise
        if not isinstance(reply, Mapping) or "metrics" not in reply:
            error = reply.get("error") if isinstance(reply, Mapping) else None
            raise error_of(error or "the master does not support `salt-g top`; restart it after an upgrade")
        return reply if self._watch is None else {**reply, "masters": self._masters(self._watch)}

    def _masters(self, watch: StatusMonitor) -> dict[str, Any]:
        try:
            return watch.status().as_map()
        except StoreError as exc:
            raise ClientError(str(exc)) from exc


def _present(source: _Source, opts: Opts) -> int:
    """Print one sample as data; return the exit code."""
    from salt_g.cli import printing

    return printing.present(source.sample(), None, opts)


def _print_once(source: _Source, sort: str) -> int:
    before = source.sample()
    time.sleep(_APART)
    width = shutil.get_terminal_size((160, 0)).columns
    for line in frame(source.sample(), before, sort=sort, width=width):
        print(line)
    return exit_codes.OK


class _Screen:
    """Terminal display of `salt-g top`."""

    def __init__(self, source: _Source, interval: float, sort: str) -> None:
        self._source = source
        self._interval = interval
        self._sort = sort
        self._is_paused = False
        self._trouble = ""
        self._sample: Sample | None = None
        self._before: Sample | None = None
        self._woken = -1

    def run(self) -> int:
        """Show frames until q is pressed; return the exit code."""
        with _terminal() as self._woken:
            while True:
                if not self._is_paused:
                    self._take_sample()
                self._draw()
                if not self._wait():
                    return exit_codes.OK

    def _take_sample(self) -> None:
        try:
            self._before, self._sample, self._trouble = self._sample, self._source.sample(), ""
        except AuthorizationError:
            raise
        except ClientError as exc:
            self._trouble = f"no connection to the master, retrying: {exc}"

    def _draw(self) -> None:
        size = shutil.get_terminal_size()
        lines = [
            self._trouble or f"q quit  p pause  s sort: {self._sort}{'   PAUSED' if self._is_paused else ''}"
        ]
        if self._sample is not None:
            height = max(1, size.lines - 2)
            lines += frame(self._sample, self._before, sort=self._sort, width=size.columns, height=height)
        shown = (cut(line, size.columns) + _TO_LINE_END for line in lines)
        sys.stdout.write(_HOME + "\r\n".join(shown) + _TO_SCREEN_END)
        sys.stdout.flush()

    def _wait(self) -> bool:
        """Wait until the next frame is due, handling keys at once; return whether to continue."""
        deadline = time.monotonic() + self._interval
        while (left := deadline - time.monotonic()) > 0:
            ready = select.select([sys.stdin, self._woken], [], [], left)[0]
            if not ready:
                return True
            if self._woken in ready:
                # The window was resized, or the process resumed in the foreground.
                os.read(self._woken, 64)
            # Read the descriptor, because select does not see input that Python's stream has buffered.
            if sys.stdin in ready:
                for key in os.read(sys.stdin.fileno(), 64) or b"q":
                    if key == ord("q"):
                        return False
                    self._handle_key(key)
            self._draw()
        return True

    def _handle_key(self, key: int) -> None:
        if key == ord("p"):
            self._is_paused = not self._is_paused
        elif key == ord("s"):
            self._sort = SORTS[(SORTS.index(self._sort) + 1) % len(SORTS)]


@contextlib.contextmanager
def _terminal() -> Iterator[int]:
    """Switch to the alternate screen and read single keys; always restore the terminal.

    Yield a descriptor that becomes readable when the screen must be redrawn.
    """
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)

    def enter() -> None:
        tty.setcbreak(sys.stdin)
        # Written to the descriptor, because a signal may interrupt a write of Python's stream.
        os.write(sys.stdout.fileno(), _ENTER.encode())

    def leave() -> None:
        os.write(sys.stdout.fileno(), _LEAVE.encode())
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def rest(number: int, frame: object) -> None:
        """Restore the terminal until the shell resumes us with `fg`."""
        leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, rest)
        enter()

    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGWINCH, lambda number, frame: None)
    signal.signal(signal.SIGTSTP, rest)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    try:
        enter()
        yield woken
    finally:
        # The terminal may be closed (SIGHUP).
        with contextlib.suppress(OSError, termios.error):
            leave()
