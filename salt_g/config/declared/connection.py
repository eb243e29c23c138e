"""Settings of connections between minion and master."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    minion(
        "acceptance_wait_time", float, 10, "Pause before checking again whether the key was accepted.", "s"
    ),
    minion(
        "acceptance_wait_time_max",
        float,
        0,
        "Maximum pause between checks, which grows by `acceptance_wait_time` each time; 0 keeps it constant.",
        "s",
    ),
    minion(
        "auth_retries",
        int,
        0,
        "Attempts at a master that has not accepted the key before trying the next one, 0 for no limit.",
        "tries",
    ),
    minion(
        "auth_safemode",
        bool,
        False,
        "For stock's minions, which exit if a master does not answer; ours always retries.",
    ),
    minion("auth_timeout", int, 5, "Time limit of one authentication.", "s"),
    minion("auth_tries", int, 7, "Attempts to authenticate before the daemon exits.", "tries"),
    master(
        "detect_remote_minions", bool, False, "Count connections to `remote_minions_port` as present minions."
    ),
    both(
        "discovery",
        dict | bool,
        False,
        "Discovery of the master on the network: true, false, or a mapping of details.",
    ),
    both("http_connect_timeout", float, 20.0, "Time limit for connecting over HTTP.", "s"),
    both("http_max_body", int, 107374182400, "Maximum size of an answer to an HTTP request.", "bytes"),
    both("http_request_timeout", float, 3600.0, "Time limit of a whole HTTP request.", "s"),
    both(
        "hub_warn_interval",
        float,
        1.0,
        "Log code that blocks the daemon's greenlets for this long, 0 for never.",
        "s",
    ),
    both("interface", str, "0.0.0.0", "Address to listen on."),
    both(
        "ipc_mode",
        str,
        "ipc",
        "Kind of the event bus's sockets: `ipc` (UNIX sockets) or `tcp` (loopback ports).",
    ),
    both(
        "ipc_write_buffer",
        int | str,
        0,
        "Limit of the write buffer of local sockets, 0 for none, `dynamic` for a share of memory.",
        "bytes",
    ),
    both("ipv6", bool | None, None, "Use IPv6; decided by the address when null."),
    each("loop_interval", float, (1, 60), "Pause between two rounds of the daemon's maintenance loop.", "s"),
    minion(
        "master",
        str | list,
        "salt",
        "Address of the master, a list of addresses, or a function that returns it.",
    ),
    minion(
        "master_alive_interval", int, 0, "Pause between two checks that the master is alive, 0 for none.", "s"
    ),
    minion(
        "master_failback", bool, False, "Return to the first master of the list when it is available again."
    ),
    minion(
        "master_failback_interval",
        int,
        0,
        "Pause between two checks whether the first master is available again.",
        "s",
    ),
    minion(
        "master_port", str | int, 4506, "Port of the master's request server, to which the minion connects."
    ),
    minion("master_shuffle", bool, False, "Old name of `random_master`."),
    minion("master_tries", int, -1, "Attempts to reach a master before giving up, -1 for no limit.", "tries"),
    minion(
        "master_type",
        str,
        "str",
        "How several masters are used: `str`, `failover`, `distributed`, `func` or `disable`.",
    ),
    minion(
        "master_uri_format", str, "default", "Whether `master` may include a port: `default` or `ip_only`."
    ),
    master(
        "max_connections_per_address",
        int,
        0,
        "Connections to the two ports per remote address, 0 for half of the available descriptors."
        " A minion uses two or three; many minions behind one address need the sum.",
        "connections",
    ),
    both(
        "metrics_interface",
        str,
        "127.0.0.1",
        "Address on which `metrics_port` listens; anyone who can connect there can read the metrics.",
    ),
    both("metrics_port", int, 0, "Port that serves metrics for Prometheus over HTTP, 0 for none."),
    both("no_proxy", list, UNSET, "Hosts reached without the HTTP proxy."),
    minion("ping_interval", int, 0, "Pause between two pings of the master, 0 for none.", "min"),
    minion("proxy_host", str, "", "Host of the HTTP proxy."),
    minion("proxy_password", str, "", "Password for the HTTP proxy."),
    minion("proxy_port", int, 0, "Port of the HTTP proxy."),
    minion("proxy_username", str, "", "User name for the HTTP proxy."),
    master(
        "pub_hwm",
        int,
        1000,
        "Messages queued for one slow subscriber before new ones are dropped.",
        "messages",
    ),
    master(
        "pub_server_write_queue_size",
        int,
        10000,
        "Messages queued by the publisher before it drops new ones.",
        "messages",
    ),
    master(
        "publish_drain_timeout", float, 60.0, "Time limit for sending queued publications at shutdown.", "s"
    ),
    master("publish_port", int, 4505, "Port of the master's publisher."),
    minion("random_master", bool, False, "Shuffle the list of masters at start."),
    minion("random_reauth_delay", int, 10, "Maximum random pause before authenticating again.", "s"),
    minion("random_startup_delay", int, 0, "Maximum random pause before the daemon starts.", "s"),
    both("range_server", str, "range:80", "Host and port of the range server for range targets."),
    minion("recon_default", float, 1000, "Minimum pause before the subscriber reconnects.", "ms"),
    minion("recon_max", float, 10000, "Maximum addition to `recon_default`.", "ms"),
    minion(
        "recon_randomize",
        bool,
        True,
        "Choose the pause at random, so that a fleet does not reconnect all at once.",
    ),
    minion("rejected_retry", bool, False, "Retry when the key was rejected, instead of exiting."),
    master("remote_minions_port", int, 22, "Port whose connections mark minions as present."),
    minion("request_channel_timeout", int, 60, "Time limit of one request to the master.", "s"),
    minion("request_channel_tries", int, 3, "Attempts for one request to the master.", "tries"),
    minion(
        "resolve_dns_fallback",
        bool,
        True,
        "Use the loopback address when the master's name does not resolve.",
    ),
    master("ret_port", int, 4506, "Port on which the master's request server listens."),
    minion(
        "retry_dns", float, 30, "Pause before the master's name is resolved again, 0 to give up at once.", "s"
    ),
    minion(
        "retry_dns_count",
        int | None,
        None,
        "Attempts to resolve the master's name, null for no limit.",
        "tries",
    ),
    minion("return_retry_timer", int, 5, "Minimum pause before a return is sent again.", "s"),
    minion("return_retry_timer_max", int, 10, "Maximum pause before a return is sent again.", "s"),
    minion(
        "return_retry_tries",
        int,
        3,
        "Consecutive attempts to send a return; it stays on disk until the master acknowledges it.",
        "tries",
    ),
    both("sock_pool_size", int, 1, "Sockets kept for publishing.", "sockets"),
    minion("source_address", str, "", "Source address of connections to the master."),
    minion("source_interface_name", str, "", "Source interface of connections to the master."),
    minion("source_publish_port", str | int, 0, "Local port for connections to the publisher, 0 for any."),
    minion("source_ret_port", str | int, 0, "Local port for connections to the request server, 0 for any."),
    minion(
        "tcp_authentication_retries",
        int,
        5,
        "Attempts to authenticate over the TCP transport, -1 for no limit.",
        "tries",
    ),
    both("tcp_keepalive", bool, True, "Enable keep-alive for TCP connections."),
    both(
        "tcp_keepalive_cnt",
        float,
        -1,
        "Lost probes before a connection counts as dead, -1 for the system default.",
        "probes",
    ),
    both("tcp_keepalive_idle", float, 300, "Silence before the first keep-alive probe.", "s"),
    both("tcp_keepalive_intvl", float, -1, "Pause between two probes, -1 for the system default.", "s"),
    master("tcp_master_pub_port", int, 4512, "Port of the master's event publisher in `tcp` IPC mode."),
    master(
        "tcp_master_publish_pull",
        int,
        4514,
        "Stock's port for jobs in `tcp` IPC mode; nothing listens there.",
    ),
    master("tcp_master_pull_port", int, 4513, "Port of the master's event collector in `tcp` IPC mode."),
    master(
        "tcp_master_workers",
        int,
        4515,
        "Stock's port of workers in `tcp` IPC mode; nothing listens there.",
    ),
    minion("tcp_pub_port", int, 4510, "Port of the minion's event publisher in `tcp` IPC mode."),
    minion("tcp_pull_port", int, 4511, "Port of the minion's event collector in `tcp` IPC mode."),
    minion("tcp_reconnect_backoff", float, 1, "Pause before the TCP transport reconnects.", "s"),
    both("transport", str, "zeromq", "Transport between minion and master: `zeromq`, `tcp` or `ws`."),
    master("transport_opts", dict, UNSET, "Other values of settings for single transports."),
    minion("use_master_when_local", bool, False, "Connect to a master although `file_client` is `local`."),
    both("use_os_truststore", bool, False, "Trust the system's certificate authorities."),
    master("zmq_backlog", int, 1000, "Maximum number of connections waiting to be accepted.", "connections"),
    both(
        "zmq_filtering",
        bool,
        False,
        "Send publications with a list target only to the targeted minions.",
    ),
    each("zmq_monitor", bool, (True, False), "Log the events of ZeroMQ sockets."),
)
