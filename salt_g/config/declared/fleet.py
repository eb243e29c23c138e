"""Settings of master clusters, syndics and proxies."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    both("add_proxymodule_to_opts", bool, UNSET, "Put the proxy module into the settings of plugins."),
    master("cluster_auto_replace_voters", bool, False, "Replace a lost voter automatically."),
    master("cluster_demote_cooldown", float, 60.0, "Pause before a voter is demoted again.", "s"),
    master(
        "cluster_encryption_algorithm",
        str,
        "OAEP-SHA1",
        "Padding for the encryption of secrets between masters.",
    ),
    master("cluster_id", str | None, None, "Name of the cluster of masters; null for none."),
    master("cluster_isolated_filesystem", bool, False, "The masters share no file system."),
    master("cluster_key_pass", str | None, None, "Passphrase of the cluster's key."),
    master(
        "cluster_max_log_size",
        int | None,
        None,
        "Length at which the cluster's log is compacted; null for no limit.",
        "entries",
    ),
    master("cluster_max_voters", int | None, None, "Maximum number of voters; null for no limit.", "voters"),
    master("cluster_min_voters", int, 3, "Fewest voters.", "voters"),
    both("cluster_mode", bool, False, "Behave as a member of a cluster."),
    master("cluster_peers", list, [], "Addresses of the other masters."),
    master("cluster_pki_dir", str | None, None, "Directory of keys that the masters share."),
    master("cluster_pool_port", int, 4520, "Port on which masters talk to each other."),
    master("cluster_pub_fingerprint", str | None, None, "Required fingerprint of the cluster's public key."),
    master("cluster_secret", str | None, None, "Secret with which a master joins."),
    master(
        "cluster_voter_health_check_interval", float, 1.0, "Pause between two health checks of voters.", "s"
    ),
    master("cluster_voter_timeout", float, 10.0, "Silence after which a voter counts as lost.", "s"),
    minion("proxy", dict, UNSET, "Settings of the proxied device."),
    both("proxy_always_alive", bool, UNSET, "Assume that the proxied device is reachable."),
    both(
        "proxy_deep_merge_pillar_in_opts",
        bool,
        UNSET,
        "Merge pillar into the settings of the proxy key by key.",
    ),
    both("proxy_keep_alive", bool, UNSET, "Check that the proxied device is reachable."),
    both("proxy_keep_alive_interval", int, UNSET, "Pause between two checks of the proxied device.", "min"),
    both(
        "proxy_merge_grains_in_module", bool, UNSET, "Merge the grains of the proxy module into the grains."
    ),
    both("proxy_merge_pillar_in_opts", bool, UNSET, "Merge pillar into the settings of the proxy."),
    both(
        "proxy_merge_pillar_in_opts_strategy",
        str,
        UNSET,
        "Merge strategy, as for `pillar_source_merging_strategy`.",
    ),
    both("proxy_mines_pillar", bool, UNSET, "Read mine settings of proxies from pillar."),
    master(
        "syndic_event_forward_timeout",
        float,
        0.5,
        "Time for which events for the master above are collected.",
        "s",
    ),
    master(
        "syndic_failover",
        str,
        "random",
        "Order in which a syndic tries the masters above: `random` or `ordered`.",
    ),
    master("syndic_forward_all_events", bool, False, "Forward every event, not only returns."),
    master(
        "syndic_jid_forward_cache_hwm",
        int,
        100,
        "Number of remembered job ids whose load was forwarded.",
        "jobs",
    ),
    master(
        "syndic_master", str | list, "masterofmasters", "Address of the master above this one, or a list."
    ),
    master("syndic_master_port", int, UNSET, "Request port of the master above."),
    minion("syndic_retries", int, 3, "Attempts of the master above to reach a syndic.", "tries"),
    master("syndic_wait", int, 5, "Time that a syndic adds for the returns of its minions.", "s"),
)
