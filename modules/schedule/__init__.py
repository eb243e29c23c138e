"""The schedule of the local minion: listing, adding, changing, enabling and running its jobs.

A running minion is queried over its event bus; with `offline=True` its saved file is read and written.
Jobs from pillar can be listed and run here, but not changed.
Results and their texts are stock's.
"""

from salt_g.modules.schedule.edit import add, delete, modify, purge, reload_, save
from salt_g.modules.schedule.enablement import disable, disable_job, enable, enable_job
from salt_g.modules.schedule.items import build_schedule_item
from salt_g.modules.schedule.listing import is_enabled, job_status, list_, show_next_fire_time
from salt_g.modules.schedule.run_times import postpone_job, run_job, skip_job
from salt_g.modules.schedule.transfer import copy, move

__func_alias__ = {"list_": "list", "reload_": "reload"}

__all__ = [
    "add",
    "build_schedule_item",
    "copy",
    "delete",
    "disable",
    "disable_job",
    "enable",
    "enable_job",
    "is_enabled",
    "job_status",
    "list_",
    "modify",
    "move",
    "postpone_job",
    "purge",
    "reload_",
    "run_job",
    "save",
    "show_next_fire_time",
    "skip_job",
]
