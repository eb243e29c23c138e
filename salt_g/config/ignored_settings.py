"""Settings of stock Salt that salt-g knows but ignores, with the reason.

They show which features of a migrated config have no effect, and which settings can stay in it. A test checks
that each setting is either read somewhere or listed here.
"""

from __future__ import annotations

from typing import Any

_STORE = "jobs, returns and data of minions are in one store"
_PROCESS = "one process does the work of many"

#: Settings of missing features: {reason: names}. Setting one logs a warning.
UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "messages are always encrypted by the protocol itself": ("disable_aes_with_tls",),
    "a return is acknowledged once it is on disk; see `keep_jobs_seconds`": ("job_cache",),
    "plugins are files": ("enable_zip_modules",),
    "the master starts no further processes; write an engine": ("ext_processes",),
    "a setting has one value for all transports": ("transport_opts",),
    "clusters of masters share a PostgreSQL database; set `cluster: true` and `store`": (
        *("cluster_auto_replace_voters", "cluster_demote_cooldown", "cluster_encryption_algorithm"),
        *("cluster_id", "cluster_isolated_filesystem", "cluster_key_pass", "cluster_max_log_size"),
        *("cluster_max_voters", "cluster_min_voters", "cluster_mode", "cluster_peers", "cluster_pki_dir"),
        *("cluster_pool_port", "cluster_pub_fingerprint", "cluster_secret"),
        *("cluster_voter_health_check_interval", "cluster_voter_timeout", "eauth_tokens.cluster_id"),
    ),
    "there is no syndic; minions may have several masters": (
        *("syndic_dir", "syndic_event_forward_timeout", "syndic_failover", "syndic_finger"),
        *("syndic_forward_all_events", "syndic_jid_forward_cache_hwm", "syndic_log_file", "syndic_master"),
        *("syndic_master_port", "syndic_pidfile", "syndic_retries", "syndic_wait"),
    ),
    "there are no proxy minions; resources take their place": (
        *("add_proxymodule_to_opts", "password", "proxy", "proxy_always_alive", "username"),
        "proxy_deep_merge_pillar_in_opts",
        *("proxy_keep_alive", "proxy_keep_alive_interval", "proxy_merge_grains_in_module"),
        *("proxy_merge_pillar_in_opts", "proxy_merge_pillar_in_opts_strategy", "proxy_mines_pillar"),
    ),
    "hosts of a roster are reached by `salt-g ssh` and the runner `ssh.cmd`": ("enable_ssh_minions",),
    "hosts of `salt-g ssh` need no Python, and none is put there": (
        *("min_extra_mods", "regen_thin", "ssh_ext_alternatives", "ssh_merge_pillar"),
        *("thin_exclude_saltexts", "thin_extra_mods", "thin_saltext_allowlist", "thin_saltext_blocklist"),
    ),
    "files are served from roots, git and minionfs": (
        *("hgfs_base", "hgfs_branch_method", "hgfs_mountpoint", "hgfs_remotes", "hgfs_root"),
        *("hgfs_saltenv_blacklist", "hgfs_saltenv_whitelist", "hgfs_update_interval", "svnfs_branches"),
        *("svnfs_mountpoint", "svnfs_remotes", "svnfs_root", "svnfs_saltenv_blacklist"),
        *("svnfs_saltenv_whitelist", "svnfs_tags", "svnfs_trunk", "svnfs_update_interval"),
        "s3fs_update_interval",
    ),
    "Windows minions are not supported": (
        *("winrepo_branch", "winrepo_cache_expire_max", "winrepo_cache_expire_min", "winrepo_cachefile"),
        *("winrepo_depth", "winrepo_dir", "winrepo_dir_ng", "winrepo_fallback", "winrepo_insecure_auth"),
        *("winrepo_installer_cache_expire", "winrepo_password", "winrepo_privkey", "winrepo_proxy"),
        *("winrepo_pubkey", "winrepo_refspecs", "winrepo_remotes", "winrepo_remotes_ng"),
        *("winrepo_source_dir", "winrepo_ssl_verify", "winrepo_user", "winrepo_passphrase"),
    ),
    "there is no thorium; a reactor acts on events": (
        *("thorium_interval", "thorium_roots", "thorium_top", "thoriumenv"),
    ),
    "permissions come from `external_auth` and `publisher_acl`": (
        *("django_auth_path", "django_auth_settings", "eauth_acl_module"),
    ),
    "salt-g stores tokens, keys and pillar itself": (
        *("eauth_tokens", "eauth_tokens.cache_driver", "keys.cache_driver", "pillar.cache_driver"),
    ),
    "a self-update is an upgrade of the package or of the one file": (
        *("update_restart_services", "update_url"),
    ),
    "masters are found by name or address": ("discovery",),
    "there is no renderer `pass`": (
        "pass_dir",
        "pass_gnupghome",
        "pass_strict_fetch",
        "pass_variable_prefix",
    ),
    "there are no queues; write a runner, or an engine with a queue of its own": (
        *("queue_dirs", "sqlite_queue_dir"),
    ),
    "no snapshots are taken around state runs": ("snapper_states", "snapper_states_config"),
    "memory of single functions is not limited": ("modules_max_memory",),
    "see `salt-g run status.metrics` and `metrics_port`": (*("metrics", "tracing"),),
}

#: Settings of features that work without tuning: {reason: names}.
NOT_NEEDED: dict[str, tuple[str, ...]] = {
    _PROCESS: (
        *("event_publisher_niceness", "event_return_niceness", "fileserver_update_niceness"),
        *("maintenance_interval", "maintenance_niceness", "master_async_mworker"),
        *("master_mworker_max_inflight", "multiprocessing", "mworker_niceness", "mworker_queue_niceness"),
        *("pub_server_niceness", "reactor_niceness", "req_server_niceness", "restart_on_error"),
        *("tcp_master_publish_pull", "tcp_master_workers", "worker_pools", "worker_pools_enabled"),
    ),
    _STORE: (
        *("con_cache", "key_cache", "memcache_debug", "memcache_expire_seconds"),
        *("memcache_full_cleanup", "memcache_max_items"),
        *("resource_index_primary_capacity", "resource_index_primary_slot_size"),
        *("resource_registry_compact_load_factor", "resource_registry_compact_min_interval"),
        "resource_registry_compact_tombstone_ratio",
    ),
    "connections are persistent and checked by heartbeats": (
        *("auth_safemode", "cache_sreqs", "detect_remote_minions", "ipc_write_buffer"),
        *("pub_server_write_queue_size", "publish_drain_timeout", "remote_minions_port", "sock_pool_size"),
        *("tcp_authentication_retries", "tcp_keepalive", "tcp_keepalive_cnt", "tcp_keepalive_intvl"),
        *("tcp_reconnect_backoff", "zmq_backlog", "zmq_monitor", "ping_on_rotate"),
    ),
    "session keys change with `publish_session`": ("request_server_aes_session",),
    "stock ignores it too": (
        *("bootstrap_delay", "cache_dir", "extmod_dirs", "fileserver_limit_traversal", "keep_jobs"),
        "git_pillar_disable_saltenv_mapping",
        *("minionfs_update_interval", "nodegroups_local", "resolve_dns_fallback", "search", "serial"),
    ),
    "each backend has its own interval": ("fileserver_interval",),
    "repositories are read by the program `git`, one fetch at a time": (
        *("git_pillar_global_lock", "git_pillar_provider", "gitfs_global_lock", "gitfs_provider"),
    ),
    "`git` needs the private key only": ("git_pillar_pubkey", "gitfs_pubkey"),
    "a plugin is found by the names in its text": ("lazy_loader_strict_matching",),
    "there is one YAML loader": ("use_yamlloader_old",),
    "settings are always verified": ("fileserver_verify_config", "git_pillar_verify_config", "verify_env"),
    "Python handles this": ("cython_enable", "optimization_order", "use_os_truststore", "use_superseded"),
    "the size of answers is limited by the client's memory": ("http_max_body",),
    "the newest value is used": ("auth_mode", "features", "pillar_version"),
    "decrypted values are kept as long as the pillar": ("gpg_cache", "gpg_cache_backend", "gpg_cache_ttl"),
    "`salt-pip` is the `pip` of the environment": (
        *("saltpip_allow_find_links", "saltpip_disable_pip_version_check", "saltpip_no_deps"),
        *("saltpip_no_index", "saltpip_use_pythonpath"),
    ),
    "the HTTP API has no client for SSH": ("netapi_allow_raw_shell",),
    "file roots of the master are `file_roots`": ("master_roots",),
}

#: {setting: (values with their full effect, advice)}; other values of these settings have a partial effect.
PARTIAL: dict[str, tuple[frozenset[Any], str]] = {
    "fips_mode": (
        frozenset((False,)),
        "it leaves out MD5 fingerprints and nothing else; for the wire set `encryption_algorithm`, "
        "`signing_algorithm` and `publish_signing_algorithm` to the SHA224 forms",
    ),
}

_CACHES = (
    f"{_STORE}; copies can be in `redis`, `mysql`, `etcd`, or where your own driver (`_cache`) puts them"
)
#: {setting: {value without effect: advice}} for settings that otherwise have an effect.
WITHOUT_EFFECT: dict[str, dict[Any, str]] = {
    "cache": {"consul": _CACHES},
}


def reasons() -> dict[str, str]:
    """Return {setting: reason} for all ignored settings."""
    return {
        name: why for group in (UNSUPPORTED, NOT_NEEDED) for why, names in group.items() for name in names
    }
