"""Lifecycle of a daemon process: settings, pid file, start, notices to the service manager, shutdown.

`daemon_signals.py` requests the shutdown.

Units: seconds.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import salt_g.cli.exit_codes as exit_codes
from salt_g.cli import saltfile
from salt_g.cli.daemon.background import Starter, leave_foreground
from salt_g.cli.options import (
    LOG_SETTINGS,
    OptionParser,
    add_config,
    add_logging,
    add_saltfile,
    add_versions_report,
    given,
)

#: Switch interval of the interpreter (s): below 10 ms, the limit for blocking the hub.
SWITCH_INTERVAL = 0.0005


class Daemon(Protocol):
    """Daemon program that runs until it is asked to shut down."""

    supervisor: Any

    def start(self) -> None:
        """Start serving."""

    def status(self) -> Mapping[str, Any]:
        """Return the status fields for the service manager, sent with READY=1."""

    def stop(self) -> bool:
        """Shut down; return whether all work was finished."""


class CannotStart(Exception):
    """Raised if the daemon cannot start; the message is the cause, such as a port that is in use."""


def build_parser(prog: str, description: str, epilog: str) -> OptionParser:
    """Return the parser with the options common to all daemons."""
    parser = OptionParser(
        prog=prog,
        description=description,
        epilog=epilog,
    )
    add_config(parser)
    add_versions_report(parser)
    add_saltfile(parser)
    parser.add_argument("-u", "--user", help="user to run as")
    parser.add_argument("-d", "--daemon", action="store_true", help="run in the background")
    parser.add_argument("--pid-file", dest="pidfile", metavar="FILE", help="file with the process id")
    # Stock's systemd units pass this option; a daemon of salt-g is restarted only by the service manager.
    parser.add_argument("--disable-keepalive", action="store_true", help="accepted; has no effect")
    add_logging(parser)
    return parser


def main(
    role: str,
    parser: OptionParser,
    words: list[str],
    make: Callable[[Any], Daemon],
    adapt: Callable[[Any], Any] | None = None,
) -> int:
    """Parse the options and run the daemon that `make` builds from the settings; return the exit code."""
    options, rest = saltfile.split(parser, words, f"salt-{role}")
    if rest:
        parser.error(f"unexpected argument: {rest[0]}")
    return run(role, options, make, adapt)


def run(
    role: str,
    options: argparse.Namespace,
    make: Callable[[Any], Daemon],
    adapt: Callable[[Any], Any] | None = None,
) -> int:
    """Run a daemon in the foreground or, with `-d`, in the background; return the exit code.

    `adapt` derives the settings of a daemon that belongs to a master from the master's settings.
    """
    config_role = role if adapt is None else "master"
    starter = leave_foreground() if options.daemon else Starter()
    from salt_g.process import monkey_patch, title

    # Off until the daemon is built: objects created at startup live as long as the process.
    gc.disable()
    # Must be first: modules imported earlier keep the blocking standard library.
    monkey_patch.patch()
    sys.setswitchinterval(SWITCH_INTERVAL)
    title.show_as(f"salt-{role}")
    import salt_g.cli.daemon.daemon_user as daemon_user
    from salt_g import config
    from salt_g.cli.error_report import fail
    from salt_g.cli.settings_plugins import LocalSettingsPlugins
    from salt_g.errors import ConfigError, SaltGError
    from salt_g.telemetry import log

    if problem := config.directory_problem(options.config_dir):
        return fail(f"salt-g {role}", ConfigError([problem]))
    overrides = given(options, "user", "pidfile", *LOG_SETTINGS)
    try:
        settings = config.load(config_role, options.config_dir, overrides, plugins=LocalSettingsPlugins())
        if adapt is not None:
            settings = adapt(settings)
    except ConfigError as exc:
        return fail(f"salt-g {role}", exc)
    try:
        daemon_user.prepare_files(settings.opts, role)
    except (SaltGError, OSError) as exc:
        return fail(f"salt-g {role}", exc)
    log.set_up(settings.opts, counts_floods=True)
    settings.log_files()
    if warning := config.without_own_file(options.config_dir, config_role):
        settings.warnings.append(warning)
    return _serve(settings, make, starter)


def _serve(settings: Any, make: Callable[[Any], Daemon], starter: Starter) -> int:
    import logging

    import salt_g.cli.daemon.daemon_signals as daemon_signals
    import salt_g.cli.daemon.pid_file as pid_file
    from salt_g.errors import SaltGError
    from salt_g.process import privileges

    log = logging.getLogger(__name__)
    for warning in settings.warnings:
        log.warning("%s", warning)
    try:
        with pid_file.held(settings.opts["pidfile"]):
            privileges.become(settings.opts["user"])
            return _run_until_shutdown(settings, make, starter)
    except daemon_signals.ShutdownRequested:
        return exit_codes.OK
    except (SaltGError, OSError) as exc:
        log.critical("%s cannot run: %s", settings.role, exc)
        log.debug("cause of the failed start", exc_info=True)
        return exit_codes.FAILED


def _run_until_shutdown(settings: Any, make: Callable[[Any], Daemon], starter: Starter) -> int:
    import logging

    import salt_g.cli.daemon.daemon_signals as daemon_signals
    from salt_g.cli.daemon.systemd_notify import ServiceManager
    from salt_g.errors import SaltGError

    log = logging.getLogger(__name__)
    manager = ServiceManager.taken_from(os.environ)
    daemon_signals.listen(settings.opts)
    _use_plugins(settings)
    daemon = make(settings)
    gc.enable()
    code = exit_codes.OK
    try:
        manager.ready(_start(daemon, settings, starter))
        starter.notify_ready()
        if manager.interval:
            daemon.supervisor.spawn(manager.ping, name="watchdog")
        daemon.supervisor.wait()
    except daemon_signals.ShutdownRequested:
        log.info("shutting down")
    except CannotStart as exc:
        log.critical("%s cannot run: %s", settings.role, exc)
        log.debug("cause of the error", exc_info=True)
        code = exit_codes.FAILED
    # The Supervisor re-raises the error that ended a greenlet; the daemon still shuts down cleanly.
    except SaltGError as exc:
        log.critical("%s shuts down: %s", settings.role, exc)
        log.debug("cause of the error", exc_info=True)
        code = exit_codes.FAILED
    except Exception:
        log.critical("%s shuts down because of an error", settings.role, exc_info=True)
        code = exit_codes.FAILED
    manager.stopping()
    try:
        clean = daemon.stop()
    except daemon_signals.ShutdownRequested:
        clean = False
    return code if clean else exit_codes.FAILED


def _use_plugins(settings: Any) -> None:
    """Add users' log handlers; log a warning for each configured source that no plugin provides."""
    import logging

    import salt_g.cli.daemon.daemon_plugins as daemon_plugins

    daemon_plugins.add_log_handlers(settings.opts)
    for sentence in daemon_plugins.unknown_sources(settings.role, settings.opts):
        logging.getLogger(__name__).warning("%s", sentence)


def _start(daemon: Daemon, settings: Any, starter: Starter) -> Mapping[str, Any]:
    """Start the daemon, print a notice at a terminal, return the status; raise CannotStart with the cause."""
    from salt_g.errors import SaltGError

    try:
        daemon.start()
    except (SaltGError, OSError) as exc:
        raise CannotStart(str(exc)) from exc
    status = daemon.status()
    if sys.stderr.isatty():
        # A daemon started from a terminal would otherwise print nothing.
        detail = f" ({status['STATUS']})" if "STATUS" in status else ""
        ending = "" if starter.is_waiting else "; press Ctrl-C to stop it"
        print(f"salt-g {settings.role} runs{detail}{ending}", file=sys.stderr)
    return status
