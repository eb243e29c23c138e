"""Settings of nice values of the master's duties."""

from __future__ import annotations

from salt_g.config.setting import both, master

#: One row for each setting; see `setting.py` for the columns.
SETTINGS = (
    master("event_publisher_niceness", int | None, None, "Nice value of the event publisher."),
    master("event_return_niceness", int | None, None, "Nice value of the event store."),
    master("fileserver_update_niceness", int | None, None, "Nice value of file server updates."),
    master("maintenance_niceness", int | None, None, "Nice value of maintenance."),
    master("mworker_niceness", int | None, None, "Nice value of request workers."),
    master("mworker_queue_niceness", int | None, None, "Nice value of the request queue."),
    master("pub_server_niceness", int | None, None, "Nice value of the publisher."),
    both("reactor_niceness", int | None, None, "Nice value of the reactor."),
    master("req_server_niceness", int | None, None, "Nice value of the request server."),
)
