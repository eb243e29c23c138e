"""States of syslog-ng: configuration from data, and its daemon on systems without a service manager.

An example of a statement::

    source.s_net:
      syslog_ng.config:
        - config:
          - tcp:
            - ip: 127.0.0.1
            - port: 1233
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import would_change


def config(name: str, config: Any, write: bool = True) -> StateReturn:
    """Append a statement to the configuration, again in each run, as stock does.

    name
        `type.id`, or the id with {type: options} as `config`.
    write
        If False, only show the text.

    Example::

        salt-g state.single syslog_ng.config source.s_net config='[{tcp: [{port: 1233}]}]'
    """
    if opts["test"] and write:
        shown: StateReturn = call("syslog_ng.config", name, config, write=False)
        return would_change(name, "The statement would be appended", shown["changes"])
    written: StateReturn = call("syslog_ng.config", name, config, write)
    return written


def started(
    name: str | None = None,
    user: str | None = None,
    group: str | None = None,
    chroot: str | None = None,
    caps: str | None = None,
    no_caps: bool = False,
    pidfile: str | None = None,
    enable_core: bool = False,
    fd_limit: int | None = None,
    verbose: bool = False,
    debug: bool = False,
    trace: bool = False,
    yydebug: bool = False,
    persist_file: str | None = None,
    control: str | None = None,
    worker_threads: int | None = None,
    *args: Any,
    **kwargs: Any,
) -> StateReturn:
    """Start the daemon with options of syslog-ng(8). Where a service manager runs, use `service.running`.

    Example::

        salt-g state.single syslog_ng.started syslog-ng
    """
    if opts["test"]:
        return would_change(str(name), "syslog-ng would be started")
    done: StateReturn = call(
        "syslog_ng.start", name=name, user=user, group=group, chroot=chroot, caps=caps, no_caps=no_caps,
        pidfile=pidfile, enable_core=enable_core, fd_limit=fd_limit, verbose=verbose, debug=debug,
        trace=trace, yydebug=yydebug, persist_file=persist_file, control=control,
        worker_threads=worker_threads,
    )  # fmt: skip
    return done


def stopped(name: str | None = None) -> StateReturn:
    """Kill the daemon. Where a service manager runs, use `service.dead`.

    Example::

        salt-g state.single syslog_ng.stopped syslog-ng
    """
    if opts["test"]:
        return would_change(str(name), "syslog-ng would be stopped")
    done: StateReturn = call("syslog_ng.stop", name)
    return done


def reloaded(name: str) -> StateReturn:
    """Reload the configuration of the running daemon.

    Example::

        salt-g state.single syslog_ng.reloaded syslog-ng
    """
    if opts["test"]:
        return would_change(name, "syslog-ng would be reloaded")
    done: StateReturn = call("syslog_ng.reload", name)
    return done
