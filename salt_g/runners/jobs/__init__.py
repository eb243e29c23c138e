"""Jobs: the running ones, and those in the job cache.

Begin with `listing.py` (the functions), then `job_source.py` (where the jobs are read).
"""

from salt_g.runners.jobs.listing import (
    active,
    exit_success,
    last_run,
    list_job,
    list_jobs,
    list_jobs_filter,
    lookup_jid,
    master,
    print_job,
    report,
)

__all__ = [
    "active",
    "exit_success",
    "last_run",
    "list_job",
    "list_jobs",
    "list_jobs_filter",
    "lookup_jid",
    "master",
    "print_job",
    "report",
]
