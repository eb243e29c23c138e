"""Settings of jobs: publishing, running, storing."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master(
        "archive_jobs", bool, False, "Archive old jobs in separate tables, if the job cache supports it (pgjsonb)."
    ),
    both("cache", str, "localfs", "Cache driver."),
    both("cache_dir", str, UNSET, "Directory of the cache driver, instead of `cachedir`."),
    minion("cache_jobs", bool, False, "Keep returns on the minion too."),
    both("cache_sreqs", bool, True, "Keep the request connection open."),
    master("con_cache", bool, False, "Keep a list of connected minions."),
    master("enforce_mine_cache", bool, False, "Keep mine data although `minion_data_cache` is off."),
    both("ext_job_cache", str, "", "Returner on the minions that stores jobs."),
    master("gather_job_timeout", int, 10, "Time in which minions must answer whether a job still runs.", "s"),
    master("job_cache", bool, True, "Keep jobs and returns."),
    master("job_cache_store_endtime", bool, False, "Store the end time of a job."),
    master("keep_jobs", int, 24, "Age at which jobs are removed; old form of `keep_jobs_seconds`.", "h"),
    master(
        "keep_jobs_bytes",
        int,
        4 * 1024**3,
        "Size of all jobs and returns above which the oldest are removed, 0 for no limit.",
        "bytes",
    ),
    master("keep_jobs_seconds", int, 86400, "Age at which jobs are removed, 0 for never.", "s"),
    master("maintenance_interval", int, 3600, "Pause between two rounds of the master's maintenance.", "s"),
    master("master_async_mworker", bool, False, "Handle requests as coroutines."),
    master("master_job_cache", str, "local_cache", "Returner that stores jobs on the master."),
    master(
        "master_mworker_max_inflight",
        int,
        0,
        "Requests that one worker handles concurrently, 0 for no limit.",
        "requests",
    ),
    master(
        "memcache_expire_seconds",
        int,
        0,
        "Age at which an entry of the memory cache is dropped, 0 for no memory cache.",
        "s",
    ),
    master("memcache_full_cleanup", bool, False, "Drop all old entries, not only those of one bank."),
    master("memcache_max_items", int, 1024, "Entries of one bank of the memory cache.", "entries"),
    minion("mine_enabled", bool, True, "Send mine data to the master."),
    minion("mine_functions", dict | list, UNSET, "Functions whose results are mine data."),
    master("mine_get", dict, UNSET, "Mine functions that minions may read, by pattern of their ids."),
    minion("mine_interval", int, 60, "Interval of sending mine data.", "min"),
    minion("mine_return_job", bool, False, "Keep the return of the job that sends mine data."),
    master("minion_data_cache", bool, True, "Keep grains and mine data of minions on the master."),
    master("minion_data_cache_events", bool, True, "Fire an event when this data changes."),
    minion("minion_jid_queue_hwm", int, 100, "Number of remembered job ids, to drop duplicates.", "jobs"),
    minion(
        "multifunc_ordered", bool, False, "Run the functions of a multi-function job one after the other."
    ),
    minion("multiprocessing", bool, True, "Run jobs in processes (true) or in threads."),
    master("order_masters", bool, False, "Publish through syndics to the masters below this one."),
    master("preserve_minion_cache", bool, False, "Keep this data when a key is deleted."),
    minion("process_count_max", int, -1, "Jobs that run concurrently on a minion, -1 for no limit.", "jobs"),
    minion("pub_ret", bool, True, "Send returns to the master."),
    master("publish_timeout", int | float, 30, "Time limit of publishing a job.", "s"),
    minion("resource_fan_out", int, 100, "Resources of one type processed concurrently.", "resources"),
    minion("resource_job_timeout", int, 0, "Time limit of a job on one resource, 0 for no limit.", "s"),
    minion(
        "resource_timeout",
        int,
        30,
        "Time limit of a resource type's `discover`, `init`, `grains` or `shutdown`.",
        "s",
    ),
    both("rest_timeout", int, UNSET, "Time limit of a request to the HTTP API.", "s"),
    both("return", str | list, UNSET, "Returners that receive every return of this minion."),
    minion(
        "return_spool_size",
        int,
        268435456,
        "Maximum disk space for returns that the master has not acknowledged.",
        "bytes",
    ),
    master("runner_returns", bool, True, "Keep the returns of runners as jobs."),
    master("timeout", int | float, 5, "Time for which a command waits for returns.", "s"),
    both("unique_jid", bool, False, "Add the process id to job ids."),
    master("worker_pools", dict, {}, "Command groups and their numbers of workers."),
    master("worker_pools_enabled", bool, True, "Give command groups their own workers."),
    master("worker_threads", int, 5, "Requests that the master handles concurrently.", "workers"),
)
