"""Settings of events, schedule, beacons, reactor and engines."""

from __future__ import annotations

from salt_g.config.setting import UNSET, both, master, minion

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("auth_events", bool, True, "Fire an event for each authentication."),
    both(
        "auth_events_autosign_grains",
        list,
        UNSET,
        "Results (`pend`, `accept`, …) whose event includes the minion's `autosign_grains`.",
    ),
    master(
        "auth_events_pend_autosign_grains",
        bool,
        False,
        "Include `autosign_grains` in `pend` events, as stock did up to 3007.",
    ),
    minion("beacons", dict, UNSET, "Beacons and their settings."),
    minion("beacons_before_connect", bool, False, "Start beacons before the connection to the master."),
    minion(
        "enable_legacy_startup_events", bool, True, "Fire `minion_start` besides `salt/minion/<id>/start`."
    ),
    both("engines", list, [], "Engines that run in the daemon."),
    master(
        "event_bus_release",
        int,
        3008,
        "Release series of the stock tools that read events on this host; 3006 uses another framing.",
    ),
    both(
        "event_match_type",
        str,
        "startswith",
        "How tags match: `startswith`, `endswith`, `find`, `regex` or `fnmatch`.",
    ),
    master("event_return", list | str, "", "Returners that get every event."),
    master("event_return_blacklist", list, [], "Tags that are not stored."),
    master("event_return_queue", int, 0, "Events collected before they are stored, 0 for none.", "events"),
    both("event_return_queue_max_seconds", int, UNSET, "Time for which events are collected.", "s"),
    master("event_return_whitelist", list, [], "Tags that are stored."),
    master("master_stats", bool, False, "Fire events with numbers and durations of minions' requests."),
    master("master_stats_event_iter", int, 60, "Pause between two events of `master_stats`.", "s"),
    both("max_event_size", int, 1048576, "Largest event.", "bytes"),
    both(
        "multi_returner", list, UNSET, "Returners to which the returner `multi_returner` passes everything."
    ),
    master("presence_events", bool, UNSET, "Fire events about present minions."),
    master("reactor", list, [], "Event tags and the reactor files they run."),
    both("reactor_refresh_interval", int, 60, "Age at which the reactor's clients are recreated.", "s"),
    both("reactor_worker_hwm", int, 10000, "Queued reactions before new ones are dropped.", "reactions"),
    both("reactor_worker_threads", int, 10, "Reactions that run concurrently.", "workers"),
    both("schedule", dict, {}, "Scheduled jobs."),
    minion("schedule_returner", list | str, UNSET, "Returners of all scheduled jobs."),
    minion(
        "scheduler_before_connect", bool, False, "Start the schedule before the connection to the master."
    ),
    master("search", str, "", "Old setting of the search index."),
    minion("start_event_grains", list, [], "Grains included in the start event."),
)
