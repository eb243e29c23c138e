"""Services of the host, managed with systemd, OpenRC or init scripts.

Each function is one round trip, because its script detects the init system.
"""

from __future__ import annotations

import fnmatch
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _remote

_WHICH = r"""
if [ -d /run/systemd/system ]; then with=systemd
elif command -v rc-service >/dev/null 2>&1; then with=openrc
else with=sysv; fi
"""
_ACT = (
    _WHICH
    + r"""
case $with in
systemd) systemctl "$2" "$1" ;;
openrc) rc-service "$1" "$2" ;;
*) if command -v service >/dev/null 2>&1; then service "$1" "$2"; else "/etc/init.d/$1" "$2"; fi ;;
esac
"""
)
#: Gives an init script separate streams, because a daemon that it starts keeps its streams open.
_QUIETLY = r"""
out=$(mktemp) || exit 1
( %s ) </dev/null >"$out" 2>&1
code=$?
cat "$out" >&2; rm -f "$out"
exit $code
"""
_STATUS = (
    _WHICH
    + r"""
case $with in
systemd) systemctl is-active --quiet "$1" ;;
openrc) rc-service "$1" status >/dev/null 2>&1 ;;
*) if command -v service >/dev/null 2>&1; then service "$1" status; else "/etc/init.d/$1" status; fi \
    >/dev/null 2>&1 ;;
esac
"""
)
_ENABLED = (
    _WHICH
    + r"""
case $with in
systemd) systemctl is-enabled --quiet "$1" ;;
openrc) rc-update show 2>/dev/null | awk '{ print $1 }' | grep -qxF -e "$1" ;;
*) ls /etc/rc[2345].d/S[0-9][0-9]"$1" >/dev/null 2>&1 ;;
esac
"""
)
_ENABLE = (
    _WHICH
    + r"""
case $with in
systemd) systemctl enable "$1" ;;
openrc) rc-update add "$1" default ;;
*) if command -v update-rc.d >/dev/null 2>&1; then update-rc.d "$1" defaults && update-rc.d "$1" enable
   else chkconfig --add "$1" && chkconfig "$1" on; fi ;;
esac
"""
)
_DISABLE = (
    _WHICH
    + r"""
case $with in
systemd) systemctl disable "$1" ;;
openrc) levels=$(rc-update show 2>/dev/null | while read -r name bar all; do
        [ "$name" != "$1" ] || echo "$all"; done)
    rc-update del "$1" ${levels:-default} ;;
*) if command -v update-rc.d >/dev/null 2>&1; then update-rc.d "$1" disable; else chkconfig "$1" off; fi ;;
esac
"""
)
_ALL = (
    _WHICH
    + r"""
[ "$with" != systemd ] || systemctl list-unit-files --no-legend --no-pager --full | awk '{ print $1 }'
[ "$with" = systemd ] || for file in /etc/init.d/*; do [ -x "$file" ] && echo "${file##*/}.service"; done
[ "$with" != systemd ] || for file in /etc/init.d/*; do [ -x "$file" ] && echo "${file##*/}.service"; done; :
"""
)
_AVAILABLE = (
    _WHICH
    + r"""
if [ "$with" = systemd ]; then
    [ "$(systemctl show -p LoadState --value "$1" 2>/dev/null)" != not-found ] && exit 0
fi
[ -x "/etc/init.d/$1" ]
"""
)
_MASKED = 'systemctl is-enabled "$1" 2>/dev/null'
_SUFFIX = ".service"
#: Suffixes of the units that `get_all` lists; it removes only `.service`.
_KINDS = (".service", ".socket", ".timer", ".path", ".mount", ".automount", ".swap", ".target", ".slice")


def get_all() -> list[str]:
    """Return the names of all services, sorted.

    Example::

        salt-g web-01 service.get_all
    """
    found = {line.strip() for line in _remote.output(_ALL).splitlines() if line.strip().endswith(_KINDS)}
    return sorted(name.removesuffix(_SUFFIX) for name in found)


def available(name: str) -> bool:
    """Return whether a service exists.

    Example::

        salt-g web-01 service.available cron
    """
    return _asked(_AVAILABLE, name)


def missing(name: str) -> bool:
    """Return whether a service does not exist.

    Example::

        salt-g web-01 service.missing cron
    """
    return not available(name)


def status(name: str, sig: str | None = None, **kwargs: Any) -> Any:
    """Return whether a service runs; for a glob, return {name: whether it runs}.

    Example::

        salt-g web-01 service.status cron
    """
    if any(char in name for char in "*?["):
        return {one: _asked(_STATUS, one) for one in fnmatch.filter(get_all(), name)}
    return _asked(_STATUS, name)


def start(name: str, **kwargs: Any) -> bool:
    """Start a service; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.start cron
    """
    return _done(name, "start")


def stop(name: str, **kwargs: Any) -> bool:
    """Stop a service; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.stop cron
    """
    return _done(name, "stop")


def restart(name: str, **kwargs: Any) -> bool:
    """Restart a service; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.restart cron
    """
    return _done(name, "restart")


def reload(name: str, **kwargs: Any) -> bool:
    """Reload a service's configuration; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.reload ssh
    """
    return _done(name, "reload")


def force_reload(name: str, **kwargs: Any) -> bool:
    """Reload a service's configuration, or restart it if it does not support that.

    Example::

        salt-g web-01 service.force_reload cron
    """
    return _done(name, "force-reload")


def enabled(name: str, **kwargs: Any) -> bool:
    """Return whether a service is enabled at boot.

    Example::

        salt-g web-01 service.enabled cron
    """
    return _asked(_ENABLED, name)


def disabled(name: str, **kwargs: Any) -> bool:
    """Return whether a service is not enabled at boot.

    Example::

        salt-g web-01 service.disabled cron
    """
    return not enabled(name)


def enable(name: str, **kwargs: Any) -> bool:
    """Enable a service at boot; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.enable cron
    """
    return _run(_ENABLE, name)


def disable(name: str, **kwargs: Any) -> bool:
    """Disable a service at boot; return True, or raise CommandExecutionError.

    Example::

        salt-g web-01 service.disable cron
    """
    return _run(_DISABLE, name)


def masked(name: str, runtime: bool = False) -> bool:
    """Return whether a unit is masked.

    Example::

        salt-g web-01 service.masked cron
    """
    return _remote.sh(_MASKED, _checked(name)).out.strip() == ("masked-runtime" if runtime else "masked")


def mask(name: str, runtime: bool = False) -> bool:
    """Mask a unit, so that it cannot be started.

    Example::

        salt-g web-01 service.mask cron
    """
    return _run(f'systemctl mask {"--runtime " if runtime else ""}"$1"', name)


def unmask(name: str, runtime: bool = False) -> bool:
    """Unmask a unit.

    Example::

        salt-g web-01 service.unmask cron
    """
    return _run(f'systemctl unmask {"--runtime " if runtime else ""}"$1"', name)


def _asked(script: str, name: str) -> bool:
    return _remote.sh(script, _checked(name)).retcode == 0


def _done(name: str, action: str) -> bool:
    return _run(_QUIETLY % _ACT, name, action)


def _run(script: str, name: str, *args: str) -> bool:
    _remote.output(script, _checked(name), *args, timeout=None)
    return True


def _checked(name: str) -> str:
    if not name or name.startswith("-") or "/" in name:
        raise CommandExecutionError(f"{name!r} is not a valid service name")
    return name
