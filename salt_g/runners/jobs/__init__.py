"""Running jobs, and jobs in the job cache.

Begin with `results.py` (one job), then `listing.py` (search) and `job_source.py` (source of the data).
"""

from salt_g.runners.jobs.listing import last_run, list_jobs, list_jobs_filter
from salt_g.runners.jobs.results import exit_success, list_job, lookup_jid, print_job, report
from salt_g.runners.jobs.running import active, master

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
