"""Templates of services: systemd units, an init script, an OpenRC script, log rotation."""

from __future__ import annotations

from collections.abc import Sequence

#: {role: time without a ping after which systemd restarts the daemon (s)}; longer for a minion, because
#: users' modules can block its hub.
_WATCHDOG = {"master": 60, "minion": 300, "api": 60}
_UNIT = """\
# Made by {made_by}. Change it by a file in {unit}.d/, which an upgrade leaves alone.
[Unit]
Description=salt-g {role}
Documentation=man:systemd.unit(5)
Wants=network-online.target
After=network-online.target
# Restart without limit: a limit would leave the host without the service.
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
ExecStart={command} {role}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=1
TimeoutStopSec=60
# Restart after this many seconds in which nothing ran, as in a function that blocks the whole process.
WatchdogSec={watchdog}
LimitNOFILE=100000
{more}
[Install]
WantedBy=multi-user.target
"""
#: Sandbox of a master's unit: the master changes nothing on its own host but its own files and /srv.
_MASTER = """\
# Writable: its keys, caches, logs, sockets and pid file, and /srv; add ReadWritePaths for more.
ProtectSystem=strict
ReadWritePaths={writable}
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
# A master that runs as another user (setting `user`) and uses PAM needs `no` here.
NoNewPrivileges=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
KeyringMode=private
# Root privileges that a master uses: read and chown files of other users (keys, file_roots), switch to the
# user of the setting `user`, use PAM, listen on a port below 1024, kill processes it started.
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_SETUID CAP_SETGID
CapabilityBoundingSet=CAP_AUDIT_WRITE CAP_NET_BIND_SERVICE CAP_KILL
"""
#: A minion may change everything; its processes may outlive it (a service, its own upgrade).
_MINION = """\
# A minion manages this host, so it is not restricted; processes it starts may outlive it.
KillMode=process
TasksMax=infinity
"""
#: The HTTP API writes sessions and a log, and becomes the user of the setting `api_user`.
_API = """\
ProtectSystem=full
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# Root privileges: give files to `api_user` and switch to it, reach the master's socket, a port below 1024.
CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_SETUID CAP_SETGID
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
"""
_INIT = """\
#!/bin/sh
### BEGIN INIT INFO
# Provides:          {service}
# Required-Start:    $network $remote_fs
# Required-Stop:     $network $remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: salt-g {role}
### END INIT INFO
# Made by `salt-g install {role}`.

running() {{ [ -s {pid_file} ] && kill -0 "$(cat {pid_file})" 2>/dev/null; }}

start() {{ running || {command} {role} -d; }}

stop() {{
    running || return 0
    kill "$(cat {pid_file})"
    for _ in $(seq 60); do running || return 0; sleep 1; done
    echo "{service} does not stop" >&2
    return 1
}}

case "$1" in
    start) start ;;
    stop) stop ;;
    restart|force-reload) stop && start ;;
    reload) running && kill -HUP "$(cat {pid_file})" ;;
    status) running || {{ echo "{service} is not running"; exit 3; }}; echo "{service} is running" ;;
    *) echo "usage: $0 start|stop|restart|reload|status" >&2; exit 2 ;;
esac
"""
_OPENRC = """\
#!/sbin/openrc-run
# Made by `salt-g install {role}`.

name="salt-g {role}"
command="{command}"
command_args="{role}"
command_background=yes
pidfile="/run/{service}.openrc.pid"
retry="TERM/60/KILL/5"
rc_ulimit="-n 100000"

depend() {{
    need net
    after firewall
}}
"""
_LOGROTATE = """\
# Made by {made_by}.
{log_file} {{
    weekly
    rotate 7
    missingok
    notifempty
    compress
    delaycompress
    postrotate
        [ ! -s {pid_file} ] || kill -HUP "$(cat {pid_file})" 2>/dev/null || true
    endscript
}}
"""


def name_of(role: str) -> str:
    """Return the service name of a role."""
    return f"salt-g-{role}"


def unit(role: str, command: str, writable: Sequence[str], *, made_by: str = "") -> str:
    """Return a systemd unit; `writable` are the directories that a master may write to.

    `made_by` is the origin that the unit's comment names, by default `salt-g install`.
    """
    # A missing directory must not prevent the service from starting.
    paths = " ".join(f"-{path}" for path in writable)
    more = {"master": _MASTER.format(writable=paths), "minion": _MINION, "api": _API}[role]
    unit = f"{name_of(role)}.service"
    watchdog, origin = _WATCHDOG[role], made_by or _installer(role)
    return _UNIT.format(role=role, unit=unit, command=command, more=more, watchdog=watchdog, made_by=origin)


def init_script(role: str, command: str, pid_file: str) -> str:
    """Return a script for /etc/init.d."""
    return _INIT.format(role=role, service=name_of(role), command=command, pid_file=pid_file)


def openrc_script(role: str, command: str) -> str:
    """Return an OpenRC script."""
    return _OPENRC.format(role=role, service=name_of(role), command=command)


def rotation(role: str, log_file: str, pid_file: str, *, made_by: str = "") -> str:
    """Return a logrotate configuration; `made_by` as in `unit`."""
    return _LOGROTATE.format(log_file=log_file, pid_file=pid_file, made_by=made_by or _installer(role))


def _installer(role: str) -> str:
    return f"`salt-g install {role}`"
