"""Scripts that package managers run before and after installation, upgrade and removal.

An installation starts no service, because the package contains both master and minion. An upgrade restarts
running services without waiting for them: the minion itself may be running the upgrade.
"""

from __future__ import annotations

from salt_g.install.settings import OWN, STOCK, head
from salt_g.packaging.contents import COMMAND, ROLES, SYSUSERS, USER

_UNITS = " ".join(f"salt-g-{role}.service" for role in ROLES)
_HAS_SYSTEMD = "[ -d /run/systemd/system ]"
_SETTINGS = f"""\
if ! [ -d {OWN} ] && ! [ -e {STOCK}/master ] && ! [ -e {STOCK}/minion ] \\
    && ! [ -d {STOCK}/master.d ] && ! [ -d {STOCK}/minion.d ]; then
    mkdir -m 0755 {OWN}
""" + "".join(f"    cat > {OWN}/{role} <<'END'\n{head(role)}END\n" for role in ROLES)
#: Runs after the files are in place: creates the user, settings for a new host and private directories.
SET_UP = f"""\
if command -v systemd-sysusers >/dev/null; then
    systemd-sysusers {SYSUSERS}
elif ! getent passwd {USER} >/dev/null && command -v useradd >/dev/null; then
    useradd --system --home-dir /var/lib/salt-g --shell /usr/sbin/nologin {USER}
fi
{_SETTINGS}fi
for directory in /etc/salt/pki/master /etc/salt/pki/minion; do
    [ -d "$directory" ] || install -d -m 0700 "$directory"
done
for directory in /var/cache/salt /var/log/salt; do
    [ -d "$directory" ] || install -d -m 0755 "$directory"
done
if [ -e /var/lib/salt-g/installed.json ]; then
    echo "salt-g: this host also has what \\`salt-g install\\` made, which takes precedence." >&2
    echo "salt-g: /usr/local/bin/salt-g install ROLE --uninstall removes it and keeps keys and caches." >&2
fi
"""
#: Labels the command as a program for SELinux, which treats files below /usr/lib as libraries. Without the
#: label, systemd would start services in a domain with few permissions.
LABEL = f"""\
if command -v selinuxenabled >/dev/null && selinuxenabled; then
    if command -v semanage >/dev/null; then
        semanage fcontext -a -t bin_t {COMMAND} 2>/dev/null || true
    fi
    chcon -t bin_t {COMMAND} || true
fi
"""
RESTART_RUNNING = f"""\
if {_HAS_SYSTEMD}; then
    systemctl daemon-reload
    systemctl try-restart --no-block {_UNITS}
fi
"""
STOP = f"""\
if {_HAS_SYSTEMD}; then
    systemctl disable --now --quiet {_UNITS}
fi
"""
RELOAD = f"""\
if {_HAS_SYSTEMD}; then
    systemctl daemon-reload
fi
"""
#: Deletes keys, caches and logs; settings in stock's directory stay, because stock's packages may own them.
PURGE = f"""\
rm -rf {OWN} /var/cache/salt/master /var/cache/salt/minion /var/log/salt/master* /var/log/salt/minion* \\
    /etc/salt/pki/master /etc/salt/pki/minion
rmdir -p --ignore-fail-on-non-empty /etc/salt/pki /var/cache/salt /var/log/salt 2>/dev/null || true
"""


def refuse_downgrade(version: str) -> str:
    """Return the lines of a Debian `preinst` that refuse to replace a later version."""
    return f"""\
if [ "$1" = upgrade ] && dpkg --compare-versions "$2" gt {version}; then
    echo "salt-g $2 is installed, and {version} cannot read what it has stored." >&2
    echo "Remove it first (apt-get remove salt-g), and restore a backup of /var/cache/salt." >&2
    exit 1
fi
"""
