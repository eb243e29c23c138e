"""Settings of logs: destination and content."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, each, master

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("key_logfile", str, "/var/log/salt/key", "Path of the key management log file."),
    both("log_datefmt", str, "%H:%M:%S", "Time format on the console."),
    both("log_datefmt_console", str, UNSET, "Time format on the console, instead of `log_datefmt`."),
    both("log_datefmt_logfile", str, "%Y-%m-%d %H:%M:%S", "Time format in the log file."),
    both("log_dir", str, UNSET, "Directory of the log file when `log_file` is not absolute."),
    each(
        "log_file",
        str,
        ("/var/log/salt/minion", "/var/log/salt/master"),
        "Path of the log file, or address of a syslog.",
    ),
    both(
        "log_fmt",
        str,
        UNSET,
        "Line format of console and log file, unless `log_fmt_console` or `log_fmt_logfile` is set;"
        " `json` for one JSON object per line.",
    ),
    both(
        "log_fmt_console",
        str,
        "[%(levelname)-8s] %(message)s",
        "Line format on the console; `json` for one JSON object per line.",
    ),
    both("log_fmt_jid", str | None, "[JID: %(jid)s]", "Format of the job id in a line."),
    both(
        "log_fmt_logfile",
        str,
        "%(asctime)s,%(msecs)03d [%(name)-17s:%(lineno)-4d][%(levelname)-8s][%(process)d] %(message)s",
        "Line format in the log file; `json` for one JSON object per line.",
    ),
    both("log_fmt_minion_id", str | None, "[%(minion_id)s]", "Format of the minion id in a line."),
    both("log_granular_levels", dict, {}, "Log levels of single loggers, by name."),
    both("log_level", str, "warning", "Log level of the console."),
    both("log_level_logfile", str | None, None, "Log level of the log file; null for that of the console."),
    both("log_rotate_backup_count", int, 0, "Number of rotated log files kept.", "files"),
    both("log_rotate_max_bytes", int, 0, "Size at which the log file is rotated, 0 for never.", "bytes"),
    master("memcache_debug", bool, False, "Log the hits of the memory cache."),
    both(
        "metrics",
        dict,
        {
            "enabled": False,
            "exporter": "otlp-http",
            "endpoint": "",
            "service_name": "",
            "resource_attributes": {},
            "insecure": True,
            "headers": {},
            "export_interval_seconds": 60,
            "prometheus": {"host": "127.0.0.1", "port": 9464},
            "histogram_boundaries": {
                "salt.job.duration": [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000],
                "salt.minion.exec.duration": [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000],
                "salt.master.requests.duration": [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000],
            },
        },
        "Export of measurements.",
    ),
    master("syndic_log_file", str, "/var/log/salt/syndic", "Path of the log file of the syndic."),
    both(
        "tracing",
        dict,
        {
            "enabled": False,
            "exporter": "otlp-http",
            "endpoint": "",
            "service_name": "",
            "sampler": "parent_based",
            "sampler_arg": 1.0,
            "resource_attributes": {},
            "insecure": True,
            "headers": {},
        },
        "Export of traces.",
    ),
)
