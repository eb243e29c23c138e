"""Settings of files for minions: sources and transfer."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("aliases.file", str, UNSET, "Path of the mail aliases file."),
    minion(
        "backup_mode", str, "", "Where replaced files are backed up: empty, `minion`, `master` or `both`."
    ),
    both("extmod_dirs", list, UNSET, "Additional directories with plugins of all kinds."),
    each("file_buffer_size", int, (262144, 1048576), "Size of the chunks in which files are sent.", "bytes"),
    each("file_client", str, ("remote", "local"), "Source of files: `remote` (the master) or `local`."),
    both("file_ignore_glob", list | str, [], "Globs of paths that are not served."),
    both("file_ignore_regex", list | str, [], "Regular expressions of paths that are not served."),
    both(
        "file_roots",
        dict,
        {"base": ["/srv/salt", "/srv/spm/salt"]},
        "Directories of each file environment, first match wins.",
    ),
    both("fileserver_backend", list, ["roots"], "Backends of the file server, in order of look-up."),
    master("fileserver_events", bool, False, "Fire an event when files of a backend change."),
    both("fileserver_followsymlinks", bool, True, "Follow symbolic links."),
    both("fileserver_ignoresymlinks", bool, False, "Omit symbolic links to files."),
    master("fileserver_interval", int, 3600, "Pause between two updates of the file server.", "s"),
    both(
        "fileserver_limit_traversal",
        bool,
        UNSET,
        "Search SLS files only in directories of the environment.",
    ),
    both("fileserver_list_cache_time", int, UNSET, "Age at which the list of files is rebuilt.", "s"),
    master(
        "fileserver_open_roots",
        list,
        [],
        "Directories of `file_roots` whose symbolic links may point outside them.",
    ),
    master("fileserver_verify_config", bool, True, "Check the remotes at start."),
    both("hosts.file", str, UNSET, "Path of the hosts file."),
    each("local", bool, (False, True), "Work without a master."),
    master(
        "master_roots", dict, {"base": ["/srv/salt-master"]}, "Directories of files for the master itself."
    ),
    master("minionfs_blacklist", list | str, [], "Minions whose files are not shown."),
    master("minionfs_env", str, "base", "File environment that shows files sent by minions."),
    master("minionfs_mountpoint", str, "", "Path below which files sent by minions appear."),
    both("minionfs_update_interval", int, 60, "Pause between two updates of the `minionfs` backend.", "s"),
    master("minionfs_whitelist", list | str, [], "Minions whose files are shown."),
    both("roots_update_interval", int, 60, "Pause between two updates of the `roots` backend.", "s"),
    both("s3fs_update_interval", int, 60, "Pause between two updates of the S3 backend.", "s"),
    each(
        "salt_cp_chunk_size",
        int,
        (65536, 98304),
        "Size of the chunks in which files are copied to minions.",
        "bytes",
    ),
)
