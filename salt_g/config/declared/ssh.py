"""Settings of `salt-g ssh` (stock: salt-ssh): hosts without a minion."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("enable_ssh_minions", bool, False, "Let functions target hosts of the roster."),
    master("ignore_host_keys", bool, UNSET, "Accept and remember unknown host keys."),
    master("known_hosts_file", str, UNSET, "File of known host keys; default: ~/.ssh/known_hosts."),
    master("no_host_keys", bool, UNSET, "Do not check host keys."),
    master("regen_thin", bool, False, "Rebuild the tarball for hosts."),
    master("roster", str, UNSET, "Roster module."),
    master("roster_defaults", dict, UNSET, "Settings of all hosts that their rosters leave open."),
    master("roster_dir", str, UNSET, "Directory of the roster `dir`: one file for each host."),
    master("roster_domain", str, UNSET, "Domain of hosts without an address in the roster `dir`."),
    master("roster_file", str, UNSET, "Path of the roster."),
    master("roster_order", dict, UNSET, "Data of minions that the roster `cache` uses for hosts."),
    master("rosters", list, UNSET, "Directories in which `roster_file` is searched."),
    master("ssh_config_file", str, "~/.ssh/config", "SSH configuration file for the roster."),
    master("ssh_ext_alternatives", dict, UNSET, "Other versions of Salt for hosts with old Pythons."),
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
    master(
        "ssh_known_hosts_file", str, UNSET, "File of the `sshknownhosts` roster; default: ~/.ssh/known_hosts."
    ),
    master("ssh_list_nodegroups", dict, {}, "Named lists of hosts."),
    master("ssh_log_file", str, "/var/log/salt/ssh", "Path of the log file."),
    master("ssh_max_procs", int, UNSET, "Hosts worked on at once, 25 by default."),
    minion("ssh_merge_pillar", bool, True, "Merge pillar of the master with that of the host."),
    master("ssh_minion_opts", dict, UNSET, "Settings of the minion on the host."),
    master("ssh_options", list, UNSET, "Options of ssh for all hosts: `Name=value`."),
    master("ssh_passwd", str, "", "Password for the hosts."),
    master("ssh_port", str, "22", "SSH port of the hosts."),
    master("ssh_priv", str, UNSET, "Path of the SSH key."),
    master("ssh_priv_passwd", str, "", "Passphrase of the SSH key."),
    master("ssh_remote_port_forwards", str, UNSET, "Forwards from hosts, as for -R of ssh."),
    both("ssh_run_pre_flight", bool, UNSET, "Run the script of the roster before each call, too."),
    master("ssh_scan_ports", str, "22", "Ports that the `scan` roster checks."),
    master("ssh_scan_timeout", float, 0.01, "Time limit for one port.", "s"),
    master("ssh_sudo", bool, False, "Run through sudo."),
    master("ssh_sudo_user", str, "", "User for sudo."),
    master("ssh_timeout", float, 60, "Time limit of a connection.", "s"),
    master("ssh_update_roster", bool, UNSET, "Add hosts given by their address to the roster."),
    master("ssh_use_home_key", bool, False, "Use the key in the user's home."),
    master("ssh_user", str, "root", "User on the hosts."),
    master("thin_exclude_saltexts", bool, False, "Omit installed extensions from the tarball."),
    master("thin_extra_mods", str, "", "Additional Python modules for the tarball."),
    master(
        "thin_saltext_allowlist", list | None, None, "Extensions to include in the tarball; null for all."
    ),
    master("thin_saltext_blocklist", list, [], "Extensions to exclude from the tarball."),
)
