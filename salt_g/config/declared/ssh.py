"""Settings of salt-ssh: minions without a daemon."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("enable_ssh_minions", bool, False, "Let functions target hosts of the roster."),
    master("regen_thin", bool, False, "Rebuild the tarball for hosts."),
    master("roster", str, UNSET, "Roster module."),
    master("roster_file", str, UNSET, "Path of the roster."),
    master("rosters", list, UNSET, "Directories with rosters."),
    master("ssh_config_file", str, "~/.ssh/config", "SSH configuration file for the roster."),
    master("ssh_identities_only", bool, False, "Offer only the given key to the server."),
    master("ssh_keepalive", bool, True, "Keep connections alive."),
    master(
        "ssh_keepalive_count_max",
        int,
        3,
        "Lost keep-alive messages after which a connection counts as dead.",
        "signs",
    ),
    master("ssh_keepalive_interval", int, 60, "Interval of keep-alive messages.", "s"),
    master("ssh_list_nodegroups", dict, {}, "Named lists of hosts."),
    master("ssh_log_file", str, "/var/log/salt/ssh", "Path of the log file."),
    minion("ssh_merge_pillar", bool, True, "Merge pillar of the master with that of the host."),
    master("ssh_minion_opts", dict, UNSET, "Settings of the minion on the host."),
    master("ssh_passwd", str, "", "Password for the hosts."),
    master("ssh_port", str, "22", "SSH port of the hosts."),
    master("ssh_priv", str, UNSET, "Path of the SSH key."),
    master("ssh_priv_passwd", str, "", "Passphrase of the SSH key."),
    both("ssh_run_pre_flight", bool, UNSET, "Run the script of the roster before each call."),
    master("ssh_scan_ports", str, "22", "Ports that the `scan` roster checks."),
    master("ssh_scan_timeout", float, 0.01, "Time limit for one port.", "s"),
    master("ssh_sudo", bool, False, "Run through sudo."),
    master("ssh_sudo_user", str, "", "User for sudo."),
    master("ssh_timeout", float, 60, "Time limit of a connection.", "s"),
    master("ssh_use_home_key", bool, False, "Use the key in the user's home."),
    master("ssh_user", str, "root", "User on the hosts."),
    master("thin_exclude_saltexts", bool, False, "Omit installed extensions from the tarball."),
    master("thin_extra_mods", str, "", "Additional Python modules for the tarball."),
    master(
        "thin_saltext_allowlist", list | None, None, "Extensions to include in the tarball; null for all."
    ),
    master("thin_saltext_blocklist", list, [], "Extensions to exclude from the tarball."),
)
