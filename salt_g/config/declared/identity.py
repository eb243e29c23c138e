"""Settings of identity: id, user, directories."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("append_domain", str, UNSET, "Domain appended to a generated id that does not end in it."),
    minion(
        "append_minionid_config_dirs",
        list,
        [],
        "Directory settings that get the id appended, so that several minions share one config.",
    ),
    both("bootstrap_delay", int, UNSET, "Pause before a bootstrapped minion starts.", "s"),
    each(
        "cachedir",
        str,
        ("/var/cache/salt/minion", "/var/cache/salt/master"),
        "Directory for data that can be fetched or computed again.",
    ),
    each(
        "conf_file",
        str,
        ("/etc/salt/minion", "/etc/salt/master"),
        "Path of the main config file.",
    ),
    each(
        "default_include",
        str,
        ("minion.d/*.conf", "master.d/*.conf"),
        "Glob, relative to the config directory, of further config files.",
    ),
    each(
        "extension_modules",
        str,
        ("/var/cache/salt/minion/extmods", "/var/cache/salt/master/extmods"),
        "Directory of synced user plugins.",
    ),
    both("features", dict, {}, "Switches for behaviour that changes between releases."),
    both("fips_mode", bool, False, "Use only algorithms that FIPS 140 allows."),
    minion(
        "id",
        str,
        "",
        "Id of this minion; if empty, derived from the host name, on a master with `_master` appended.",
    ),
    minion(
        "id_function",
        dict | str,
        {},
        "Execution function that computes the id, as `module.function` or `{module.function: {arguments}}`.",
    ),
    both("include", list | str, UNSET, "Globs of further config files, read after the default ones."),
    master("max_open_files", int, 100000, "Limit of open files that the daemon requests.", "files"),
    minion("minion_id_caching", bool, True, "Store a generated id in the file `minion_id`."),
    minion("minion_id_lowercase", bool, False, "Convert a generated id to lower case."),
    minion(
        "minion_id_remove_domain",
        str | bool,
        False,
        "Remove any domain (true) or this domain from a generated id.",
    ),
    minion("minion_restart_command", list, [], "Command line that restarts the minion."),
    both(
        "optimization_order",
        list,
        [0, 1, 2],
        "Python optimisation levels, in the order in which compiled plugins are searched.",
    ),
    minion("password", str | None, None, "Password for the proxied device or API."),
    each(
        "pidfile",
        str,
        ("/var/run/salt-minion.pid", "/var/run/salt-master.pid"),
        "Pid file of the daemon.",
    ),
    each("pki_dir", str, ("/etc/salt/pki/minion", "/etc/salt/pki/master"), "Directory of the keys."),
    minion("restart_on_error", bool, False, "Restart after an error that would end the daemon."),
    both("root_dir", str, "/", "Prefix of all other paths of salt-g, for a separate tree."),
    both("serial", str, UNSET, "Format of messages; stock knows only `msgpack`."),
    each("sock_dir", str, ("/var/run/salt/minion", "/var/run/salt/master"), "Directory of the UNIX sockets."),
    master("sqlite_queue_dir", str, "/var/cache/salt/master/queues", "Directory of the SQLite queues."),
    minion("sudo_user", str, "", "System user that runs jobs through sudo."),
    master("syndic_dir", str, UNSET, "Directory of syndic data, below `cachedir` unless set."),
    master("syndic_pidfile", str, "/var/run/salt-syndic.pid", "Pid file of the syndic."),
    master("token_dir", str, UNSET, "Directory of authentication tokens, below `cachedir` unless set."),
    minion("update_restart_services", list, [], "Services to restart after a self-update."),
    minion("update_url", bool | str, False, "URL of packages for self-update, false for none."),
    both("use_yamlloader_old", bool, UNSET, "Use an older YAML loader."),
    both("user", str, UNSET, "System user that runs the daemon."),
    minion("username", str | None, None, "User name for the proxied device or API."),
    both("verify_env", bool, True, "Check and set owners and modes of the directories at start."),
)
