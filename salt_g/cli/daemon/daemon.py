"""What every daemon does around its work: signals, pid file, telling the service manager.

Why its own file: the same for master and minion; what they do is behind `Daemon`.
Units: seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli.daemon.background import Starter, leave_foreground
from salt_g.cli.options import HelpFormatter, OptionParser, add_config, add_logging, given

#: How long a thread may hold the interpreter (s): below the 10 ms that the hub may stand still.
SWITCH_INTERVAL = 0.0005
#: How long the ending of a daemon may take (s) before it is cut short.
STOP_TIMEOUT = 30.0


class Daemon(Protocol):
    """Something that runs until it is told to stop."""

    supervisor: Any

    def start(self) -> None:
        """Begin to serve."""

    def status(self) -> Mapping[str, Any]:
        """Return what the service manager is told, beside READY=1."""

    def stop(self) -> bool:
        """End; return whether everything was finished."""


class ShutdownRequested(BaseException):
    """A signal asks the daemon to end; raised in the main greenlet."""


class CannotStart(Exception):
    """What a daemon needs is missing or taken; the text says what."""


def build_parser(prog: str, description: str, epilog: str) -> OptionParser:
    """Return the parser with the options that all daemons have."""
    parser = OptionParser(
        prog=prog,
        description=description,
        epilog=epilog,
        formatter_class=HelpFormatter,
    )
    add_config(parser)
    parser.add_argument("-u", "--user", help="user to run as")
    parser.add_argument("-d", "--daemon", action="store_true", help="run in the background")
    parser.add_argument("--pid-file", dest="pidfile", metavar="FILE", help="file with the process id")
    add_logging(parser)
    return parser


def main(role: str, description: str, epilog: str, words: list[str], make: Callable[[Any], Daemon]) -> int:
    """Run the daemon that `make` builds from its settings; return the exit code."""
    parser = build_parser(f"salt-g {role}", description, epilog)
    options, rest = parser.split(words)
    if rest:
        parser.error(f"no word is expected: {rest[0]}")
    return run(role, options, make)


def run(role: str, options: argparse.Namespace, make: Callable[[Any], Daemon]) -> int:
    """Run a daemon in the foreground or, with `-d`, in the background; return its exit code."""
    starter = leave_foreground() if options.daemon else Starter()
    from salt_g.process import monkey_patch

    # First of all: what is imported before keeps the blocking standard library.
    monkey_patch.patch()
    sys.setswitchinterval(SWITCH_INTERVAL)
    import salt_g.cli.daemon.daemon_user as daemon_user
    from salt_g import config
    from salt_g.cli.error_report import fail
    from salt_g.cli.settings_plugins import PluggedSettings
    from salt_g.errors import ConfigError, SaltGError
    from salt_g.telemetry import log

    overrides = given(options, "user", "pidfile", "log_level", "log_file", "log_level_logfile")
    try:
        settings = config.load(role, options.config_dir, overrides, plugged=PluggedSettings())
    except ConfigError as exc:
        return fail(f"salt-g {role}", exc)
    try:
        daemon_user.own_files(settings.opts)
    except (SaltGError, OSError) as exc:
        return fail(f"salt-g {role}", exc)
    log.set_up(settings.opts, counts_floods=True)
    return _serve(settings, make, starter)


def _serve(settings: Any, make: Callable[[Any], Daemon], starter: Starter) -> int:
    import logging

    import salt_g.cli.daemon.pid_file as pid_file
    from salt_g.errors import SaltGError
    from salt_g.process import privileges

    log = logging.getLogger(__name__)
    for warning in settings.warnings:
        log.warning("%s", warning)
    try:
        with pid_file.held(settings.opts["pidfile"]):
            privileges.become(settings.opts["user"])
            return _run_until_told(settings, make, starter)
    except ShutdownRequested:
        return exit_codes.OK
    except (SaltGError, OSError) as exc:
        log.critical("%s cannot run: %s", settings.role, exc)
        log.debug("because of", exc_info=True)
        return exit_codes.FAILED


def _run_until_told(settings: Any, make: Callable[[Any], Daemon], starter: Starter) -> int:
    import logging

    import salt_g.cli.daemon.systemd_notify as systemd_notify

    log = logging.getLogger(__name__)
    _listen_to_signals(settings)
    daemon = make(settings)
    code = exit_codes.OK
    try:
        systemd_notify.ready(_start(daemon, settings, starter))
        starter.tell_ready()
        daemon.supervisor.wait()
    except ShutdownRequested:
        log.info("asked to end")
    except CannotStart as exc:
        log.critical("%s cannot run: %s", settings.role, exc)
        log.debug("because of", exc_info=True)
        code = exit_codes.FAILED
    # The Supervisor raises again what ended a greenlet, whatever it is; the rest still ends in order.
    except Exception:
        log.critical("%s ends because of an error", settings.role, exc_info=True)
        code = exit_codes.FAILED
    systemd_notify.stopping()
    try:
        clean = daemon.stop()
    except ShutdownRequested:
        clean = False
    return code if clean else exit_codes.FAILED


def _start(daemon: Daemon, settings: Any, starter: Starter) -> Mapping[str, Any]:
    """Start, say so at a terminal, return the status; raises CannotStart for what the operator can repair."""
    from salt_g.errors import SaltGError

    try:
        daemon.start()
    except (SaltGError, OSError) as exc:
        raise CannotStart(str(exc)) from exc
    status = daemon.status()
    if sys.stderr.isatty():
        # Who starts a daemon by hand would otherwise see nothing at all and wonder.
        told = f" ({status['STATUS']})" if "STATUS" in status else ""
        ending = "" if starter.is_waiting else "; Ctrl-C ends it"
        print(f"salt-g {settings.role} runs{told}{ending}", file=sys.stderr)
    return status


def _listen_to_signals(settings: Any) -> None:
    import signal

    import gevent
    import gevent.signal

    from salt_g.telemetry import log

    main = gevent.getcurrent()
    told = 0

    def end() -> None:
        nonlocal told
        told += 1
        if told > 1:
            os._exit(exit_codes.FAILED)
        gevent.kill(main, ShutdownRequested())

    gevent.signal_handler(signal.SIGTERM, end)
    gevent.signal_handler(signal.SIGINT, end)
    # Log files are opened anew, for tools that rotate them.
    gevent.signal_handler(signal.SIGHUP, lambda: log.set_up(settings.opts, counts_floods=True))
